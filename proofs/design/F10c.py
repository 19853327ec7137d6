"""F10: the mixed differences of min(F, G) are a plan, on the letters o, o + h, ..., n."""
from pfverify.proof.language import *

h, (u, v) = positive("h"), variables("u v")
(x, z, a, k), (o, n) = indices("x z a k", "X"), member("o n", "X")
P, Q = masses("P Q")
F, G = total(P(a) * indicator(u - a), a), total(Q(a) * indicator(v - a), a)
entry = difference(difference(minimum(F, G), u, x, h), v, z, h)

Claim(
    id="F10c", source=paper("design", "F10"), result=PROVED,
    words="J(x,z) - J(x-h,z) - J(x,z-h) + J(x-h,z-h) with J = min(F, G), F and G the distribution "
          "functions of P and Q, is at least 0 and sums to P over z and to Q over x",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n], h),
               "sums": total(P(a), a) == total(Q(a), a)},
        example=instance(h=1, X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        statement=entry >= 0 and total(entry, z) == P(x) and total(entry, x) == Q(z),
        steps=[
            step("P", implies(u <= v, F <= at(F, {u: v})) and difference(F, u, x, h) == P(x),
                 theorem("F13", {"k": a}, use("letters", {k: x}))),
            step("Q", implies(u <= v, at(G, {v: u}) <= G) and difference(G, v, z, h) == Q(z),
                 theorem("F13", {"k": a, "P": Q, "x": z}, use("letters", {k: z}))),
            step("entry", entry >= 0, arithmetic(
                "letters", use("P", {u: x - h, v: x}), use("Q", {u: z - h, v: z}))),
            step("F", 0 <= F and F <= total(P(a), a), theorem(
                "F13b", {"k": a}, use("letters", {a: n, k: a}))),
            step("G", 0 <= G and G <= total(Q(a), a), theorem(
                "F13b", {"k": a, "P": Q, "u": v}, use("letters", {a: n, k: a}))),
            step("row", total(entry, z) == difference(F, u, x, h), theorem(
                "F10j", {"i": z, "c": at(F, {u: x}), "d": at(F, {u: x - h})}, "letters", "sums",
                use("F", {u: x}), use("F", {u: x - h}))),
            step("rows", total(entry, z) == P(x), arithmetic("row", "P")),
            step("column", total(entry, x) == difference(G, v, z, h), theorem(
                "F10j", {"i": x, "Q": P, "c": at(G, {v: z}), "d": at(G, {v: z - h})},
                "letters", "sums", use("G", {v: z}), use("G", {v: z - h}))),
            step("columns", total(entry, x) == Q(z), arithmetic("column", "Q")),
        ],
    ),
    breaks=[
        edit("drop letters", "P", instance(h=1, X=[0, 1/2], o=0, n=1/2, P={0: 1/2, 1/2: 1/2},
                                           Q={0: 1/2, 1/2: 1/2})),
        edit("drop sums", "row", instance(h=1, X=[0], o=0, n=0, P={0: 1}, Q={})),
    ],
)
