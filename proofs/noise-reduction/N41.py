"""Remark 5.2: its conditions do not make the reduction significant."""
from pfverify.proof.language import *

(theta, epsilon, delta), (x, z) = positive("theta epsilon delta"), indices("x z", "X")
(o, n, c), (P, Q, pi) = member("o n c", "X"), masses("P Q pi")  # o and n: the letters 0 and n
excess, theta_1 = exp(abs(x - z) / theta) - exp(epsilon), (n - o) / epsilon
column, not_n = total(pi(x, z) * excess, x), 1 - indicator(z - n)
inner = implies(o < x and x < n, P(x) < delta and Q(x) < delta)
form = (implies(z != n, pi(o, z) == Q(z)) and implies(x != o, pi(x, n) == P(x))
        and pi(o, n) == delta and implies(x != o and z != n, pi(x, z) == 0))
bound = implies(Q(z) > 0 and z < n, theta_1 - theta <= (n - z) / epsilon)
p, q = {0: 5001/10000, 10: 4999/10000}, {0: 49999/100000, 9: 1/100000, 10: 1/2}

Claim(
    id="N41", source=paper("noise-reduction", "Remark 5.2"), result=REPAIRED,
    open="what 'significant' means is not printed: here a tenth",
    words="If delta = P(0) + Q(n) - 1 is small and positive and the inner letters have less mass, "
          + "the reduction is significant, say more than a tenth of theta_1",
    printed=refuted(
        words="n = 10, delta = 1/10000: the largest root is 18, of column 9, where theta_1 is 20",
        given={"(1)": P(o) - (1 - Q(n)) == delta and delta <= 1/10000, "(2)": inner, "form": form,
               "scale": column <= 0 and at(column, {z: c}) == 0 and pi(o, c) > 0 and c != o},
        statement=theta_1 - theta > theta_1 / 10,
        instance=instance(X=whole_numbers(0, 10), o=0, n=10, c=9, epsilon=1/2, theta=18,
                          delta=1/10000, P=p, Q=q, pi=plan(p, q)),
    ),
    corrected=proved(
        words="Whatever delta is, the reduction is at most (n - z) / epsilon if Q(z) > 0 and "
              + "z < n: with z = n - 1 at most theta_1 / n",
        given={"form": form, "(11)": column <= 0}, statement=bound,
        example=instance(X=[0, 1, 2], o=0, n=2, epsilon=1, theta=2, delta=1/2, P={0: 1},
                         Q={1: 1/2, 2: 1/2}, pi={(0, 1): 1/2, (0, 2): 1/2}),
        steps=[
            step("row 0 only", implies(x != o, pi(x, z) * not_n == 0), arithmetic("form")),
            step("one pair", column * not_n == pi(o, z) * not_n * at(excess, {x: o}),
                 single("row 0 only", x, weight=excess)),
            step("reduction", bound, arithmetic("one pair", "(11)", "form")),
        ],
    ),
    breaks=[
        edit("drop (11)", "reduction", instance(
            X=[0, 1, 2], o=0, n=2, epsilon=1, theta=1/10, delta=1/2, P={0: 1}, Q={1: 1/2, 2: 1/2},
            pi={(0, 1): 1/2, (0, 2): 1/2})),
        edit("drop form", "row 0 only", instance(
            X=[0, 1, 2], o=0, n=2, epsilon=1, theta=1/10, delta=1/4, P={1: 1/2, 2: 1/2},
            Q={1: 1/2, 2: 1/2}, pi={(1, 1): 1/2, (2, 2): 1/2})),
    ],
)
