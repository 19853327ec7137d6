"""F43: steps behind a sum hide nothing where its rest may be any number and they leave a half-line.

The others may add a number that moves hardly any of the noisy numbers before the half-line that the
steps leave as it is; what an event loses there is less than its excess.

Symbols:
E: e^epsilon
P, Q: the masses of the event before the steps, under the two secrets
p, q: those of what of it lies in the half-line, when it is moved
t: the mass under the first secret outside the half-line
d: delta
m: by how much the event exceeds
"""
from pfverify.proof.language import *

E, (P, Q, p, q, t, d, m) = positive("E"), constants("P Q p q t d m")

Claim(
    id="F43i", source=paper("design", "F43"), result=PROVED,
    words="If an event exceeds by m before the steps, and less than m of the first law is moved to "
          "where the steps act, then what is left of the event exceeds behind them",
    open="that the mass beyond a number is as small as one likes for a number that is large enough",
    printed=proved(
        given={"excess": E * Q + d + m <= P, "left": P - t <= p, "part": q <= Q, "far": t < m},
        example=instance(E=2, P=1, Q=1/4, p=7/8, q=1/4, t=1/8, d=0, m=1/2),
        statement=E * q + d < p,
        steps=[step("all", E * q + d < p, arithmetic("excess", "left", "part", "far"))],
    ),
    breaks=[edit("drop far", "all"), edit("drop part", "all")],
)
