"""Theorem 3 with y drawn from A#(lambda) in Lambda: false as well, and what is true instead."""
from pfverify.proof.language import *
from settings.tupling import *

light_p, light_q = total(p(y) * indicator(beta - p(y)), y), total(q(y) * indicator(beta - q(y)), y)
p_24 = masses_of({1: 50, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1})
q_24 = masses_of({12: 50, 13: 1, 14: 1, 15: 1, 16: 1, 17: 1, 18: 1, 19: 1, 20: 1, 21: 1, 22: 1})
F, w = positive("F"), maps(t, s, c * N(t, s))
bound = at_p <= F * at_q + delta

Claim(
    id="D24", source=paper("distribution-privacy", "Theorem 3"), result=REPAIRED,
    words="If A#(lambda)[y] <= beta with a chance of at least 1 - eta for y drawn from A#(lambda), "
          "for both, the tupling mechanism is (epsilon_alpha, delta_alpha)-private for them",
    open="that independent dummies satisfy f_t and g_t, which are hypotheses of what is corrected",
    printed=refuted(
        words="24 letters and one dummy: delta is 121/144, promised are 5/6 + 2 e^(-49/8)",
        given={"laws": laws, "letters": letters, "one dummy": k == 1, "alpha": smaller,
               "Lambda": light_p >= 1 - eta and light_q >= 1 - eta},
        statement=total(maximum(one_p - E * one_q, 0), y, s) <= delta, instance=instance(
            k=1, m=24, beta=1/60, alpha=7/240, eta=5/6, Y=whole_numbers(1, 24), p=p_24, q=q_24),
    ),
    corrected=proved(
        words="With k (1 - eta) in place of k in the denominator of e^epsilon_alpha it holds",
        given={"laws": laws, "f": light_f, "g": light_g, "event": event, "channel": channel,
               "epsilon": F * (k * (1 - eta) - alpha * m) == k + (alpha + beta) * m,
               "letters": letters, "means": means, "f_t": dummies_f, "g_t": dummies_g},
        example=two_dummies, statement=bound, steps=[
            step("less", total(f(y), y) <= total(p(y), y), termwise(arithmetic("f"), y)),
            step("over", total(c * f_t * over, t) <= tail, theorem("F37b", {
                "v": maps(y, f(y)), "w": w, "a": 0, "top": beta, "L": L_f},
                "f", "letters", "means", "f_t", "less", "laws")),
            step("under", total(c * f_t * under, t) <= tail, theorem("F37b", {
                "v": maps(y, -g(y)), "w": w, "a": -beta, "top": 0, "L": L_g},
                "g", "letters", "means", "g_t", "less", "laws")),
            step("pair", bound, theorem("F37c", {"r": tail}, "f", "g", "event", "channel",
                                        "epsilon", "over", "under", "laws")),
        ],
    ),
    breaks=[
        edit("drop f_t", "over"),
        edit("drop laws", "over"),
        edit("delta = 1", "the counterexample"),
    ],
)
