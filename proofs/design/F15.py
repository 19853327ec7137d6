"""F15: a plan that moves no mass farther than t bounds one distribution function by the other."""
from pfverify.proof.language import *

t, (u, v) = positive("t"), variables("u v")
x, z = indices("x z", "X")
pi, rho = masses("pi rho")
low, left = indicator(u - x), indicator(v - z)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
F_rho, G_rho = total(rho(x, z) * low, x, z), total(rho(x, z) * left, x, z)

Claim(
    id="F15", source=paper("design", "F15"), result=PROVED,
    words="If a plan of the same two priors moves no mass farther than t, then F(u) <= G(u + t) "
          "and G(v) <= F(v + t) for their distribution functions F and G",
    printed=proved(
        given={"first prior": total(rho(x, z), z) == total(pi(x, z), z),
               "second prior": total(rho(x, z), x) == total(pi(x, z), x),
               "near": rho(x, z) == 0 or abs(x - z) <= t},
        example=instance(t=1, X=[0, 1, 2], pi={(0, 2): 1/2, (1, 1): 1/2},
                         rho={(0, 1): 1/2, (1, 2): 1/2}),
        statement=F <= at(G, {v: u + t}) and G <= at(F, {u: v + t}),
        steps=[
            step("up", rho(x, z) * low <= rho(x, z) * at(left, {v: u + t}), arithmetic("near")),
            step("F <= G", F_rho <= at(G_rho, {v: u + t}), integrate("up", x, z)),
            step("down", rho(x, z) * left <= rho(x, z) * at(low, {u: v + t}), arithmetic("near")),
            step("G <= F", G_rho <= at(F_rho, {u: v + t}), integrate("down", x, z)),
            step("F", F_rho == F, integrate("first prior", x, weight=low)),
            step("G", G_rho == G, integrate("second prior", z, weight=left)),
            step("first", F <= at(G, {v: u + t}), arithmetic("F <= G", "F", use("G", {v: u + t}))),
            step("second", G <= at(F, {u: v + t}), arithmetic("G <= F", "G", use("F", {u: v + t}))),
        ],
    ),
    breaks=[
        edit("drop near", "up", instance(t=1, X=[0, 2], pi={(0, 2): 1}, rho={(0, 2): 1}),
             {u: 0, v: 0}),
    ],
)
