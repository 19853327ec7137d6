"""(23): for p < q the two masses of each column, and what its sum in (20) comes to."""
from pfverify.proof.language import *
from settings.one_more_user import *

theta, E = positive("theta E")
masses_are = pi(z, z) == p * f(w) + (1 - q) * f(z) and pi(w, z) == (q - p) * f(w)
t, part = exp(1 / theta), pi(x, z) * (exp(abs(x - z) / theta) - E)
sum_20 = total(part, x)
ratio_21 = implies(f(w) > 0, pi(z, z) / pi(w, z) == ((1 - q) * f(z) / f(w) + p) / (q - p))
as_23 = implies(pi(w, z) > 0, iff(sum_20 <= 0, t <= E + (E - 1) * pi(z, z) / pi(w, z)))

Claim(
    id="M34", source=paper("multi-user", "(23)"), result=PROVED,
    words="For p < q column x' of the plan holds p f(x'-1) + (1-q) f(x') at x' and (q-p) f(x'-1) "
          "at x'-1, and its sum in (20) is at most 0 exactly when (23) holds: the ratio is (21)'s",
    printed=proved(
        given={"p < q": 0 <= p and p < q and q <= 1, "x'-1": w == z - 1, "whole": whole,
               "(6)": plan_6},
        example=instance(X=[0, 1, 2], p=1/4, q=3/4, w=0, z=1, theta=1, E=2,
                         f={0: 1/2, 1: 1/2}, pi={(0, 1): 1/4, (1, 1): 1/4}),
        statement=masses_are and as_23 and ratio_21,
        steps=[
            step("H", H_grows, theorem("F13", {"h": 1, "k": r, "P": f}, "whole")),
            step("at x'", pi(z, z) == p * f(w) + (1 - q) * f(z), arithmetic(
                "p < q", "x'-1", use("(6)", {x: z}), use("H", {u: w, v: z - 1, x: z}),
                use("H", {u: w - 1, v: z - 2, x: w}))),
            step("at x'-1", pi(w, z) == (q - p) * f(w), arithmetic(
                "p < q", "x'-1", use("(6)", {x: w}), use("H", {u: w, v: z - 1, x: z}),
                use("H", {u: w - 1, v: z - 2, x: w}), use("H", {u: w - 2, v: w - 1}))),
            step("M33", implies(p < q, implies(z <= x - 1 or x + 2 <= z, entry == 0)),
                 theorem("M33", {"x": x, "z": z}, "p < q")),
            step("(22)", pi(x, z) * (x - z) * (x - w) == 0, arithmetic(
                "M33", "(6)", "x'-1", "p < q", use("whole", {r: z}), use("whole", {r: w}))),
            step("sum", sum_20 == at(part, {x: z}) + at(part, {x: w}), theorem(
                "F14b", {"f": maps(x, part), "a": z, "b": w}, "(22)", "x'-1")),
            step("(23)", as_23, arithmetic("at x'", "at x'-1", "p < q", "sum", "x'-1")),
            step("(21)", ratio_21, arithmetic("at x'", "at x'-1", "p < q")),
        ],
    ),
    breaks=[edit("drop whole", "H")],
)
