"""Proof of Theorem 4.1 (2): it is the derivative of the noise reduction that is negative."""
from pfverify.proof.language import *

epsilon, n, theta = positive("epsilon n theta")
slope = constants("slope")  # of theta as a function of epsilon
x, c = indices("x", "X"), member("c", "X")
pi = masses("pi")
d, Q = abs(x - c), total(pi(x, c), x)
root = total(pi(x, c) * (exp(d / theta) - exp(epsilon)), x) == 0 and Q > 0
moment = total(pi(x, c) * exp(d / theta) * d, x)
largest = pi(x, c) * (d - n) <= 0
v = d / theta - epsilon

Claim(
    id="N25", source=paper("noise-reduction", "Theorem 4.1, proof"), result=REPAIRED,
    words="The noise reduction is negative for epsilon < 1",
    printed=refuted(
        given={"root": root, "small": epsilon < 1, "largest": largest},
        statement=n / epsilon - theta < 0, words="Table 1 at e^epsilon = 2",
        instance=instance(epsilon=log(2), theta="1/log(26)", n=1, c=1, X=[0, 1],
                          pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})),
    ),
    corrected=proved(
        words="Its derivative is at most 0, for every epsilon",
        given={"root": root, "largest": largest,
               "root, differentiated": moment * (-slope / theta**2) == exp(epsilon) * Q},
        example=instance(epsilon="log((exp(1)+1)/2)", theta=1, slope="-1-exp(-1)", n=1, c=1,
                         X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2}),
        statement=-n / epsilon**2 - slope <= 0,
        steps=[
            step("tangent", exp(v) - 1 <= v * exp(v), arithmetic(hints=[exp(-v)])),
            step("sum tangent", total(pi(x, c) * exp(v), x) - Q <= total(pi(x, c) * v * exp(v), x),
                 integrate("tangent", x, weight=pi(x, c))),
            step("moment", epsilon * exp(epsilon) * Q <= moment / theta,
                 arithmetic("sum tangent", "root", hints=[exp(-epsilon)])),
            step("below", pi(x, c) * exp(d / theta) <= pi(x, c) * exp(n / theta),
                 arithmetic("largest")),
            step("sum below", total(pi(x, c) * exp(d / theta), x) <= Q * exp(n / theta),
                 integrate("below", x)),
            step("not negative", epsilon * theta <= n, arithmetic("root", "sum below")),
            step("slope", -slope * epsilon <= theta,
                 arithmetic("moment", "root", "root, differentiated")),
            step("derivative", -n / epsilon**2 - slope <= 0, arithmetic("slope", "not negative")),
        ],
    ),
)
