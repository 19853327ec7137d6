"""Section 2.1: a cheapest plan can reach farther than W-infinity, the plan (6) does not."""
from pfverify.proof.language import *
from settings.longest_step import *

t, (a, b), (rho, height) = positive("t"), indices("a b", "X"), masses("rho height")
first_prior = total(rho(x, z), z) == total(pi(x, z), z)
second_prior = total(rho(x, z), x) == total(pi(x, z), x)
rho_near, pi_near = rho(x, z) == 0 or abs(x - z) <= t, pi(a, b) == 0 or abs(a - b) <= t
shift = {(0, 1): 1/2, (1, 2): 1/2}
any_cheapest = refuted(
    words="Any cheapest plan (its cost is that of a 1-Lipschitz potential)",
    given={"first prior": first_prior, "second prior": second_prior, "near": rho_near,
           "Lipschitz": height(z) - height(x) <= abs(x - z),
           "cheapest": pi(x, z) == 0 or height(z) - height(x) == abs(x - z)}, statement=pi_near,
    instance=instance(t=1, X=[0, 1, 2], height={0: 0, 1: 1, 2: 2},
                      pi={(0, 2): 1/2, (1, 1): 1/2}, rho=shift),
)
the_plan_6 = proved(
    words="The plan (6): if any plan moves no mass farther than t, neither does it",
    given={"first prior": first_prior, "second prior": second_prior, "near": rho_near,
           "(6)": at(J == minimum(F, G), {u: a, v: a + t})
           and at(J == minimum(F, G), {u: b + t, v: b})},
    example=instance(t=1, X=[0, 1, 2], pi=shift, rho=shift), statement=pi_near, steps=[
        step("bounds", F <= at(G, {v: u + t}) and G <= at(F, {u: v + t}), theorem(
            "F15", {}, "first prior", "second prior", "near")),
        step("pair", at(above, {x: a, z: b}) <= F - J and at(beside, {x: a, z: b}) <= G - J,
             theorem("F14", {"a": a, "b": b})),
        step("reach", pi_near, arithmetic(
            "(6)", use("bounds", {u: a, v: b}), use("pair", {u: a, v: a + t}),
            use("pair", {u: b + t, v: b}))),
    ],
)
Claim(
    id="M05", source=paper("multi-user", "Section 2.1"), result=BOTH_READINGS,
    words="The plan of the W1 mechanism reaches no farther than that of the W-infinity mechanism",
    readings=[any_cheapest, the_plan_6],
    breaks=[
        edit("drop near", "bounds", instance(t=1, X=[0, 2], pi={(0, 2): 1}, rho={(0, 2): 1})),
    ],
)
