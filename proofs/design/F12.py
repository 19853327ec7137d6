"""F12: discrete Laplace noise has the ratios of Laplace noise at lattice points, not its delta."""
from pfverify.proof.language import *

theta, h, E = positive("theta h E")
y = variables("y")
x = indices("x", "X")
P, Q = masses("P Q")
t = exp(-h / theta)
density = exp(-abs(y - x) / theta) / (2 * theta)
mass = (1 - t) / (1 + t) * t ** (abs(y - x) / h)
p, q = total(P(x) * density, x), total(Q(x) * density, x)
p_h, q_h = total(P(x) * mass, x), total(Q(x) * mass, x)
factor = 2 * theta * (1 - t) / (1 + t)

Claim(
    id="F12", source=paper("design", "F12"), result=PROVED,
    words="At lattice points the discrete release is a fixed multiple of the continuous one",
    printed=proved(
        statement=p <= E * q and p_h <= E * q_h or p > E * q and p_h > E * q_h,
        steps=[
            step("t < 1", t < 1, arithmetic()),
            step("factor", factor > 0, arithmetic("t < 1")),
            step("same sign", p_h - E * q_h == factor * (p - E * q), termwise(identity(), x)),
            step("same verdict", p <= E * q and p_h <= E * q_h or p > E * q and p_h > E * q_h,
                 arithmetic("same sign", "factor")),
        ],
    ),
    tighter=proved(
        words="with delta they differ: delta_0 against delta_1, t = 1/4, epsilon = 0, delta 11/20",
        statement=verdict("Laplace", "certified") and verdict("discrete Laplace", "refuted"),
        steps=[
            step("Laplace", verdict("Laplace", "certified"), certificate(
                problem({0: 1}, {1: 1}, epsilon=0, delta=11/20, scale="1/log(4)"))),
            step("discrete Laplace", verdict("discrete Laplace", "refuted"), certificate(
                problem({0: 1}, {1: 1}, epsilon=0, delta=11/20, scale="1/log(4)", step=1))),
        ],
    ),
    breaks=[
        edit("factor = 2 * theta", "same sign", instance(
            theta=1, h=1, E=2, X=[0], P={0: 1}, Q={}), {y: 1}),
        edit("t = exp(-2 * h / theta)", "same sign", instance(
            theta=1, h=1, E=2, X=[0], P={0: 1}, Q={}), {y: 1}),
    ],
)
