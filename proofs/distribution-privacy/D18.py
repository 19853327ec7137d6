"""Abstract: how much noise Laplace needs is not proportional to the W-infinity distance."""
from pfverify.proof.language import *

theta, epsilon, a = positive("theta epsilon a")
(x, z), (o, n), y = indices("x z", "X"), member("o n", "X"), variables("y")
gamma, E, prior, point = masses("gamma"), exp(epsilon), {0: 1/2, 1: 1/2}, {0: 1}
near, far, grow = exp(-abs(y) / theta), exp(-abs(y - 1) / theta), exp(1 / theta)
p, q = ((1 - a) * near + a * far) / (2 * theta), near / (2 * theta)
enough = 1 - a + a * grow <= E
exact = implies(enough, p <= E * q and q <= E * p) and implies(at(p <= E * q, {y: 1}), enough)

Claim(
    id="D18", source=paper("distribution-privacy", "Abstract"), result=REPAIRED,
    words="To make two distributions indistinguishable the Laplace mechanism needs noise "
          "proportional to their W-infinity distance: a scale of at least W/epsilon",
    printed=refuted(
        words="Half of the mass has to move by 1, W/epsilon is 1/log(2): 1/log(3) is private",
        statement=gamma(x, z) == 0 or abs(x - z) <= epsilon * theta, at={x: 1, z: 0},
        problem=problem(prior, point, epsilon="log(2)", scale="1/log(3)"), verdict="certified",
        binds={"gamma": "plan", "X": "atoms", "theta": "scale", "epsilon": "epsilon"},
    ),
    corrected=proved(
        words="A share a at 1 has to move by 1 if all else is at 0, and theta is enough exactly if "
              "1 - a + a e^(1/theta) <= e^epsilon: for a small a, any theta; W is 1",
        given={"letters": o == 0 and n == 1, "first": total(gamma(n, z), z) == a,
               "second": implies(z != o, total(gamma(x, z), x) == 0), "share": a <= 1},
        example=instance(theta=1, epsilon=1, a=1, X=[0, 1], o=0, n=1, gamma={(1, 0): 1}),
        statement=gamma(n, o) == a and exact,
        steps=[
            step("mass", 0 <= gamma(x, z), arithmetic()),
            step("one", gamma(n, z) <= total(gamma(x, z), x), one_term("mass", {x: n})),
            step("none", implies(z != o, gamma(n, z) == 0),
                 arithmetic("one", "second", use("mass", {x: n}))),
            step("all", total(gamma(n, z), z) == gamma(n, o), single("none", z)),
            step("near", far <= grow * near and near <= grow * far, arithmetic()),
            step("Jensen", implies(enough, 1 <= E * (1 - a + a / grow)), arithmetic("share")),
            step("all of it", gamma(n, o) == a and exact,
                 arithmetic("share", "near", "Jensen", "all", "first")),
        ],
    ),
    breaks=[
        edit("prior = {0: 1/2, 9: 1/2}", "the counterexample"),
        edit("drop first", "all of it", instance(theta=1, epsilon=1, a=1/2, X=[0, 1], o=0, n=1,
                                             gamma={(0, 0): 3/4, (1, 0): 1/4}), {y: 0}),
    ],
)
