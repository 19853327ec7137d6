"""p > q: the ratio of the two masses of a column of the plan."""
from pfverify.proof.language import *

(p, q), (u, v), (r, x) = constants("p q"), variables("u v"), indices("r x", "X")
w, z, m = member("w z m", "X")  # x' - 1, x', x' + 1
f, pi = masses("f pi")  # f: of the sum of the other users' reports
H = total(f(r) * indicator(u - r), r)
F = (1 - p) * H + p * at(H, {u: u - 1})  # with one user more, Bernoulli(p)
J = minimum(F, (1 - q) * at(H, {u: v}) + q * at(H, {u: v - 1}))
letters = w == z - 1 and m == z + 1 and implies(r != x, abs(r - x) >= 1)
p_over_q, plan_6 = 0 <= q and q < p and p <= 1, pi(x, z) == difference(difference(J, u, x), v, z)
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
            step("H", implies(u == v, H == at(H, {u: v})) and difference(H, u, x) == f(x),
                 theorem("F13", {"h": 1, "k": r, "P": f}, "letters")),
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
