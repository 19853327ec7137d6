"""F40: the densities of Laplace releases of one X, joined to what they show, on a lattice."""
from pfverify.proof.language import *
from settings.likelihoods import *

D = P(x) - E * Q(x)
above = maximum(total(D * exp(-kappa * abs(x - i)), x), 0)
of_one = ((1 - t) * total(above, i) + t * (at(above, {i: o}) + at(above, {i: n}))) / (1 + t)

Claim(
    id="F40k", source=paper("design", "F40"), result=PROVED,
    words="With a delta, the excess of Laplace releases on a lattice whose 1/scale add up to at "
          "most kappa on every path of outputs is at most that of one release of scale 1/kappa "
          "there; so is that of one release of a larger scale",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h), "spent": spent,
               "density": density, "f": L_i == f(j, i), "beside": beside,
               "at most": at_most, "laws": laws, "g": g(j) == total(D * f(j, x), x)},
        example=instance(kappa=1, h=1, E=2, most=1, X=[0], o=0, n=0, P={0: 1}, Q={0: 1}, g={0: -1},
                         S=law({0: 1}), f={"else": 1}, u={"else": 1}, d={"else": 1}, L={"else": 1},
                         Releases=[1], w={"else": 0}, a={"else": 0}, c={"else": 1}),
        statement=mean(maximum(g(j), 0), j) <= of_one,
        steps=[
            step("bent", bent, theorem("F40d", as_F40d, "spent")),
            step("bends", bends, arithmetic(
                use("bent", {v: i}), use("density", {v: i}), use("density", {v: i + h}),
                use("density", {v: i - h}))),
            step("all", mean(maximum(g(j), 0), j) <= of_one, theorem(
                "F40c", {}, "window", "bends", "f", "beside", "at most", "laws", "g")),
        ],
    ),
    breaks=[
        edit("drop spent", "bent"), edit("drop density", "bends"), edit("drop laws", "all"),
    ],
)
