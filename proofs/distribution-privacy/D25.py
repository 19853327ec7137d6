"""Section 6.2: beta = 1 takes all distributions in, a smaller beta fewer, with a better bound."""
from pfverify.proof.language import *
from settings.tupling import *

wider, x = positive("wider"), indices("x", "X")
P, A = masses("P A")
out = total(P(x) * A(x, y), x)
inside = total(indicator(beta - out), y) >= (1 - eta) * m  # P is in Lambda_(beta, eta, A)
everyone, to_wider = at(inside, {beta: 1}), {beta: wider}
fewer = implies(beta <= wider, implies(inside, at(inside, to_wider)))
better = implies(beta <= wider, E <= at(E, to_wider) and delta <= at(delta, to_wider))

Claim(
    id="D25", source=paper("distribution-privacy", "Section 6.2"), result=PROVED,
    words="Lambda_(1, eta, A) holds every distribution; for a smaller beta Lambda_(beta, eta, A) "
          "is smaller, and so are epsilon_alpha and delta_alpha of Theorem 3",
    symbols={"wider": "beta'"},
    printed=proved(
        given={"channel": total(A(x, y), y) == 1, "law": total(P(x), x) == 1,
               "letters": total(1, y) == m, "alpha": alpha * m < k, "eta": eta >= 0},
        example=instance(k=3, m=2, alpha=1, beta=3/4, wider=1, eta=0, X=[0, 1], Y=[0, 1],
                         P={0: 1/2, 1: 1/2}, A={(0, 0): 1, (1, 1): 1}),
        statement=everyone and fewer and better,
        steps=[
            step("mass", 0 <= A(x, y), arithmetic()),
            step("at most 1", A(x, s) <= total(A(x, y), y), one_term("mass", {y: s})),
            step("out", out <= total(P(x), x),
                 termwise(arithmetic(use("at most 1", {s: y}), "channel"), x)),
            step("counted", total(1, y) <= total(indicator(1 - out), y),
                 termwise(arithmetic("out", "law"), y)),
            step("everyone", everyone, arithmetic("counted", "letters", "eta")),
            step("more", implies(beta <= wider, total(indicator(beta - out), y)
                                 <= total(indicator(wider - out), y)), termwise(arithmetic(), y)),
            step("fewer", fewer, arithmetic("more")),
            step("smaller", implies(beta <= wider, 1 / wider**2 <= 1 / beta**2), arithmetic()),
            step("better", better, arithmetic("alpha", "smaller")),
            step("all", everyone and fewer and better, arithmetic("everyone", "fewer", "better")),
        ],
    ),
    breaks=[
        edit("drop alpha", "better", instance(
            k=1, m=2, alpha=1, beta=1/2, wider=1, eta=0, X=[0], Y=[0, 1], P={0: 1},
            A={(0, 0): 1})),
        edit("drop law", "counted", instance(
            k=3, m=1, alpha=1, beta=1/2, wider=1, eta=0, X=[0], Y=[0], P={0: 2}, A={(0, 0): 1})),
    ],
)
