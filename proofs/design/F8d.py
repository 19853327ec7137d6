"""F8: a translation by mu of a law that holds a share of another one, with Laplace noise."""
from pfverify.proof.language import *

b, E, kept = positive("b E kept")
mu, v = constants("mu"), variables("v")
x, o = indices("x", "X"), indices("o", "Y")
W, A, B = masses("W A B")  # two laws; the outputs in an event, each with its noise weight
c, e = total(B(o) * exp(-abs(o - x) / b), o), total(B(o) * exp(-abs(o - x - mu) / b), o)
P, Q = total(W(x) * e, x), total(A(x) * c, x)
private = P <= E * Q + 1 - kept and Q <= E * P + 1 - kept

Claim(
    id="F8d", source=paper("design", "F8"), result=PROVED,
    words="If kept times the law A is at most the law W, the releases from W, translated by mu "
          "with |mu| <= epsilon b, and from A are (epsilon, 1 - kept)-private, both ways",
    printed=proved(
        given={"less": kept * A(x) <= W(x), "mass": total(W(x), x) == 1 and total(A(x), x) == 1,
               "noise": c <= 1 and e <= 1, "scale": exp(abs(mu) / b) <= E},
        example=instance(b=1, mu=1, E=3, kept=1/2, X=[0, 1], A={0: 1}, W={0: 1/2, 1: 1/2},
                         Y=[0], B={0: 1/2}),
        statement=private,
        steps=[
            step("kernel", exp(-abs(o - x - mu) / b) <= exp(abs(mu) / b) * exp(-abs(o - x) / b)
                 and exp(-abs(o - x) / b) <= exp(abs(mu) / b) * exp(-abs(o - x - mu) / b),
                 arithmetic()),
            step("to", exp(-abs(o - x - mu) / b) <= E * exp(-abs(o - x) / b),
                 arithmetic("kernel", "scale")),
            step("fro", exp(-abs(o - x) / b) <= E * exp(-abs(o - x - mu) / b),
                 arithmetic("kernel", "scale")),
            step("positive", 0 <= exp(-abs(o - x) / b), arithmetic()),
            step("e", e <= E * c, integrate("to", o, weight=B(o))),
            step("c", c <= E * e, integrate("fro", o, weight=B(o))),
            step("c >= 0", 0 <= c, integrate("positive", o, weight=B(o))),
            step("W", W(x) * e <= kept * E * A(x) * c + W(x) - kept * A(x),
                 arithmetic("less", "e", "noise")),
            step("A", kept * A(x) * c <= E * W(x) * e, arithmetic("less", "c", "c >= 0")),
            step("most", c <= 1, arithmetic("noise")),
            step("P", P <= kept * E * Q + total(W(x), x) - kept * total(A(x), x),
                 integrate("W", x)),
            step("Q", kept * Q <= E * P, integrate("A", x)),
            step("at most 1", Q <= total(A(x), x), integrate("most", x, weight=A(x))),
            step("at least 0", 0 <= Q, integrate("c >= 0", x, weight=A(x))),
            step("sums", kept * total(A(x), x) <= total(W(x), x), integrate("less", x)),
            step("all", private, arithmetic(
                "P", "Q", "at most 1", "at least 0", "sums", "mass")),
        ],
    ),
)
