"""F44: more noise in any coordinate keeps what is private: the private scales are an up-set.

f and g are the chances of an event under two secrets, moved by v in the first coordinate and by u
in the second, with Laplace noise of scales s1 and s2. With t1 and t2 they are mixtures of these
(F2, and where a scale stays what it is that noise alone). More coordinates are one by one. Along a
ray, b times a direction > 0, all scales grow with b: from a least b on they are private.

Symbols:
E: e^epsilon
delta: the delta of the bound
s1, s2: scales of the two coordinates
t1, t2: larger scales
c: a bound of f and g
v, u: how far the event is moved
n, m: noise with the larger scales
f, g: the chance of the event under the two secrets
f1, g1: that with the scales t1 and s2
"""
from pfverify.proof.language import *

(s1, s2, t1, t2, E), (delta, c) = positive("s1 s2 t1 t2 E"), constants("delta c")
(v, u), (n, m), (f, g) = variables("v u"), (draws("n", "N"), draws("m", "M")), functions("f g")
r1, r2, (f1, g1) = s1**2 / t1**2, s2**2 / t2**2, functions("f1 g1")
f_1 = r1 * f(0, u) + (1 - r1) * mean(f(0 - n, u), n)
g_1 = r1 * g(0, u) + (1 - r1) * mean(g(0 - n, u), n)
f_2 = r2 * f1(0) + (1 - r2) * mean(f1(0 - m), m)
g_2 = r2 * g1(0) + (1 - r2) * mean(g1(0 - m), m)

Claim(
    id="F44", source=paper("design", "F44"), result=PROVED,
    words="If two coordinates with Laplace noise of scales (s1, s2) keep every bound p(B) <= E q(B)"
          " + delta of events, they keep it with scales t1 >= s1 and t2 >= s2, of which one alone "
          "may be larger: then r of the other is 1 (on a lattice: F40k, one by one)",
    printed=proved(
        given={"first": s1 <= t1, "second": s2 <= t2, "private": f(v, u) <= E * g(v, u) + delta,
               "bounds": abs(f(v, u)) <= c and abs(g(v, u)) <= c and abs(f1(u)) <= c
               and abs(g1(u)) <= c, "mixed": f1(u) == f_1 and g1(u) == g_1},
        example=instance(s1=1, t1=2, s2=1, t2=1, E=2, delta=0, c=1, N=law({0: 1}), M=law({0: 1}),
                         f={"else": 1/2}, g={"else": 1/2}, f1={"else": 1/2}, g1={"else": 1/2}),
        statement=f_2 <= E * g_2 + delta,
        steps=[
            step("shares", 0 <= r1 <= 1 and 0 <= r2 <= 1, arithmetic("first", "second")),
            step("in the first", f_1 <= E * g_1 + delta, theorem(
                "F2a", {"r": r1, "y": 0, "f": maps(v, f(v, u)), "g": maps(v, g(v, u))},
                "shares", "bounds", "private")),
            step("private u", f1(u) <= E * g1(u) + delta, arithmetic("in the first", "mixed")),
            step("in both", f_2 <= E * g_2 + delta, theorem(
                "F2a", {"r": r2, "y": 0, "v": u, "n": m, "N": "M", "f": f1, "g": g1},
                "shares", "bounds", "private u")),
        ],
    ),
    breaks=[edit("drop first", "shares"), edit("drop mixed", "private u")],
)
