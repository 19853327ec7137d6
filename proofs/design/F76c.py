"""F76: where p/q does not fall, H at r = p(t)/q(t) is reached by all outputs from t on.

And H_E is at most that for E >= r. p and q are densities with respect to any law S (masses too).
Where p/q does not rise take -y and -t for y and t: it is all outputs up to t then.

Symbols:
y: an output
t: the output that is chosen
p, q: densities under the two secrets
r: p/q at t
E: e^epsilon, or any other factor
most: a bound of the densities (2, with respect to (P + Q)/2)
"""
from pfverify.proof.language import *

(t, r, E, most), y, (p, q) = constants("t r E most"), draws("y", "S"), masses("p q")
H, from_t = mean(maximum(p(y) - E * q(y), 0), y), indicator(y - t)
H_r, value = at(H, {E: r}), mean(from_t * p(y), y) - r * mean(from_t * q(y), y)
rises = (implies(y <= t, p(y) * q(t) <= p(t) * q(y))
         and implies(t <= y, p(t) * q(y) <= p(y) * q(t)))

Claim(
    id="F76c", source=paper("design", "F76"), result=PROVED,
    words="If p(y)/q(y) is at most r = p(t)/q(t) before t and at least r beyond it, as by F76, H_r "
          "is P - r Q of all outputs from t on, and H_E is at most that for E >= r",
    printed=proved(
        given={"rises": rises, "r": p(t) == r * q(t), "some": 0 < q(t), "E": r <= E,
               "bounds": p(y) <= most and q(y) <= most},
        example=instance(t=1, r=1, E=2, most=2, S=law({0: 1/2, 1: 1/2}), p={1: 1}, q={"else": 1}),
        statement=H_r == value and H <= value,
        steps=[
            step("before", implies(y < t, p(y) <= r * q(y)), arithmetic("rises", "r", "some")),
            step("beyond", implies(t <= y, r * q(y) <= p(y)), arithmetic("rises", "r", "some")),
            step("event", H_r == value, termwise(arithmetic("before", "beyond"), y)),
            step("less", H <= H_r, termwise(arithmetic("E"), y)),
            step("all", H_r == value and H <= value, arithmetic("event", "less")),
        ],
    ),
    breaks=[
        edit("drop rises", "before"), edit("drop some", "before"), edit("drop r", "before"),
        edit("drop E", "less"),
    ],
)
