"""(5)-(7): the difference of the two densities along a plan, bounded column by column."""
from pfverify.proof.language import *
from settings.releases import *

shift = exp((abs(y - z) - abs(y - x)) / theta)
bound = total(near * (grow - E) * pi(x, z), x, z)
five = p - E * q == total((far - E * near) * pi(x, z), x, z)
factored = total((far - E * near) * pi(x, z), x, z) == total(near * (shift - E) * pi(x, z), x, z)
six = total(near * (shift - E) * pi(x, z), x, z) <= bound
seven = bound == total(near * f, z)

Claim(
    id="N04", source=paper("noise-reduction", "(5)-(7)"), result=PROVED,
    words="For every plan on finitely many points: the two equations, the bound by the triangle "
          + "inequality, and its form by columns",
    meaning=meant,
    printed=proved(
        statement=five and factored and six and seven,
        steps=[
            step("(5)", five, identity()),
            step("kernel taken out", factored, identity()),
            step("(6)", six, termwise(arithmetic(), x, z, weight=pi(x, z))),
            step("(7)", seven, identity()),
        ],
    ),
    breaks=[
        edit("grow = exp(abs(x - z) / (2 * theta))", "(6)",
             instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
