"""F75: two coordinates with Gaussian noise are one, and a rest in which the points are not.

(z, u) is a linear function of the outputs o1 and o2, one to one; `scale` is what it makes of an
area. With more coordinates z is taken with the next one, and so on.

Symbols:
s1, s2: the scales of the two coordinates
c1, c2: the coordinates of the first point
a, b: how much more those of the second point are, in units of the scales
mu: the distance of the two points in these units
z: the one number
u: the rest
"""
from pfverify.proof.language import *

(s1, s2, mu), (c1, c2, a, b) = positive("s1 s2 mu"), constants("c1 c2 a b")
z, u = variables("z u")
y1, y2, scale = (a * z - b * u) / mu, (b * z + a * u) / mu, s1 * s2
o1, o2 = c1 + s1 * y1, c2 + s2 * y2
p = normal_pdf(o1, c1, s1) * normal_pdf(o2, c2, s2) * scale
q = normal_pdf(o1, c1 + a * s1, s1) * normal_pdf(o2, c2 + b * s2, s2) * scale
back = mu * z == a * y1 + b * y2 and mu * u == a * y2 - b * y1
area = s1 * a / mu * (s2 * a / mu) + s1 * b / mu * (s2 * b / mu) == scale

Claim(
    id="F75a", source=paper("design", "F75"), result=PROVED,
    words="Two coordinates with Gaussian noise are z and u: z is N(0, 1) under the one point and "
          "N(mu, 1) under the other, mu^2 = (v1/s1)^2 + (v2/s2)^2, and u is N(0, 1) under both and "
          "independent of z",
    printed=proved(
        given={"mu": mu**2 == a**2 + b**2},
        example=instance(s1=1, s2=2, c1=0, c2=1, a=3, b=4, mu=5),
        statement=p == normal_pdf(z) * normal_pdf(u) and q == normal_pdf(z - mu) * normal_pdf(u)
        and back and area,
        steps=[
            step("squares", y1**2 + y2**2 == z**2 + u**2, arithmetic("mu")),
            step("p", p == normal_pdf(z) * normal_pdf(u), arithmetic("squares")),
            step("moved", (y1 - a)**2 + (y2 - b)**2 == (z - mu)**2 + u**2, arithmetic("mu")),
            step("q", q == normal_pdf(z - mu) * normal_pdf(u), arithmetic("moved")),
            step("back", back, arithmetic("mu")),
            step("area", area, arithmetic("mu")),
        ],
    ),
    breaks=[edit("drop mu", "squares"), edit("scale = 1", "p")],
)
