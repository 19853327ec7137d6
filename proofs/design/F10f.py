"""F10: on the letters o, o + h, ..., n every cost is one of rows and columns, less its corners."""
from pfverify.proof.language import *

h, t = positive("h"), variables("t")
(x, z, u, v, a, k), (o, n) = indices("x z u v a k", "X"), member("o n", "X")
c = functions("c")
low, left = indicator(u - h - x), indicator(v - h - z)  # x and z are before u and v
w = c(u - h, v) + c(u, v - h) - c(u, v) - c(u - h, v - h)  # saved by not crossing
inner = indicator(u - h - o) * indicator(v - h - o)  # neither u nor v is the first letter
rows = total(low * (c(u, n) - c(u, z) - c(u - h, n) + c(u - h, z)), u)
sum_of_corners = c(x, z) == c(x, n) + c(n, z) - c(n, n) - total(w * inner * low * left, u, v)

Claim(
    id="F10f", source=paper("design", "F10"), result=PROVED,
    words="A cost is a cost of the first letter, plus one of the second, less what is saved by not "
          "crossing at the corners beyond both",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n], h)},
        example=instance(h=1, X=[0, 1, 2], o=0, n=2, c={(0, 2): 4, (2, 0): 4, "else": 1}),
        statement=sum_of_corners,
        steps=[
            step("row", total(-w * left, v) == c(u, n) - c(u - h, n) - c(u, z) + c(u - h, z),
                 theorem("F10e", {"i": v, "x": z, "f": maps(t, c(u, t) - c(u - h, t))},
                         "letters")),
            step("rows", total(-w * low * left, u, v) == rows, integrate("row", u, weight=low)),
            step("column", rows == c(n, n) - c(n, z) - c(x, n) + c(x, z),
                 theorem("F10e", {"i": u, "f": maps(t, c(t, n) - c(t, z))}, "letters")),
            step("inside", low * left == low * left * inner,
                 arithmetic("letters", use("letters", {k: x}), use("letters", {k: z}))),
            step("corners", total(w * low * left, u, v) == total(w * inner * low * left, u, v),
                 integrate("inside", u, v, weight=w)),
            step("all", sum_of_corners, arithmetic("rows", "column", "corners")),
        ],
    ),
    breaks=[edit("drop letters", "row")],
)
