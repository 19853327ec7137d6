"""Algorithm 1 loses the root at its first step."""
from pfverify.proof.language import *

E, t = positive("E t")
x, k = indices("x", "X"), indices("k", "K")
t_b, t_c = functions("t_b t_c")
pi = masses("pi")
P, Q = {1: 1/2, 2: 1/2}, {0: 1}
f = total(pi(x, 0) * (t**abs(x) - E), x)

Claim(
    id="N20", source=paper("noise-reduction", "Algorithm 1"), result=REFUTED,
    words="In every iteration the root lies between t_b and t_c: f(t_b) f(t_c) <= 0",
    printed=refuted(
        given={
            "it lies there at the start": at(f, {t: t_b(0)}) * at(f, {t: t_c(0)}) < 0,
            "the secant step goes to 16/7": t_b(1) == 16/7 and t_c(1) == 2,
            "both are below the root": at(f, {t: 16/7}) == -12/49 and at(f, {t: 2}) == -1,
        },
        statement=at(f, {t: t_b(k)}) * at(f, {t: t_c(k)}) <= 0, at={k: 1},
        instance=instance(E=4, X=[0, 1, 2], pi=plan(P, Q), K=[0, 1, 2],
                          t_b=trace_b(P, Q, 4, 0, 2), t_c=trace_c(P, Q, 4, 0, 2)),
    ),
    breaks=[
        edit("statement = at(f, {t: t_b(k)}) * at(f, {t: t_c(k)}) <= 1/4", "the counterexample"),
        edit("P = {2: 1}", "it lies there at the start"),
    ],
)
