"""(4): under the map T the coupling identity (2) is one integral over the first prior."""
from pfverify.proof.language import *

b, E, s_i, s_j = positive("b E s_i s_j")
m_i, m_j = constants("m_i m_j")
x, v = variables("x v")
y = indices("y", "Y")
B = masses("B")  # the outputs in the event, each with its noise weight
f = total(B(y) * exp(-abs(y - v) / b), y)  # the chance of the event from v
first, second = normal_pdf(x, m_i, s_i), normal_pdf(v, m_j, s_j)
T = m_j + s_j / s_i * (x - m_i)
P = integral(first * at(f, {v: x}), x, -oo, oo)
Q, moved = integral(second * f, v, -oo, oo), integral(first * at(f, {v: T}), x, -oo, oo)
reduced = integral(first * (at(f, {v: x}) - E * at(f, {v: T})), x, -oo, oo)

Claim(
    id="G04", source=paper("gaussian-priors", "(4)"), result=PROVED,
    words="Under the coupling x' = T(x), P(B|s_i) - e^epsilon P(B|s_j) is the integral over the "
          "prior of s_i of the noise's chance of B at x less e^epsilon times that at T(x)",
    printed=proved(
        given={"chance": f <= 1},
        example=instance(b=1, E=2, s_i=1, s_j=2, m_i=0, m_j=1, Y=[0], B={0: 1/2}),
        statement=P - E * Q == reduced,
        steps=[
            step("positive", 0 <= exp(-abs(y - v) / b), arithmetic()),
            step("f >= 0", 0 <= f, integrate("positive", y, weight=B(y))),
            step("all of it", integral(first, x, -oo, oo) == 1,
                 antiderivative(normal_cdf(x, m_i, s_i))),
            step("below", abs(first * at(f, {v: x})) <= first,
                 arithmetic(use("chance", {v: x}), use("f >= 0", {v: x}))),
            step("P", abs(P) <= integral(first, x, -oo, oo), dominated("below")),
            step("below at T", abs(first * at(f, {v: T})) <= first,
                 arithmetic(use("chance", {v: T}), use("f >= 0", {v: T}))),
            step("at T", abs(moved) <= integral(first, x, -oo, oo), dominated("below at T")),
            step("Q", Q == moved, change_variable(s_j / s_i, m_j - s_j / s_i * m_i)),
            step("both", abs(first * (at(f, {v: x}) - E * at(f, {v: T}))) <= (1 + E) * first,
                 arithmetic("below", "below at T")),
            step("bound", integral((1 + E) * first, x, -oo, oo) == 1 + E,
                 antiderivative((1 + E) * normal_cdf(x, m_i, s_i))),
            step("reduced", abs(reduced) <= integral((1 + E) * first, x, -oo, oo),
                 dominated("both")),
            step("linear", P - E * moved == reduced, identity()),
            step("all", P - E * Q == reduced, arithmetic("linear", "Q")),
        ],
    ),
)
