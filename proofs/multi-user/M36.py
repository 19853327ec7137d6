"""p > q: the ratio of the two masses of a column of the plan."""
from pfverify.proof.language import *
from settings.one_more_user import *

letters, p_over_q = w == z - 1 and m == z + 1 and whole, 0 <= q and q < p and p <= 1
ratio = pi(m, z) > 0 and pi(z, z) / pi(m, z) == ((1 - p) + q * f(w) / f(z)) / (p - q)
example = instance(X=[0, 1, 2], p=1/2, q=0, w=0, z=1, m=2, f={0: 2/3, 1: 1/3},
                   pi={(1, 1): 1/6, (2, 1): 1/6})

Claim(
    id="M36", source=paper("multi-user", "Lemma 6, proof"), result=REPAIRED,
    words="For p > q the mass that stays in column x', divided by the mass that moves down to it, "
          "is ((1-p) f(x')/f(x'-1) + q) / (p-q)",
    printed=refuted(
        given={"p > q": p_over_q, "letters": letters, "(6)": plan_6,
               "law": total(f(r), r) == 1, "f": f(w) * f(z) * pi(m, z) > 0}, instance=example,
        statement=pi(z, z) / pi(m, z) == ((1 - p) * f(z) / f(w) + q) / (p - q),
    ),
    corrected=proved(
        words="It is ((1-p) + q f(x'-1)/f(x')) / (p-q)",
        given={"p > q": p_over_q, "letters": letters, "(6)": plan_6, "f": f(z) > 0},
        example=example, statement=ratio,
        steps=[
            step("H", H_grows, theorem("F13", {"h": 1, "k": r, "P": f}, "letters")),
            step("moves", pi(m, z) == (p - q) * f(z), theorem(
                "M35", {}, "p > q", "letters", "(6)", part="corrected")),
            step("stays", pi(z, z) == (1 - p) * f(z) + q * f(w), arithmetic(
                "p > q", "letters", use("(6)", {x: z}), use("H", {x: z}), use("H", {x: w}),
                use("H", {u: w, v: z - 1}), use("H", {u: w - 1, v: z - 2}))),
            step("ratio", ratio, arithmetic("p > q", "moves", "stays", "f")),
        ],
    ),
    breaks=[edit("drop letters", "H")],
)
