"""F16: the mean of what exceeds 0 only where a standard normal variable is beyond tau."""
from pfverify.proof.language import *

tau, delta, K = constants("tau delta K")
v, f = variables("v"), functions("f")
density, term = normal_pdf(v), normal_pdf(v) * f(v)
whole, wide = integral(term, v, -oo, oo), integral(K * density, v, -oo, oo)
left, rest = integral(term, v, -oo, -tau), integral(term, v, -tau, oo)
inside, right = integral(term, v, -tau, tau), integral(term, v, tau, oo)
left_Z, right_Z = integral(density, v, -oo, -tau), integral(density, v, tau, oo)

Claim(
    id="F16", source=paper("design", "F16"), result=PROVED,
    words="For a standard normal Z, the mean of f(Z) is at most delta if f is at most 1, at most 0 "
          "from -tau to tau, and Pr(Z > tau) is at most delta/2 (f is bounded)",
    printed=proved(
        given={"tau": normal_tail(tau) <= delta / 2, "tau >= 0": tau >= 0, "f": f(v) <= 1,
               "size": abs(f(v)) <= K, "within tau": implies(-tau <= v and v <= tau, f(v) <= 0)},
        example=instance(tau=1, delta=1, K=1, f={"else": 0}),
        statement=whole <= delta,
        steps=[
            step("bound", abs(term) <= K * density, arithmetic("size")),
            step("wide", wide == K, antiderivative(K * normal_cdf(v))),
            step("exists", abs(whole) <= wide, dominated("bound")),
            step("split", whole == left + rest, split_integral(-tau)),
            step("again", rest == inside + right, split_integral(tau, ["tau >= 0"])),
            step("near", implies(-tau <= v and v <= tau, term <= 0), arithmetic("within tau")),
            step("inside", inside <= 0,
                 integrate("near", v, using=["tau >= 0"], between=(-tau, tau))),
            step("far", term <= density, arithmetic("f")),
            step("left Z", left_Z == normal_tail(tau), antiderivative(normal_cdf(v))),
            step("right Z", right_Z == normal_tail(tau), antiderivative(normal_cdf(v))),
            step("left", left <= left_Z, integrate("far", v, between=(-oo, -tau))),
            step("right", right <= right_Z, integrate("far", v, between=(tau, oo))),
            step("sum", whole <= delta, arithmetic(
                "split", "again", "inside", "left", "right", "left Z", "right Z", "tau")),
        ],
    ),
    breaks=[
        edit("drop within tau", "near", instance(tau=1, delta=1, K=1, f={"else": 1}), {v: 0}),
        edit("drop f", "far", instance(tau=0, delta=1, K=2, f={0: 0, "else": 2}), {v: 1}),
        edit("drop tau", "sum"),
    ],
)
