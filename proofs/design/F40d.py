"""F40: how the likelihood of outputs of Laplace releases changes with X, on one path of outputs.

The likelihood is up to a factor without x; also of scales that earlier outputs choose.

Symbols:
kappa: at least the sum of one over the scales of the releases
h: a distance
j: a release
w: one over the scale of a release
y: the output of a release
v: a value of X
"""
from pfverify.proof.language import *

(kappa, h), v = positive("kappa h"), variables("v")
j, w, y = indices("j", "Releases"), masses("w"), functions("y")
m, spent = total(w(j) * abs(y(j) - v), j), total(w(j), j)
t, f = exp(-kappa * h), exp(-m)
up, back = {v: v + h}, {v: v - h}
f_up, f_back, slope = at(f, up), at(f, back), abs(at(m, up) - m) <= h * kappa
slopes = t * f <= f_up <= f / t and t * f <= f_back <= f / t

Claim(
    id="F40d", source=paper("design", "F40"), result=PROVED,
    words="The likelihood f of outputs of releases, whose 1/scale add up to at most kappa, has "
          "f(v + h) f(v - h) <= f(v)^2 and changes from v to v +- h by a factor between "
          "e^(-kappa h) and e^(kappa h)",
    printed=proved(
        given={"spent": spent <= kappa},
        example=instance(kappa=2, h=1, Releases=[1, 2], w={"else": 1}, y={1: 0, 2: 3}),
        statement=slopes and f_up * f_back <= f**2,
        steps=[
            step("bend", 2 * m <= at(m, up) + at(m, back), termwise(arithmetic(), j)),
            step("up", at(m, up) <= m + h * spent, termwise(arithmetic(), j)),
            step("down", m <= at(m, up) + h * spent, termwise(arithmetic(), j)),
            step("slope", slope, arithmetic("up", "down", "spent")),
            step("slopes", slopes, arithmetic("slope", use("slope", {v: v - h}))),
            step("bends", f_up * f_back <= f**2, arithmetic("bend")),
        ],
    ),
    breaks=[
        edit("drop spent", "slope"),
        edit("f_up = f", "bends", instance(kappa=1, h=1, Releases=[1], w={1: 1}, y={1: 0}), {v: 1}),
    ],
)
