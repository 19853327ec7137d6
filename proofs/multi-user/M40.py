"""(26), (27): the mass of a small rectangle is four values of min(F, G), for the plan (6)."""
from pfverify.proof.language import *

a, b = indices("a b", "X")
u, v = indices("u v", "Cuts")  # any finite set of real numbers
x1, x2, z1, z2 = member("x1 x2 z1 z2", "Cuts")  # x, x + dx, x', x' + dx'
P, Q, pi = masses("P Q pi")
F, G = total(P(a) * indicator(u - a), a), total(Q(b) * indicator(v - b), b)
J = total(pi(a, b) * indicator(u - a) * indicator(v - b), a, b)
least = minimum(F, G)
rectangle = total(pi(a, b) * (indicator(x2 - a) * (1 - indicator(x1 - a)))
                  * (indicator(z2 - b) * (1 - indicator(z1 - b))), a, b)
four_26 = (at(J, {u: x2, v: z2}) - at(J, {u: x2, v: z1})
           - at(J, {u: x1, v: z2}) + at(J, {u: x1, v: z1}))
four_27 = (at(least, {u: x2, v: z2}) - at(least, {u: x2, v: z1})
           - at(least, {u: x1, v: z2}) + at(least, {u: x1, v: z1}))

Claim(
    id="M40", source=paper("multi-user", "(26), (27)"), result=PROVED,
    words="The plan's mass over x < X <= x + dx and x' < X' <= x' + dx' is the mixed difference of "
          "its distribution function, so that of min(F, G)",
    printed=proved(
        given={"ordered": x1 < x2 and z1 < z2, "plan": J == least},
        example=instance(X=[0, 1], Cuts=[0, 1], x1=0, x2=1, z1=0, z2=1, P={0: 1/2, 1: 1/2},
                         Q={0: 1/4, 1: 3/4}, pi={(0, 0): 1/4, (0, 1): 1/4, (1, 1): 1/2}),
        statement=rectangle == four_26 and rectangle == four_27,
        steps=[
            step("sides", (indicator(x2 - a) * (1 - indicator(x1 - a)))
                 * (indicator(z2 - b) * (1 - indicator(z1 - b)))
                 == (indicator(x2 - a) - indicator(x1 - a))
                 * (indicator(z2 - b) - indicator(z1 - b)), arithmetic("ordered")),
            step("(26)", rectangle == four_26, integrate("sides", a, b, weight=pi(a, b))),
            step("(27)", rectangle == four_26 and rectangle == four_27,
                 arithmetic("(26)", use("plan", {u: x2, v: z2}), use("plan", {u: x2, v: z1}),
                            use("plan", {u: x1, v: z2}), use("plan", {u: x1, v: z1}))),
        ],
    ),
    breaks=[
        edit("drop ordered", "sides", instance(
            X=[0, 1], Cuts=[0, 1], x1=1, x2=0, z1=0, z2=1, P={0: 1/2, 1: 1/2},
            Q={0: 1/4, 1: 3/4}, pi={(0, 0): 1/4, (0, 1): 1/4, (1, 1): 1/2})),
    ],
)
