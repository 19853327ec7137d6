"""F28: what two potentials gain from two priors, every coupling of the priors pays."""
from pfverify.proof.language import *

x, z = indices("x z", "X")
P, Q, pi = masses("P Q pi")
f, g, c = functions("f g c")
gain = total(f(x) * P(x), x) + total(g(z) * Q(z), z)

Claim(
    id="F28", source=paper("design", "F28"), result=PROVED,
    words="If f(x) + g(x') <= c(x, x') wherever a coupling of P and Q has mass, the means of f "
          "under P and of g under Q add up to at most the coupling's cost (weak duality)",
    printed=proved(
        given={"rows": total(pi(x, z), z) == P(x), "columns": total(pi(x, z), x) == Q(z),
               "potentials": pi(x, z) == 0 or f(x) + g(z) <= c(x, z)},
        example=instance(X=[0, 1], P={0: 1/2, 1: 1/2}, Q={1: 1}, pi={(0, 1): 1/2, (1, 1): 1/2},
                         f={0: 1, 1: 0}, g={0: -1, 1: 0}, c={(0, 1): 1, "else": 0}),
        statement=gain <= total(pi(x, z) * c(x, z), x, z),
        steps=[
            step("pairs", total(pi(x, z) * (f(x) + g(z)), x, z) <= total(pi(x, z) * c(x, z), x, z),
                 termwise(arithmetic("potentials"), x, z)),
            step("P", total(pi(x, z) * f(x), x, z) == total(f(x) * P(x), x),
                 integrate("rows", x, weight=f(x))),
            step("Q", total(pi(x, z) * g(z), x, z) == total(g(z) * Q(z), z),
                 integrate("columns", z, weight=g(z))),
            step("cost", gain <= total(pi(x, z) * c(x, z), x, z), arithmetic("pairs", "P", "Q")),
        ],
    ),
    breaks=[
        edit("drop potentials", "pairs", instance(
            X=[0], P={0: 1}, Q={0: 1}, pi={(0, 0): 1}, f={0: 1}, g={0: 0}, c={(0, 0): 0})),
        edit("drop rows", "P", instance(
            X=[0], P={0: 1}, Q={}, pi={}, f={0: 1}, g={0: 0}, c={(0, 0): 1})),
        edit("drop columns", "Q", instance(
            X=[0], P={}, Q={0: 1}, pi={}, f={0: 0}, g={0: 1}, c={(0, 0): 1})),
    ],
)
