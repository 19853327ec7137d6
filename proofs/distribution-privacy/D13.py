"""Section 4: privacy of distributions that are single inputs is privacy of these inputs."""
from pfverify.proof.language import *
from settings.channels import *

(a, b), (u, v) = member("a b", "X"), indices("u v", "X")
only_a, only_b = implies(x != a, P(x) == 0), implies(z != b, Q(z) == 0)
excess_ab, move = at(excess_xz, {x: a, z: b}), gamma(x, z) == 0 or x == a and z == b

Claim(
    id="D13", source=paper("distribution-privacy", "Section 4"), result=PROVED,
    words="If Psi has the pair of the point distributions at two inputs, (epsilon, delta)-DistP "
          "implies (epsilon, delta)-DP for these inputs: the two excesses are the same",
    printed=proved(
        given={"P": only_a, "Q": only_b, "laws": laws, "DistP": excess <= delta},
        example=instance(E=3, delta=0, X=[0, 1], Y=[0, 1], A=response, P={0: 1}, Q={1: 1}, a=0,
                         b=1), statement=excess_ab <= delta and excess == excess_ab,
        steps=[
            step("P(a)", total(P(x), x) == P(a), single("P", x)),
            step("Q(b)", total(Q(z), z) == Q(b), single("Q", z)),
            step("p", p == P(a) * A(a, y), single("P", x, weight=A(x, y))),
            step("q", q == Q(b) * A(b, y), single("Q", z, weight=A(z, y))),
            step("same", excess == excess_ab,
                 termwise(arithmetic("P(a)", "Q(b)", "p", "q", "laws"), y)),
            step("DP", excess_ab <= delta, arithmetic("same", "DistP")),
        ],
    ),
    tighter=proved(
        words="So with E = e^(epsilon d) XDistP implies XDP: all couplings of the two move all "
              "mass from a to b, so that their W-infinity distance is d(a, b) for any d",
        given={"P": only_a, "Q": only_b, "first": first, "second": second}, example=instance(
            X=[0, 1], P={0: 1}, Q={1: 1}, gamma={(0, 1): 1}, a=0, b=1),
        statement=move,
        steps=[
            step("mass", 0 <= gamma(x, z), arithmetic()),
            step("row", gamma(x, v) <= total(gamma(x, z), z), one_term("mass", {z: v})),
            step("column", gamma(u, z) <= total(gamma(x, z), x), one_term("mass", {x: u})),
            step("move", move, arithmetic(
                "P", "Q", "first", "second", use("row", {v: z}), use("column", {u: x}))),
        ],
    ),
    breaks=[
        edit("drop P", "P(a)", instance(E=3, delta=0, X=[0, 1], Y=[0, 1], A=response, P={1: 1},
                                        Q={1: 1}, a=0, b=1)),
        edit("drop Q", "Q(b)", instance(E=3, delta=0, X=[0, 1], Y=[0, 1], A=response, P={0: 1},
                                        Q={0: 1}, a=0, b=1)),
        edit("drop first", "move", instance(E=3, X=[0, 1], Y=[0, 1], A=response, P={0: 1}, Q={1: 1},
                                            gamma={(1, 1): 1}, a=0, b=1)),
    ],
    meaning=[E >= 1, channel, laws],
)
