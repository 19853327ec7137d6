"""TAIL: how far ahead of a narrower normal law, or of one as wide, the outermost law is.

Symbols:
s0, m0: standard deviation and mean of the widest, outermost component
s, m: those of another one
T: how far ahead the widest component is to be, in the logarithm
y: an output
"""
from pfverify.proof.language import *

(s0, s), (m0, m, T, y) = positive("s0 s"), constants("m0 m T y")
ahead, z, d = (y - m)**2 / (2 * s**2) - (y - m0)**2 / (2 * s0**2), y - m, abs(m0 - m)
rest, room = T + d / s0**2 + d**2 / (2 * s0**2), 1 / (2 * s**2) - 1 / (2 * s0**2)
as_wide = s == s0 and m < m0 and (2 * y - m0 - m) * (m0 - m) >= 2 * T * s0**2
narrower = s < s0 and 1 <= z and rest <= z * room

Claim(
    id="TAILa", source=paper("design", "TAIL"), result=PROVED,
    words="(y - m)^2/(2 s^2) - (y - m0)^2/(2 s0^2) is at least T from a number on that is stated "
          "here, if s < s0, or if s = s0 and m < m0",
    printed=proved(
        given={"far": as_wide or narrower, "T": T >= 0},
        example=instance(s0=2, m0=0, T=1, y=3, s=1, m=0),
        statement=T <= ahead,
        steps=[
            step("as wide", implies(as_wide, T <= ahead), arithmetic()),
            step("room", implies(narrower, 0 <= room), arithmetic()),
            step("squares", ahead == z**2 * room + z * (m0 - m) / s0**2 - d**2 / (2 * s0**2),
                 arithmetic()),
            step("times z", implies(narrower, z * rest <= z * (z * room)), arithmetic()),
            step("drift", implies(1 <= z, -z * d / s0**2 <= z * (m0 - m) / s0**2), arithmetic()),
            step("bend", implies(1 <= z, d**2 / (2 * s0**2) <= z * d**2 / (2 * s0**2)),
                 arithmetic()),
            step("narrower", implies(narrower, T <= ahead), arithmetic(
                "squares", "times z", "drift", "bend", "T")),
            step("ahead", T <= ahead, arithmetic("far", "as wide", "narrower")),
        ],
    ),
    breaks=[
        edit("drop far", "ahead"), edit("drop T", "narrower"),
        edit("room = 1 / s**2 - 1 / s0**2", "squares"),
    ],
)
