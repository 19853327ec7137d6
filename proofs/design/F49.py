"""F49: the masses of Laplace noise that is wrapped after it was added: u modulo m.

From an atom d before u, 0 <= d < m, u is reached by d + k m and by -(m - d) - k m, for every k.
"""
from pfverify.proof.language import *

(theta, m), d, v = positive("theta m"), constants("d"), variables("v")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")  # turns: 0, 1, ..., n
there, back = exp(-abs(d + i * m) / theta), exp(-abs(d - (i + 1) * m) / theta)
turn, once = exp(-m / theta), exp(-d / theta) + exp(-(m - d) / theta)
rest = exp(-(n + 1) * m / theta)
powers, wrapped = total(exp(-i * m / theta), i), total(there + back, i)

Claim(
    id="F49", source=paper("design", "F49"), result=PROVED,
    words="e^(-|d + k m|/theta), summed over the k from -n-1 to n, 0 <= d < m, is (e^(-d/theta) + "
          "e^(-(m-d)/theta))/(1 - e^(-m/theta)) times 1 - e^(-(n+1) m/theta): the closed form of "
          "wrapped noise, up to a factor that grows to 1 with n",
    printed=proved(
        given={"turns": is_chain([a, k], [o, n]), "first": o == 0, "d": 0 <= d and d < m},
        example=instance(theta=1, m=2, d=1, X=[0, 1], o=0, n=1),
        statement=wrapped * (1 - turn) == once * (1 - rest) and turn < 1,
        steps=[
            step("steps", total(-exp(-(i + 1) * m / theta) + exp(-i * m / theta), i)
                 == exp(-o * m / theta) - rest, theorem("F10a", {
                     "h": 1, "f": maps(v, -exp(-(v + 1) * m / theta))}, "turns")),
            step("o", exp(-o * m / theta) == 1, arithmetic("first")),
            step("powers", powers * (1 - turn) == 1 - rest, arithmetic("steps", "o")),
            step("i", 0 <= i, arithmetic(use("turns", {k: i}), "first")),
            step("far", 0 <= i * m, arithmetic("i")),
            step("one", there + back == once * exp(-i * m / theta), arithmetic("far", "d")),
            step("wrapped", wrapped == once * powers, integrate("one", i)),
            step("turn", turn < 1, arithmetic()),
            step("all", wrapped * (1 - turn) == once * (1 - rest) and turn < 1,
                 arithmetic("powers", "wrapped", "turn")),
        ],
    ),
    breaks=[
        edit("drop d", "one", instance(theta=1, m=1, d=2, X=[0], o=0, n=0)),
        edit("drop first", "o"),
    ],
)
