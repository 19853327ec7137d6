"""F43: the losses of two coordinates that are independent given the secret add up exactly.

They may be releases of fresh draws of X; more than two are two and two. If a loss is infinite, so
is the sum: A may be as large as one likes, also where q1(c) is 0.

Symbols:
A, B: e^epsilon of the two coordinates
y, z, c, d: outputs of them
p1, p2: their densities, or masses, under the one secret
q1, q2: those under the other
"""
from pfverify.proof.language import *

(A, B), (c, d), (y, z) = positive("A B"), constants("c d"), variables("y z")
p1, p2, q1, q2 = masses("p1 p2 q1 q2")
whole = p1(y) * p2(z) <= A * B * (q1(y) * q2(z))
more = A * B * (q1(c) * q2(d)) < p1(c) * p2(d)

Claim(
    id="F43", source=paper("design", "F43"), result=PROVED,
    words="For one order of the secrets, p1 <= A q1 and p2 <= B q2 at all outputs give p1 p2 <= "
          "A B q1 q2 at all pairs of outputs",
    printed=proved(
        given={"first": p1(y) <= A * q1(y), "second": p2(z) <= B * q2(z)},
        example=instance(A=2, B=3, p1={"else": 2}, q1={"else": 1}, p2={"else": 3}, q2={"else": 1}),
        statement=whole,
        steps=[
            step("one", p1(y) * p2(z) <= A * q1(y) * p2(z), arithmetic("first")),
            step("two", A * q1(y) * p2(z) <= A * q1(y) * (B * q2(z)), arithmetic("second")),
            step("all", whole, arithmetic("one", "two")),
        ],
    ),
    tighter=proved(
        words="an output c with p1 > A q1 and an output d with p2 > B q2 give p1 p2 > A B q1 q2 at "
              "(c, d): no smaller factor than the product of the two will do",
        given={"first": A * q1(c) < p1(c), "second": B * q2(d) < p2(d)},
        example=instance(A=2, B=3, c=0, d=0, p1={0: 1}, q1={}, p2={0: 1}, q2={0: 1/4}),
        statement=more,
        steps=[
            step("one", A * q1(c) * p2(d) < p1(c) * p2(d), arithmetic("first", "second")),
            step("two", A * q1(c) * (B * q2(d)) <= A * q1(c) * p2(d), arithmetic("second")),
            step("all", more, arithmetic("one", "two")),
        ],
    ),
    breaks=[
        edit("whole = p1(y) * p2(z) <= A * (q1(y) * q2(z))", "all"),
        edit("drop second", "two"),
    ],
)
