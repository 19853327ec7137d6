"""W1 and W-infinity: a cheapest plan can reach too far, the plan without crossings never does."""
from pfverify.proof.language import *

t, s, (x, z, a, b) = positive("t"), variables("s"), indices("x z a b", "X")
(pi, rho), height = masses("pi rho"), functions("height")
first_prior = total(rho(x, z), z) == total(pi(x, z), z)
second_prior = total(rho(x, z), x) == total(pi(x, z), x)
rho_near, pi_near = rho(x, z) == 0 or abs(x - z) <= t, pi(a, b) == 0 or abs(a - b) <= t
low, below = indicator(s * (a - x)), 1 - indicator(s * (z - b))  # if s = 1: x <= a, z < b
start, rest = total(pi(x, z) * low, x, z), total(pi(x, z) * below, x, z)
corner = total(pi(x, z) * low * (1 - below), x, z)
start_rho, rest_rho = total(rho(x, z) * low, x, z), total(rho(x, z) * below, x, z)
beyond = s * s == 1 and t < s * (b - a)
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
        step("rho ends below b", implies(beyond, rho(x, z) * low <= rho(x, z) * below),
             arithmetic("rho within t")),
        step("all of it", implies(beyond, start_rho <= rest_rho),
             integrate("rho ends below b", x, z)),
        step("same start", start_rho == start, integrate("first prior", x, weight=low)),
        step("same rest", rest_rho == rest, integrate("second prior", z, weight=below)),
        step("pi does not cross", pi(a, b) * pi(x, z) * below <= pi(a, b) * pi(x, z) * low * below,
             arithmetic("no crossing")),
        step("all of pi", pi(a, b) * rest <= pi(a, b) * (start - corner),
             integrate("pi does not cross", x, z)),
        step("corner", 0 <= pi(x, z) * low * (1 - below), arithmetic()),
        step("one pair", pi(a, b) * indicator(0)**2 <= corner, one_term("corner", {x: a, z: b})),
        step("one side", implies(s * s == 1, pi(a, b) == 0 or s * (b - a) <= t),
             arithmetic("all of it", "same start", "same rest", "all of pi", "one pair")),
        step("reach", pi_near, arithmetic(use("one side", {s: 1}), use("one side", {s: -1}))),
    ],
)
Claim(
    id="N03", source=paper("noise-reduction", "Section 2"), result=BOTH_READINGS,
    words="The plan that minimises the mean distance also has the smallest largest distance",
    readings=[any_cheapest, without_crossings],
    breaks=[
        edit("drop no crossing", "pi does not cross",
             instance(t=1, X=[0, 1, 2], pi={(0, 2): 1/2, (1, 1): 1/2}, rho=shift)),
    ],
)
