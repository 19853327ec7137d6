"""(4): under the map T the coupling identity (2) is one integral over the first prior."""
from pfverify.proof.language import *

E, s_i, s_j = positive("E s_i s_j")
m_i, m_j = constants("m_i m_j")
x, v = variables("x v")
c = masses("c")
f = c(v)  # the chance of the event from v, with noise of any law
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
        example=instance(E=2, s_i=1, s_j=2, m_i=0, m_j=1, c={}),
        statement=P - E * Q == reduced,
        steps=[
            step("all of it", integral(first, x, -oo, oo) == 1,
                 antiderivative(normal_cdf(x, m_i, s_i))),
            step("below", abs(first * at(f, {v: x})) <= first,
                 arithmetic(use("chance", {v: x}))),
            step("P", abs(P) <= integral(first, x, -oo, oo), dominated("below")),
            step("below at T", abs(first * at(f, {v: T})) <= first,
                 arithmetic(use("chance", {v: T}))),
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
    breaks=[edit("drop chance", "below")],
)
