"""p > q: the mass that moves down by one in column x' is (p - q) f(x'), not (p - q) f(x' - 1)."""
from pfverify.proof.language import *

(p, q), (u, v), (r, x) = constants("p q"), variables("u v"), indices("r x", "X")
w, z, m = member("w z m", "X")  # x' - 1, x', x' + 1
f, pi = masses("f pi")  # f: of the sum of the other users' reports
H = total(f(r) * indicator(u - r), r)
F = (1 - p) * H + p * at(H, {u: u - 1})  # with one user more, Bernoulli(p)
G = (1 - q) * at(H, {u: v}) + q * at(H, {u: v - 1})
J = minimum(F, G)
three, whole = w == z - 1 and m == z + 1, implies(r != x, abs(r - x) >= 1)
p_over_q, is_law = 0 <= q and q < p and p <= 1, total(f(r), r) == 1
plan_6 = pi(x, z) == difference(difference(J, u, x), v, z)

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
            step("H", implies(u <= v, H <= at(H, {u: v})) and implies(u == v, H == at(
                H, {u: v})) and difference(H, u, x) == f(x), theorem(
                    "F13", {"h": 1, "k": r, "P": f}, "whole")),
            step("mass", pi(m, z) == (p - q) * f(z), arithmetic(
                "p > q", "letters", use("(6)", {x: m}), use("H", {x: z}),
                use("H", {u: z - 2, v: z - 1}), use("H", {u: z, v: m - 1}),
                use("H", {u: z - 1, v: m - 2}), use("H", {u: m - 1, v: m}))),
        ],
    ),
)
