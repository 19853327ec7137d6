"""(4): under the map T the coupling identity (2) is one integral over the first prior."""
from pfverify.proof.language import *

E, s_i, s_j = positive("E s_i s_j")
m_i, m_j = constants("m_i m_j")
x, v = variables("x v")
c = masses("c")
T = m_j + s_j / s_i * (x - m_i)
here, there = c(x), c(T)  # the chance of the event from x and T(x), with noise of any law
first, second = normal_pdf(x, m_i, s_i), normal_pdf(v, m_j, s_j)
P, Q = integral(first * here, x, -oo, oo), integral(second * c(v), v, -oo, oo)
moved, whole = integral(first * there, x, -oo, oo), integral((1 + E) * first, x, -oo, oo)
reduced = integral(first * (here - E * there), x, -oo, oo)

Claim(
    id="G04", source=paper("gaussian-priors", "(4)"), result=PROVED,
    words="Under the coupling x' = T(x), P(B|s_i) - e^epsilon P(B|s_j) is the integral over the "
          "prior of s_i of the noise's chance of B at x less e^epsilon times that at T(x)",
    printed=proved(
        given={"chance": c(v) <= 1},
        example=instance(E=2, s_i=1, s_j=2, m_i=0, m_j=1, c={"else": 1/2}),
        statement=P - E * Q == reduced,
        steps=[
            step("whole", whole == 1 + E, antiderivative((1 + E) * normal_cdf(x, m_i, s_i))),
            step("at x", abs(first * here) <= (1 + E) * first, arithmetic(use("chance", {v: x}))),
            step("P", abs(P) <= whole, dominated("at x")),
            step("at T", abs(first * there) <= (1 + E) * first,
                 arithmetic(use("chance", {v: T}))),
            step("moved", abs(moved) <= whole, dominated("at T")),
            step("Q", Q == moved, change_variable(s_j / s_i, m_j - s_j / s_i * m_i)),
            step("gap", abs(first * (here - E * there)) <= (1 + E) * first,
                 arithmetic(use("chance", {v: x}), use("chance", {v: T}))),
            step("reduced", abs(reduced) <= whole, dominated("gap")),
            step("linear", P - E * moved == reduced, identity()),
            step("all", P - E * Q == reduced, arithmetic("linear", "Q")),
        ],
    ),
    breaks=[
        edit("drop chance", "at x", instance(E=2, s_i=1, s_j=2, m_i=0, m_j=1, c={0: 4}), {x: 0}),
        edit("T = m_j + x - m_i", "Q"),
    ],
)
