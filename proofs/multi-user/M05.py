"""Section 2.1: a cheapest plan can reach farther than W-infinity, the plan (6) does not."""
from pfverify.proof.language import *

t = positive("t")
u, v = variables("u v")
x, z, a, b = indices("x z a b", "X")
pi, rho, height = masses("pi rho height")
low, left = indicator(u - x), indicator(v - z)  # x <= u, x' <= v
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J = total(pi(x, z) * low * left, x, z)
F_rho, G_rho = total(rho(x, z) * low, x, z), total(rho(x, z) * left, x, z)
first_prior = total(rho(x, z), z) == total(pi(x, z), z)
second_prior = total(rho(x, z), x) == total(pi(x, z), x)
rho_near, pi_near = rho(x, z) == 0 or abs(x - z) <= t, pi(a, b) == 0 or abs(a - b) <= t
plan_6 = J == minimum(F, G)
shift = {(0, 1): 1/2, (1, 2): 1/2}
any_cheapest = refuted(
    words="Any cheapest plan (its cost is that of a 1-Lipschitz potential)",
    given={"first prior": first_prior, "second prior": second_prior, "near": rho_near,
           "Lipschitz": height(z) - height(x) <= abs(x - z),
           "cheapest": pi(x, z) == 0 or height(z) - height(x) == abs(x - z)},
    statement=pi_near,
    instance=instance(t=1, X=[0, 1, 2], height={0: 0, 1: 1, 2: 2},
                      pi={(0, 2): 1/2, (1, 1): 1/2}, rho=shift),
)
the_plan_6 = proved(
    words="The plan (6): if any plan moves no mass farther than t, neither does it",
    given={"first prior": first_prior, "second prior": second_prior, "near": rho_near,
           "(6)": at(plan_6, {u: a, v: a + t}) and at(plan_6, {u: b + t, v: b})},
    example=instance(t=1, X=[0, 1, 2], pi=shift, rho=shift),
    statement=pi_near,
    steps=[
        step("up", rho(x, z) * low <= rho(x, z) * at(left, {v: u + t}), arithmetic("near")),
        step("F <= G", F_rho <= at(G_rho, {v: u + t}), integrate("up", x, z)),
        step("down", rho(x, z) * left <= rho(x, z) * at(low, {u: v + t}), arithmetic("near")),
        step("G <= F", G_rho <= at(F_rho, {u: v + t}), integrate("down", x, z)),
        step("F", F_rho == F, integrate("first prior", x, weight=low)),
        step("G", G_rho == G, integrate("second prior", z, weight=left)),
        step("above", 0 <= pi(x, z) * low * (1 - left), arithmetic()),
        step("pair above", at(pi(x, z) * low * (1 - left), {x: a, z: b}) <= F - J,
             one_term("above", {x: a, z: b})),
        step("beside", 0 <= pi(x, z) * (1 - low) * left, arithmetic()),
        step("pair beside", at(pi(x, z) * (1 - low) * left, {x: a, z: b}) <= G - J,
             one_term("beside", {x: a, z: b})),
        step("reach", pi_near, arithmetic(
            "(6)", use("F <= G", {u: a}), use("F", {u: a}), use("G", {v: a + t}),
            use("pair above", {u: a, v: a + t}), use("G <= F", {v: b}), use("F", {u: b + t}),
            use("G", {v: b}), use("pair beside", {u: b + t, v: b}))),
    ],
)
Claim(
    id="M05", source=paper("multi-user", "Section 2.1"), result=BOTH_READINGS,
    words="The plan of the W1 mechanism reaches no farther than that of the W-infinity mechanism",
    readings=[any_cheapest, the_plan_6],
)
