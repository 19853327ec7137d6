"""Theorem 3 with eta = 0, for laws f and g: true by Hoeffding's bound, not tight at two points."""
from pfverify.proof.language import *
from settings.tupling import *

at_f, at_g = total(c * f_t * B(t), t), total(c * g_t * B(t), t)
laws_fg = total(f(y), y) == 1 == total(g(y), y)
bound, (a, b), (P, Q) = at_f <= E * at_g + 2 * tail, indices("a b", "Two"), masses("P Q")
same, second = indicator(N(t, y) - 7), total(maximum(f_t - 8 * g_t, 0), t) <= 7/2
exact = P(a) <= 3 * Q(a) and second and 2 * exp(-32/27) > 61/100 and 2 * exp(-3) > 99/1000

Claim(
    id="D22", source=paper("distribution-privacy", "Theorem 3"), result=PROVED,
    words="If no mass of the two A#(lambda) exceeds beta, tupling is (epsilon_alpha, 2 e^(-2 "
          "alpha^2/(k beta^2)))-private", open="that independent dummies satisfy f_t and g_t",
    printed=proved(
        given={"laws": laws_fg, "beta": f(y) <= beta and g(y) <= beta, "alpha": smaller,
               "event": event, "means": means, "channel": channel, "letters": letters,
               "f_t": dummies_f, "g_t": dummies_g}, example=two_dummies, statement=bound,
        steps=[step("D24", bound, theorem("D24", {"p": f, "q": g, "F": E, "eta": 0}, "laws", "beta",
             "alpha", "event", "channel", "letters", "means", "f_t", "g_t", part="corrected"))],
    ),
    tighter=proved(
        words="P, Q: k = 3, m = 2, beta = 3/4, alpha = 1; delta is 0 at e^epsilon_alpha = 13/2 and "
              "3. f, g: k = 6, m = 3, beta = 1/2, alpha = 3/2; it is 7/2 c = 1/1458 at 8 (F37d)",
        given={"beta 1": P(a) <= 3/4 and Q(a) <= 3/4, "law 1": total(Q(a), a) == 1,
               "m = 2": total(1, a) == 2, "beta 2": f(y) <= 1/2 and g(y) <= 1/2, "laws 2": laws_fg,
               "m = 3": total(1, y) == 3, "k + 1 = 7": total(N(t, y), y) == 7,
               "N": N(t, y) <= 6 or same == 1, "one": total(same, t) == 1},
        example=instance(Two=[1, 2], P={1: 3/4, 2: 1/4}, Q={1: 1/4, 2: 3/4}, Y=[1, 2, 3],
                         Tuples=[1, 2, 3], N={(1, 1): 7, (2, 2): 7, (3, 3): 7},
                         f={1: 1/2, 2: 1/2}, g={2: 1/2, 3: 1/2}), statement=exact,
        steps=[
            step("room", 0 <= 3/4 - Q(a), arithmetic("beta 1")),
            step("Q", 3/4 - Q(b) <= total(3/4 - Q(a), a), one_term("room", {a: b})),
            step("P", P(a) <= 3 * Q(a), arithmetic("beta 1", use("Q", {b: a}), "m = 2", "law 1")),
            step("second", second, theorem("F37d", {}, "beta 2", "laws 2", "m = 3", "k + 1 = 7",
                                           "N", "one")),
            step("published", 2 * exp(-32/27) > 61/100 and 2 * exp(-3) > 99/1000, enclosure()),
        ],
    ),
    breaks=[
        edit("drop m = 2", "P", instance(
            Two=[1, 2, 3], P={1: 3/4, 2: 1/4}, Q={2: 1/4, 3: 3/4}, Y=[1, 2, 3],
            Tuples=[1, 2, 3], N={(1, 1): 7, (2, 2): 7, (3, 3): 7}, f={1: 1/2, 2: 1/2},
            g={2: 1/2, 3: 1/2})),
        edit("drop beta 2", "second"),
    ],
)
