"""F37: three letters and six dummies; a tuple t has the letter y at N(t, y) of its seven places.

`same` is 1 where all are y. The chances of t are c f_t and c g_t, c = 1/(7 3^6).
"""
from pfverify.proof.language import *

t, (y, s), (f, g, N) = indices("t", "Tuples"), indices("y s", "Y"), masses("f g N")
f_t, g_t = total(N(t, y) * f(y), y), total(N(t, y) * g(y), y)
same, room, missing = indicator(N(t, y) - 7), total(1/2 - g(y), y), N(t, y) * (1/2 - g(y))
spare, f_123, g_123 = total(same * (1/2 - g(y)), y), {1: 1/2, 2: 1/2}, {2: 1/2, 3: 1/2}
upper = total(maximum(f_t - 8 * g_t, 0), t) <= 7/2

Claim(
    id="F37d", source=paper("design", "F37"), result=PROVED,
    words="At e^epsilon = 8 laws on three letters without masses over 1/2 keep delta <= 1/1458",
    printed=proved(
        given={"laws": total(f(y), y) == 1 == total(g(y), y), "half": f(y) <= 1/2 and g(y) <= 1/2,
               "letters": total(1, y) == 3, "places": total(N(t, y), y) == 7,
               "whole": N(t, y) <= 6 or same == 1, "one": total(same, t) == 1},
        example=instance(Y=[1, 2, 3], Tuples=[1, 2, 3], f=f_123, g=g_123,
                         N={(1, 1): 7, (2, 2): 7, (3, 3): 7}), statement=upper,
        steps=[
            step("N", 0 <= N(t, y), arithmetic()),
            step("7", N(t, s) <= total(N(t, y), y), one_term("N", {y: s})),
            step("f", f_t <= total(N(t, y), y) / 2, termwise(arithmetic("half"), y)),
            step("g", total(missing, y) <= 6 * room + spare, termwise(
                arithmetic("whole", "half", use("7", {s: y}), "places"), y)),
            step("low", 0 <= spare, termwise(arithmetic("half"), y)),
            step("high", spare <= room, termwise(arithmetic("half"), y)),
            step("tuples", total(maximum(f_t - 8 * g_t, 0), t) <= total(7 * spare, t), termwise(
                arithmetic("f", "g", "low", "high", "places", "letters", "laws"), t)),
            step("ones", total(spare, t) == room, integrate("one", y, weight=1/2 - g(y))),
            step("upper", upper, arithmetic("tuples", "ones", "letters", "laws")),
        ],
    ),
    tighter=proved(
        words="and for these f and g the tuple 1 alone gives that much: 7/2 c is 1/1458",
        data=instance(Y=[1, 2, 3], Tuples=[1], f=f_123, g=g_123, N={(1, 1): 7}),
        statement=f_t - 8 * g_t == 7/2, steps=[step("reached", f_t - 8 * g_t == 7/2, finite())],
    ),
    breaks=[
        edit("drop one", "ones"), edit("g_123 = {1: 1/2, 3: 1/2}", "reached"),
    ],
)
