"""F51: the bound of the Markov quilt mechanism, for one quilt of a count.

w is what a quilt and all beyond it are, of laws A and B under two secrets, which differ as the
quilt does; given w and a secret the count is m(w) plus the n records near, of law P or Q.

Symbols:
theta: the scale
n: how many records are near
epsilon: the target
c: the influence of the quilt
y: an output
x, z: values of the count
w: a quilt and all beyond it
P, Q: masses of the count, given that
A, B: masses of the quilt under the two secrets
m: the count of what is not near
"""
from pfverify.proof.language import *

(theta, n, epsilon), c = positive("theta n epsilon"), constants("c")
y, (x, z), w = variables("y"), indices("x z", "X"), indices("w", "W")
(P, Q, A, B), m = masses("P Q A B"), functions("m")
E, kx, kz = exp(n / theta), exp(-abs(y - x) / theta), exp(-abs(y - z) / theta)
p_w, q_w = total(P(w, x) * kx, x), total(Q(w, z) * kz, z)
p, q = total(A(w) * p_w, w), total(B(w) * q_w, w)

Claim(
    id="F51", source=paper("design", "F51"), result=PROVED,
    words="If a quilt and what is beyond it is at most e^c times as likely under one secret as "
          "under the other, and n records are near, Laplace noise of scale n/(epsilon - c), "
          "c < epsilon, is epsilon-private for a count",
    printed=proved(
        given={"P is a law": total(P(w, x), x) == 1, "Q is a law": total(Q(w, z), z) == 1,
               "P near": P(w, x) == 0 or m(w) <= x and x <= m(w) + n,
               "Q near": Q(w, z) == 0 or m(w) <= z and z <= m(w) + n,
               "quilt": A(w) <= exp(c) * B(w), "scale": theta * (epsilon - c) == n},
        example=instance(theta=1, n=1, epsilon=2, c=1, X=[0, 1], W=[0], A={0: 1}, B={0: 1},
                         P={(0, 0): 1}, Q={(0, 1): 1}, m={0: 0}),
        statement=p <= exp(epsilon) * q,
        steps=[
            step("given w", p_w <= E * q_w, theorem(
                "F50", {"r": n, "m": m(w), "P": maps(x, P(w, x)), "Q": maps(z, Q(w, z))},
                "P is a law", "Q is a law", "P near", "Q near")),
            step("budget", exp(c) * E == exp(epsilon), arithmetic("scale")),
            step("near", A(w) * p_w <= A(w) * (E * q_w), arithmetic("given w")),
            step("far", A(w) * q_w <= exp(c) * B(w) * q_w,
                 integrate("quilt", z, weight=Q(w, z) * kz)),
            step("each w", A(w) * p_w <= exp(epsilon) * (B(w) * q_w),
                 arithmetic("near", "far", "budget")),
            step("all", p <= exp(epsilon) * q, termwise(arithmetic("each w"), w)),
        ],
    ),
    breaks=[
        edit("drop quilt", "far", instance(
            theta=1, n=1, epsilon=2, c=1, X=[0], W=[0, 1], A={0: 1}, B={1: 1},
            P={(0, 0): 1, (1, 0): 1}, Q={(0, 0): 1, (1, 0): 1}, m={"else": 0}), {w: 0, y: 0}),
        edit("drop P near", "given w", instance(
            theta=1, n=1, epsilon=2, c=1, X=[0, 9], W=[0], A={0: 1}, B={0: 1},
            P={(0, 9): 1}, Q={(0, 0): 1}, m={0: 0}), {w: 0, y: 9}),
        edit("drop scale", "budget"),
    ],
)
