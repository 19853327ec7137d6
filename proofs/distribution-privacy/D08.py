"""Table 1, the same input: epsilons and deltas add where Psi is a lifting (by D13, each channel is
then private for related inputs), not for every relation of distributions."""
from pfverify.proof.language import *
from settings.problems import *
from settings.two_channels import *

worst, bound = indicator(p_both - E * F * q_both), delta + eta
at_x, at_z = total(A(x, y) * C(x, w) * worst, w, y), E * F * total(A(z, y) * C(z, w) * worst, w, y)
rows = {"p": maps(y, A(x, y)), "q": maps(y, A(z, y)), "r": maps(w, C(x, w)),
        "s": maps(w, C(z, w)), "delta": A_xz, "eta": C_xz}
costs = {"pi": gamma, "f": maps(x, at_x - bound), "g": maps(z, -at_z), "c": maps(x, z, 0)}

Claim(
    id="D08", source=paper("distribution-privacy", "Table 1"), result=REPAIRED,
    words="If A_b is (epsilon_b, delta_b)-DistP, both outputs on one input are (epsilon_0 + "
          "epsilon_1, (delta_0 + delta_1) |Phi|)-DistP, for a relation Psi of distributions",
    printed=refuted(
        words="(1/2, 1/2) and (1, 0), two randomized responses that tell the truth with 3/4: each "
              "is (log 2, 0)-DistP, both answers are 1 with 5/16 and with 1/16",
        given={"A_0": excess_A <= delta, "A_1": excess_C <= eta, "laws": laws, "A": channels},
        statement=excess_both <= bound * size, problem=problem(
            {0: 1/2, 1: 1/2}, {0: 1}, epsilon="log(4)", channel=twice),
        instance=instance(E=2, F=2, delta=0, eta=0, X=[0, 1], Y=[0, 1], W=[0, 1], A=response,
                          C=response, P={0: 1/2, 1: 1/2}, Q={0: 1}, related={"else": 1}),
    ),
    corrected=proved(
        words="For the lifting of Phi they are (epsilon_0 + epsilon_1, delta_0 + delta_1)-DistP",
        given={"A_0": gamma(x, z) == 0 or A_xz <= delta, "A_1": gamma(x, z) == 0 or C_xz <= eta,
               "first": first, "second": second, "laws": laws, "A": channels},
        example=swap, statement=excess_both <= bound,
        steps=[
            step("pair", both_xz <= A_xz + C_xz, theorem("D09", rows, "A")),
            step("worst", at_x - at_z <= both_xz, termwise(arithmetic(), w, y)),
            step("F28", total((at_x - bound) * P(x), x) - total(at_z * Q(z), z) <= 0, theorem(
                "F28", costs, "first", "second", "A_0", "A_1", "pair", "worst")),
            step("excess", excess_both == total((p_both - E * F * q_both) * worst, w, y),
                 termwise(arithmetic(), w, y)),
            step("both", excess_both <= bound, arithmetic("F28", "excess", "laws")),
        ],
    ),
    breaks=[
        edit("drop A_0", "F28", shown), edit("drop second", "F28"),
        edit("bound = delta", "F28"), edit("drop A", "pair"),
    ],
    meaning=[E >= 1, F >= 1, channels, laws],
)
