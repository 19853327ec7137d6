"""Section 6.3: one dummy more leaves no larger quality loss: the nearest letter is no farther."""
from pfverify.proof.language import *
from settings.one_more_dummy import *

x, (P, A, d, near, closer) = indices("x", "X"), masses("P A d near closer")
a_t, a_l = total(N(t, y) * A(x, y), y), total(M(l, y) * A(x, y), y)
far, far_l = near(x, t), closer(x, l)  # from x to the nearest letter of t, of l
loss, loss_l = total(P(x) * c * a_t * far, x, t), total(P(x) * c_l * a_l * far_l, x, l)
nearest = total(N(t, y) * indicator(far - d(x, y)), y)  # the places of t that are so near
moved, part = total(D * a_t * far, t, j), total(D * a_t * far_l, t, j)

Claim(
    id="D28", source=paper("distribution-privacy", "Section 6.3"), result=PROVED,
    words="For a larger number k of dummies the expected quality loss of the tupling mechanism is "
          "smaller: not larger with k + 1 than with k",
    printed=proved(
        given={"places": places, "counts": counts, "without": without, "insert": insert,
               "kept": D == 0 or N(t, y) <= M(l, y), "far": nearest > 0,
               "far_l": M(l, y) == 0 or far_l <= d(x, y)}, statement=loss_l <= loss,
        example=instance(k=1, m=1, c=1/2, Y=[1], Tuples=[1], Longer=[1], Places=three, X=[0],
                         N={(1, 1): 2}, M={(1, 1): 3}, has=ones, drop=ones, P={0: 1},
                         A={(0, 1): 1}, d={(0, 1): 1}, near={(0, 1): 1}, closer={(0, 1): 1}),
        steps=[
            step("left", total(D * N(t, y), t, j) == left, integrate("without", j)),
            step("rest", rest, arithmetic("left", "places", "counts")),
            step("no place", nearest * D * maximum(far_l - far, 0) <= 0,
                 termwise(arithmetic("kept", "far_l"), y)),
            step("nearer", D * far_l <= D * far, arithmetic("no place", "far")),
            step("A", total(D * a_t, t, j) == (k + 1) * a_l, integrate("rest", y, weight=A(x, y))),
            step("0", 0 <= a_t, termwise(arithmetic(), y)),
            step("one", part <= moved, integrate("nearer", t, j, weight=a_t, using=["0"])),
            step("l", (k + 1) * a_l * far_l <= moved, arithmetic("one", "A")),
            step("all l", (k + 1) * total(a_l * far_l, l) <= total(moved, l), integrate("l", l)),
            step("insert t", total(moved, l) == (k + 2) * m * total(a_t * far, t),
                 integrate("insert", t, weight=a_t * far)),
            step("at x", c_l * total(a_l * far_l, l) <= c * total(a_t * far, t),
                 arithmetic("all l", "insert t")),
            step("losses", loss_l <= loss, integrate("at x", x, weight=P(x))),
        ],
    ),
    breaks=[
        edit("drop kept", "no place"), edit("drop insert", "insert t"), edit("drop far", "nearer"),
    ],
)
