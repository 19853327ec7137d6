"""F37: Hoeffding's bound for the sum of v over a tuple of a given letter and k of m at random.

A tuple t has the letter y at N(t, y) places; given s, which has the chance f(s), t has w(t, s).
"""
from pfverify.proof.language import *

(k, m, beta, alpha), (a, top, L) = positive("k m beta alpha"), constants("a top L")
t, (y, s), (N, w, f) = indices("t", "Tuples"), indices("y s", "Y"), masses("N w f")
v, h = functions("v"), 4 * alpha / (k * beta**2)
S, each, mu = total(N(t, y) * v(y), y), total(exp(h * v(y)), y) / m, total(v(y), y) / m
limit, shifted, bell = top + k * mu + alpha, (v(y) - a) / beta, h**2 * beta**2 / 8
far, bound = indicator(S - limit), exp(-2 * alpha**2 / (k * beta**2))
given_s, from_F37 = total(w(t, s) * far, t), h * beta * total(1 / m * shifted, y) + bell

Claim(
    id="F37b", source=paper("design", "F37"), result=PROVED,
    words="The sum is alpha over its mean with a chance of at most e^(-2 alpha^2/(k beta^2))",
    printed=proved(
        given={"range": a <= v(y) and v(y) <= a + beta, "top": v(y) <= top,
               "letters": total(1, y) == m, "f": total(f(s), s) <= 1, "L": exp(L) == each,
               "independent": total(w(t, s) * exp(h * S), t) == exp(h * v(s) + k * L)},
        example=instance(k=1, m=1, beta=1, alpha=1, a=0, top=0, L=0, Y=[0], Tuples=[0], v={0: 0},
                         f={0: 1}, N={(0, 0): 2}, w={(0, 0): 1}),
        statement=total(f(s) * given_s, s) <= bound,
        steps=[
            step("F37", total(1 / m * exp(h * beta * shifted), y) <= exp(from_F37), theorem("F37", {
                "P": maps(y, 1 / m), "f": maps(y, shifted), "u": h * beta}, "range", "letters")),
            step("mean", from_F37 == h * (mu - a) + bell, arithmetic("letters")),
            step("its e", exp(from_F37) == exp(h * (mu - a) + bell), arithmetic("mean")),
            step("each", each <= exp(h * mu + bell), arithmetic("F37", "its e")),
            step("each L", L <= h * mu + bell, arithmetic("each", "L")),
            step("all", exp(k * L) <= exp(k * (h * mu + bell)), arithmetic("each L")),
            step("Markov", given_s <= exp(-h * limit) * total(w(t, s) * exp(h * S), t),
                 termwise(arithmetic(), t, weight=w(t, s))),
            step("top of s", exp(h * v(s)) <= exp(h * top), arithmetic(use("top", {y: s}))),
            step("tails", total(f(s) * given_s, s) <= total(f(s), s) * bound, termwise(arithmetic(
                "Markov", "independent", "all", "top of s"), s, weight=f(s))),
            step("end", total(f(s) * given_s, s) <= bound, arithmetic("tails", "f")),
        ],
    ),
    breaks=[
        edit("drop range", "F37"), edit("drop independent", "tails"),
        edit("drop f", "end"),
    ],
)
