"""W1 and W-infinity: a cheapest plan can reach too far, the plan without crossings never does."""
from pfverify.proof.language import *

t, (u, v), (x, z, a, b) = positive("t"), variables("u v"), indices("x z a b", "X")
(pi, rho), height = masses("pi rho"), functions("height")
first_prior = total(rho(x, z), z) == total(pi(x, z), z)
second_prior = total(rho(x, z), x) == total(pi(x, z), x)
rho_near, pi_near = rho(x, z) == 0 or abs(x - z) <= t, pi(a, b) == 0 or abs(a - b) <= t
low, left = indicator(u - x), indicator(v - z)  # x <= u, x' <= v
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J = total(pi(x, z) * low * left, x, z)
shift = {(0, 1): 1/2, (1, 2): 1/2}
any_cheapest = refuted(
    words="Any cheapest plan (its cost is that of a 1-Lipschitz potential)",
    given={"first prior": first_prior, "second prior": second_prior, "rho within t": rho_near,
           "Lipschitz": height(z) - height(x) <= abs(x - z),
           "cheapest": pi(x, z) == 0 or height(z) - height(x) == abs(x - z)}, statement=pi_near,
    instance=instance(t=1, X=[0, 1, 2], height={0: 0, 1: 1, 2: 2},
                      pi={(0, 2): 1/2, (1, 1): 1/2}, rho=shift),
)
without_crossings = proved(
    words="The plan without crossings: if any plan moves no mass farther than t, neither does it",
    given={"first prior": first_prior, "second prior": second_prior, "rho within t": rho_near,
           "no crossing": pi(x, z) * pi(a, b) == 0 or (x - a) * (z - b) >= 0},
    example=instance(t=1, X=[0, 1, 2], pi=shift, rho=shift), statement=pi_near,
    steps=[
        step("joint", J == minimum(F, G), theorem("F23", {}, "no crossing")),
        step("two values", at(J == minimum(F, G), {u: a, v: a + t})
             and at(J == minimum(F, G), {u: b + t, v: b}),
             arithmetic(use("joint", {u: a, v: a + t}), use("joint", {u: b + t, v: b}))),
        step("reach", pi_near, theorem("M05", {}, "first prior", "second prior", "rho within t",
                                       "two values", part="reading 2")),
    ],
)

Claim(
    id="N03", source=paper("noise-reduction", "Section 2"), result=BOTH_READINGS,
    words="The plan that minimises the mean distance also has the smallest largest distance",
    meaning=[total(pi(x, z), x, z) == 1],
    readings=[any_cheapest, without_crossings],
    breaks=[
        edit("drop no crossing", "joint",
             instance(t=1, X=[0, 1, 2], pi={(0, 2): 1/2, (1, 1): 1/2}, rho=shift)),
        edit("drop rho within t", "reach", instance(
            t=1, X=[0, 2], pi={(0, 2): 1}, rho={(0, 2): 1})),
        edit("drop first prior", "reach", instance(
            t=1, X=[0, 2], pi={(0, 2): 1}, rho={(2, 2): 1})),
    ],
)
