"""Section 6.2: with more dummies tupling tells less, as one dummy more is put in at random."""
from pfverify.proof.language import *
from settings.one_more_dummy import *

(F, alpha, beta, r), delta, (p, q) = positive("F alpha beta r"), constants("delta"), masses("p q")
p_t, p_l = total(N(t, y) * (p(y) - F * q(y)), y), total(M(l, y) * (p(y) - F * q(y)), y)
worst_t, worst_l = maximum(p_t, 0), total(maximum(p_l, 0), l)  # p_t: in excess of e^epsilon q's
of_t, moved, more = total(D * p_t, t, j), total(D * worst_t, t, j), {k: k + r}
E, delta_k = (k + (alpha + beta) * m) / (k - alpha * m), 2 * exp(-2 * alpha**2 / (k * beta**2))
printed = implies(alpha * m < k, at(E, more) <= E and delta_k < at(delta_k, more))

Claim(
    id="D27", source=paper("distribution-privacy", "Section 6.2"), result=PROVED,
    words="For a larger number k of dummies DistP is stronger: what is (epsilon, delta)-private "
          "with k dummies is so with k + 1",
    symbols={"F": "e^epsilon"},
    printed=proved(
        given={"places": places, "counts": counts, "without": without, "insert": insert,
               "DistP": total(c * worst_t, t) <= delta},
        example=instance(k=1, m=1, c=1/2, F=1, delta=0, Y=[1], Tuples=[1], Longer=[1], Places=three,
                         N={(1, 1): 2}, M={(1, 1): 3}, has=ones, drop=ones, p={1: 1}, q={1: 1}),
        statement=c_l * worst_l <= delta,
        steps=[
            step("left", total(D * N(t, y), t, j) == left, integrate("without", j)),
            step("rest", rest, arithmetic("left", "places", "counts")),
            step("p_l", of_t == (k + 1) * p_l, integrate("rest", y, weight=p(y) - F * q(y))),
            step("0", 0 <= moved, termwise(arithmetic(), t, j)),
            step("one", of_t <= moved, termwise(arithmetic(), t, j)),
            step("l", (k + 1) * maximum(p_l, 0) <= moved, arithmetic("p_l", "one", "0")),
            step("all l", (k + 1) * worst_l <= total(moved, l), integrate("l", l)),
            step("insert t", total(moved, l) == (k + 2) * m * total(worst_t, t),
                 integrate("insert", t, weight=worst_t)),
            step("DistP of l", c_l * worst_l <= delta, arithmetic("all l", "insert t", "DistP")),
        ],
    ),
    tighter=proved(
        words="For a fixed alpha the printed epsilon_alpha falls with k, but delta_alpha rises",
        statement=printed, steps=[step("numbers", printed, arithmetic())],
    ),
    breaks=[
        edit("drop insert", "insert t"), edit("drop without", "left"),
        edit("drop DistP", "DistP of l"),
    ],
)
