"""F21: Jensen's inequality for the exponential and finite weights."""
from pfverify.proof.language import *

k, w, f = indices("k", "K"), masses("w"), functions("f")
average, whole = total(w(k) * f(k), k), total(w(k), k)
mean_exp = total(w(k) * exp(f(k)), k)

Claim(
    id="F21", source=paper("design", "F21"), result=PROVED,
    words="For weights that sum to 1, e to the power of a mean is at most the mean of e to the "
          "powers",
    printed=proved(
        given={"weights": whole == 1},
        example=instance(K=[0, 1], w={0: 1/2, 1: 1/2}, f={0: 0, 1: 1}),
        statement=exp(average) <= mean_exp,
        steps=[
            step("tangent", exp(average) * (1 + f(k) - average) <= exp(f(k)),
                 arithmetic(hints=[exp(f(k) - average)])),
            step("sum", exp(average) * (whole + average - whole * average) <= mean_exp,
                 integrate("tangent", k, weight=w(k))),
            step("Jensen", exp(average) <= mean_exp, arithmetic("sum", "weights")),
        ],
    ),
    breaks=[edit("drop weights", "Jensen", instance(K=[0], w={0: 1/2}, f={0: 0}))],
)
