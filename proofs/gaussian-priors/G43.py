"""Introduction: between normal laws of different variance every plan moves some mass any distance.

F and G are the distribution functions. A plan that moves nothing farther than R (of finite
W-infinity cost) has F(u) <= G(u + R) for every u: {X <= u} lies in {X' <= u + R}.
"""
from pfverify.proof.language import *

s, t, R = positive("s t R")
m, n = constants("m n")
x = variables("x")
move = x - (n + t / s * (x - m))  # along the linear map, the plan of every W_alpha
far_x, u = m + s * (R + abs(m - n)) / (s - t), (t * m + s * (R - n) + 1) / (t - s)
F, G = normal_cdf(u, m, s), normal_cdf(u + R, n, t)
claimed = at(abs(move), {x: far_x}) >= R and F > G

Claim(
    id="G43", source=paper("gaussian-priors", "Section I"), result=PROVED,
    words="If the standard deviations differ, the linear map (the W_1 plan) moves some point at "
          "least R for every R, and F(u) > G(u + R) at some u, so no plan stays within R",
    printed=proved(
        given={"different": s != t}, example=instance(s=1, t=2, m=0, n=0, R=1),
        statement=claimed,
        steps=[
            step("move", at(move, {x: far_x}) == R + abs(m - n) + m - n, identity()),
            step("far", at(abs(move), {x: far_x}) >= R, arithmetic("move")),
            step("argument", (u - m) / s - (u + R - n) / t == 1 / (s * t), identity()),
            step("below", (u - m) / s > (u + R - n) / t, arithmetic("argument")),
            step("F > G", F > G, arithmetic("below")),
        ],
    ),
    breaks=[
        edit("drop different", "move"),
        edit("far_x = m + s * R / (s - t)", "move", instance(s=2, t=1, m=0, n=1, R=1)),
    ],
)
