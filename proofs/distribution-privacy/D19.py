"""Section 5.2.2: the Laplace mechanism hides laws up to epsilon times their W-infinity distance."""
from pfverify.proof.language import *
from settings.channels import *

(epsilon, W), v, u, (Z, d) = positive("epsilon W"), variables("v"), functions("u"), masses("Z d")
far = epsilon / 2 * exp(-epsilon * abs(v - x))  # the density at v on the input x
near, grow, score = at(far, {x: z}), exp(epsilon * W), exp(epsilon * u(x, y) / 2)
half, e_d, score_z = exp(epsilon * d(x, z) / 2), exp(epsilon * d(x, z)), at(score, {x: z})
from_P, from_Q = total(P(x) * far, x), total(Q(z) * near, z)

Claim(
    id="D19", source=paper("distribution-privacy", "Section 5.2.2"), result=PROVED,
    words="The Laplace mechanism (densities) and the exponential mechanism provide (epsilon, "
          "W_inf, 0)-XDistP: a coupling without moves over W leaves a factor e^(epsilon W)",
    printed=proved(
        given={"first": first, "second": second, "W": gamma(x, z) == 0 or abs(x - z) <= W},
        example=instance(epsilon=1, W=1, X=[0, 1, 2], P={0: 1/2, 1: 1/2}, Q={1: 1/2, 2: 1/2},
                         gamma={(0, 1): 1/2, (1, 2): 1/2}), statement=from_P <= grow * from_Q,
        steps=[
            step("pair", gamma(x, z) == 0 or far <= grow * near, arithmetic("W")),
            step("laws", from_P <= grow * from_Q, theorem("F28", {"pi": gamma, "f": maps(x, far),
                 "g": maps(z, -grow * near), "c": maps(x, z, 0)}, "first", "second", "pair")),
        ],
    ),
    tighter=proved(
        words="The exponential mechanism, where no score changes by more than d(x_0, x_1)",
        given={"A": A(x, y) * Z(x) == score and Z(x) == total(score, y), "first": first,
               "second": second, "W": gamma(x, z) == 0 or d(x, z) <= W,
               "d": abs(u(x, y) - u(z, y)) <= d(x, z)},
        example=instance(epsilon=1, W=1, X=[0, 1], Y=[0], P={0: 1}, Q={1: 1}, gamma={(0, 1): 1}, d={
            "else": 1}, u={(0, 0): 0, (1, 0): 1}, A={"else": 1}, Z={0: 1, 1: exp(1/2)}),
        statement=p <= grow * q, steps=[
            step("sum", total(score_z, y) <= half * total(score, y), termwise(arithmetic("d"), y)),
            step("d_1", score <= half * score_z, arithmetic("d")),
            step("XDP", A(x, y) <= e_d * A(z, y), arithmetic("A", use("A", {x: z}), "sum", "d_1")),
            step("pair", gamma(x, z) == 0 or A(x, y) <= grow * A(z, y), arithmetic("W", "XDP")),
            step("laws", p <= grow * q, theorem("F28", {"pi": gamma, "c": maps(x, z, 0), "f": maps(
                x, A(x, y)), "g": maps(z, -grow * A(z, y))}, "first", "second", "pair")),
        ],
    ),
    breaks=[
        edit("drop W", "pair", instance(epsilon=1, W=1, X=[0, 2], P={0: 1}, Q={2: 1},
                                        gamma={(0, 2): 1}), {v: 0}),
        edit("drop second", "laws", instance(epsilon=1, W=1, X=[0, 2], P={0: 1}, Q={2: 1},
                                             gamma={(0, 0): 1}), {v: 0}),
    ],
)
