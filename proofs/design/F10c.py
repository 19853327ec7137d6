"""F10: the mixed differences of min(F, G) are a plan, on the letters o, o + h, ..., n."""
from pfverify.proof.language import *

h = positive("h")
u, v = variables("u v")
(x, z, a, k), (o, n) = indices("x z a k", "X"), member("o n", "X")
P, Q = masses("P Q")
F, G = total(P(a) * indicator(u - a), a), total(Q(a) * indicator(v - a), a)
J = minimum(F, G)
across, along, one = J - at(J, {u: u - h}), J - at(J, {v: v - h}), 1 - indicator(-h)
Px, Qx = one * P(x), one * Q(x)
entry = at(across, {u: x, v: z}) - at(across, {u: x, v: z - h})
plan_of = entry >= 0 and total(entry, z) == P(x) and total(entry, x) == Q(z)

Claim(
    id="F10c", source=paper("design", "F10"), result=PROVED,
    words="J(x,z) - J(x-h,z) - J(x,z-h) + J(x-h,z-h) with J = min(F, G), F and G the distribution "
          "functions of P and Q, is at least 0 and sums to P over z and to Q over x",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n], h),
               "sums": total(P(a), a) == 1 and total(Q(a), a) == 1},
        example=instance(h=1, X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        statement=plan_of,
        steps=[
            step("more", implies(u <= v, indicator(u - a) <= indicator(v - a)), arithmetic()),
            step("F up", implies(u <= v, F <= at(F, {u: v})), integrate("more", a, weight=P(a))),
            step("G up", implies(u <= v, at(G, {v: u}) <= G), integrate("more", a, weight=Q(a))),
            step("entry", entry >= 0, arithmetic("letters", use("F up", {u: x - h, v: x}),
                                                 use("G up", {u: z - h, v: z}))),
            step("rise", implies(a != x, indicator(x - a) - indicator(x - h - a) == 0),
                 arithmetic(use("letters", {k: x}))),
            step("P", at(F, {u: x}) - at(F, {u: x - h}) == Px, single("rise", a, weight=P(a))),
            step("Q", at(G, {v: x}) - at(G, {v: x - h}) == Qx, single("rise", a, weight=Q(a))),
            step("none", indicator(o - h - a) == 0, arithmetic(use("letters", {k: a}))),
            step("all of it", indicator(n - a) == 1, arithmetic(use("letters", {k: a}))),
            step("F(o-h)", at(F, {u: o - h}) == 0, integrate("none", a, weight=P(a))),
            step("G(o-h)", at(G, {v: o - h}) == 0, integrate("none", a, weight=Q(a))),
            step("F(n)", at(F, {u: n}) == total(P(a), a), integrate("all of it", a, weight=P(a))),
            step("G(n)", at(G, {v: n}) == total(Q(a), a), integrate("all of it", a, weight=Q(a))),
            step("some", 0 <= indicator(u - a), arithmetic()),
            step("most", indicator(u - a) <= 1, arithmetic()),
            step("F >= 0", 0 <= F, integrate("some", a, weight=P(a))),
            step("G >= 0", 0 <= at(G, {v: u}), integrate("some", a, weight=Q(a))),
            step("F <= 1", F <= total(P(a), a), integrate("most", a, weight=P(a))),
            step("G <= 1", at(G, {v: u}) <= total(Q(a), a), integrate("most", a, weight=Q(a))),
            step("row", total(entry, z) == at(across, {u: x, v: n}) - at(across, {u: x, v: o - h}),
                 theorem("F10a", {"i": z, "f": maps(v, at(across, {u: x}))}, "letters")),
            step("column", total(entry, x) == at(along, {v: z, u: n}) - at(along, {v: z, u: o - h}),
                 theorem("F10a", {"i": x, "f": maps(u, at(along, {v: z}))}, "letters")),
            step("rows", total(entry, z) == P(x), arithmetic(
                "row", "P", "letters", "sums", "G(n)", "G(o-h)", use("F >= 0", {u: x}),
                use("F >= 0", {u: x - h}), use("F <= 1", {u: x}), use("F <= 1", {u: x - h}))),
            step("cols", total(entry, x) == Q(z), arithmetic(
                "column", use("Q", {x: z}), "letters", "sums", "F(n)", "F(o-h)",
                use("G >= 0", {u: z}), use("G >= 0", {u: z - h}), use("G <= 1", {u: z}),
                use("G <= 1", {u: z - h}))),
            step("all", plan_of, arithmetic("entry", "rows", "cols")),
        ],
    ),
)
