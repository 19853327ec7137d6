"""F45: the ratio of masses of cells that hold points, between two neighbouring atoms.

With discrete Laplace noise a point y between the atoms has the masses A u(y) + B d(y) and
C u(y) + D d(y), u(y) = s e^(y/theta) and d(y) = s e^(-y/theta): w(y) is s in the cell, else 0.

Symbols:
theta: the scale
A, B: what the atoms before and after give to p
C, D: what they give to q
y, z: points of the first and of the second cell
w: the share of a point that is in a cell
"""
from pfverify.proof.language import *

theta, (A, B, C, D) = positive("theta"), constants("A B C D")
y, z, w = indices("y", "Before"), indices("z", "After"), masses("w")
up, down = w(y) * exp(y / theta), w(y) * exp(-y / theta)
u_I, d_I = total(up, y), total(down, y)
u_J, d_J = total(w(z) * exp(z / theta), z), total(w(z) * exp(-z / theta), z)
p_I, q_I, p_J, q_J = A * u_I + B * d_I, C * u_I + D * d_I, A * u_J + B * d_J, C * u_J + D * d_J
turn = u_J * d_I - u_I * d_J

Claim(
    id="F45c", source=paper("design", "F45"), result=PROVED,
    words="Of two ordered cells I, J of finitely many points, p(J) q(I) - p(I) q(J) is A D - B C "
          "times a factor >= 0: over ordered cells of a gap the ratio of masses is monotone",
    printed=proved(
        given={"ordered": y <= z},
        example=instance(theta=1, A=1, B=2, C=2, D=1, Before=[0, 1], After=[2, 3],
                         w={"else": 1/4}),
        statement=p_J * q_I - p_I * q_J == (A * D - B * C) * turn and 0 <= turn,
        steps=[
            step("cross", p_J * q_I - p_I * q_J == (A * D - B * C) * turn, identity()),
            step("turn", u_I * d_J <= u_J * d_I, termwise(arithmetic(
                "ordered", hints=[exp((z - y) / theta), exp((y - z) / theta)]), y, z)),
            step("all", p_J * q_I - p_I * q_J == (A * D - B * C) * turn and 0 <= turn,
                 arithmetic("cross", "turn")),
        ],
    ),
    breaks=[
        edit("drop ordered", "turn", instance(
            theta=1, A=1, B=0, C=0, D=1, Before=[1], After=[0], w={"else": 1})),
    ],
)
