"""p > q: the mass that moves down by one in column x' is (p - q) f(x'), not (p - q) f(x' - 1)."""
from pfverify.proof.language import *
from settings.one_more_user import *

three, is_law = w == z - 1 and m == z + 1, total(f(r), r) == 1
p_over_q = 0 <= q and q < p and p <= 1

Claim(
    id="M35", source=paper("multi-user", "Lemma 6, proof"), result=REPAIRED,
    words="For p > q the plan's mass from x'+1 to x' is p - q times the probability that the "
          "other users' sum is x'-1",
    printed=refuted(
        words="The others' sum is 0, p = 1, q = 0: the mass from 1 to 0 is 1, the formula gives 0",
        given={"p > q": p_over_q, "letters": three, "whole": whole, "(6)": plan_6, "law": is_law},
        statement=pi(m, z) == (p - q) * f(w),
        instance=instance(X=[-1, 0, 1], p=1, q=0, w=-1, z=0, m=1, f={0: 1}, pi={(1, 0): 1}),
    ),
    corrected=proved(
        words="It is p - q times the probability that the sum is x'",
        given={"p > q": p_over_q, "letters": three, "whole": whole, "(6)": plan_6},
        example=instance(X=[-1, 0, 1], p=1, q=0, w=-1, z=0, m=1, f={0: 1}, pi={(1, 0): 1}),
        statement=pi(m, z) == (p - q) * f(z),
        steps=[
            step("H", H_grows, theorem("F13", {"h": 1, "k": r, "P": f}, "whole")),
            step("mass", pi(m, z) == (p - q) * f(z), arithmetic(
                "p > q", "letters", use("(6)", {x: m}), use("H", {x: z}),
                use("H", {u: z - 2, v: z - 1}), use("H", {u: z, v: m - 1}),
                use("H", {u: z - 1, v: m - 2}), use("H", {u: m - 1, v: m}))),
        ],
    ),
    breaks=[
        edit("drop whole", "H"),
        edit("drop p > q", "mass", instance(
            X=[-1, 0, 1], p=0, q=1, w=-1, z=0, m=1, f={0: 1}, pi={(0, 1): 1})),
    ],
)
