"""F37: a tuple of a given letter, of law p or q, and k of m at random: t has y at N(t, y) places.

c N(t, y) is its chance given y; r bounds that of too large a sum of f, and of too small one of g.
"""
from pfverify.proof.language import *

(k, m, c, beta, alpha, F), (eta, r) = positive("k m c beta alpha F"), constants("eta r")
t, y, (p, q, f, g, N, B) = indices("t", "Tuples"), indices("y", "Y"), masses("p q f g N B")
p_t, q_t = total(N(t, y) * p(y), y), total(N(t, y) * q(y), y)
f_t, g_t, f_Y = total(N(t, y) * f(y), y), total(N(t, y) * g(y), y), total(f(y), y)
most, least = beta + k / m + alpha, k * (1 - eta) / m - alpha
over, under = f_t - beta - k * f_Y / m - alpha, k * total(g(y), y) / m - g_t - alpha
a, b, at_q = indicator(over), indicator(under), total(c * q_t * B(t), t)
left, bound = total(c * p_t - c * f_t, t), total(c * p_t * B(t), t) <= F * at_q + 2 * r + eta

Claim(
    id="F37c", source=paper("design", "F37"), result=PROVED,
    words="Dummies hide which law a letter is from, up to unusual tuples and what f leaves of p",
    printed=proved(
        given={"law": total(p(y), y) == 1, "f": f(y) <= p(y) and f_Y >= 1 - eta, "event": B(t) <= 1,
               "g": g(y) <= q(y) and total(g(y), y) >= 1 - eta, "F": F * least == most,
               "channel": total(c * N(t, y), t) == 1,
               "few": total(c * f_t * a, t) <= r and total(c * f_t * b, t) <= r},
        example=instance(k=1, m=1, c=1/2, beta=1, alpha=1/2, eta=0, F=5, r=0, Y=[0], Tuples=[0],
                         p={0: 1}, q={0: 1}, f={0: 1}, g={0: 1}, N={(0, 0): 2}, B={0: 1}),
        statement=bound, steps=[
            step("f_Y", f_Y <= total(p(y), y), termwise(arithmetic("f"), y)),
            step("f_t", f_t <= p_t, termwise(arithmetic("f"), y)),
            step("g_t", g_t <= q_t, termwise(arithmetic("g"), y)),
            step("0 f", 0 <= f_t, termwise(arithmetic(), y)),
            step("0 g", 0 <= g_t, termwise(arithmetic(), y)),
            step("usual", a == 1 or b == 1 or f_t <= F * g_t, arithmetic("f_Y", "law", "g", "F")),
            step("one", p_t * B(t) <= F * q_t * B(t) + f_t * (a + b) + p_t - f_t,
                 arithmetic("usual", "f_t", "g_t", "0 f", "0 g", "event")),
            step("all", total(c * p_t * B(t), t) <= F * at_q + total(c * f_t * (a + b), t) + left,
                 integrate("one", t, weight=c)),
            step("gap", left == total(p(y) - f(y), y), integrate("channel", y, weight=p(y) - f(y))),
            step("bound", bound, arithmetic("all", "gap", "few", "f", "law")),
        ],
    ),
    breaks=[
        edit("drop few", "bound"), edit("drop channel", "gap"), edit("drop event", "one"),
    ],
)
