"""F37: Hoeffding's lemma, the mean of e^(u f) for an f between 0 and 1."""
from pfverify.proof.language import *

u, (v, s), y, (P, f) = positive("u"), variables("v s"), indices("y", "Y"), masses("P f")
theta, mean_e = total(P(y) * f(y), y), total(P(y) * exp(u * f(y)), y)
slope, two_points = v * (1 - (1 - 2 * v * s) * exp(2 * v * s)), 1 - theta + theta * exp(u)
K = (theta + v) * (1 - theta) - theta * exp(4 * v) * (1 - theta - v)
bell = exp(-theta * u * s - (u * s)**2 / 8)
loss, above = u * bell * at(K, {v: u * s / 4}), 0 <= v

Claim(
    id="F37", source=paper("design", "F37"), result=PROVED,
    words="If 0 <= f <= 1 has the mean theta, that of e^(u f) is at most e^(u theta + u^2/8)",
    printed=proved(
        given={"law": total(P(y), y) == 1, "f": f(y) <= 1},
        example=instance(u=1, Y=[0, 1], P={0: 1/2, 1: 1/2}, f={1: 1}),
        statement=mean_e <= exp(u * theta + u**2 / 8),
        steps=[
            step("slope", implies(above, 0 <= slope), arithmetic(hints=[exp(-2 * v * s)])),
            step("area", integral(slope, s, 0, 1) == 1 + v - (1 - v) * exp(2 * v),
                 antiderivative(v * s - (1 - v * s) * exp(2 * v * s))),
            step("areas", implies(above, 0 <= integral(slope, s, 0, 1)),
                 integrate("slope", s, between=(0, 1))),
            step("squares", implies(above and v <= 1, (1 - v)**2 * exp(4 * v) <= (1 + v)**2),
                 arithmetic("area", "areas")),
            step("high", theta <= total(P(y), y), termwise(arithmetic("f"), y)),
            step("low", 0 <= theta, termwise(arithmetic(), y)),
            step("K times", implies(above and v <= 1 - theta, 0 <= (1 - v)**2 * K),
                 arithmetic("squares")),
            step("K", implies(above, 0 <= K), arithmetic("K times", "high", "low", "law")),
            step("at s", implies(0 <= s <= 1, 0 <= loss), arithmetic(use("K", {v: u * s / 4}))),
            step("loss", integral(loss, s, 0, 1) == 1 - two_points * exp(-u * theta - u**2 / 8),
                 antiderivative(-(1 - theta + theta * exp(u * s)) * bell)),
            step("losses", 0 <= integral(loss, s, 0, 1), integrate("at s", s, between=(0, 1))),
            step("chord", mean_e <= total(P(y), y) - theta + theta * exp(u), termwise(
                arithmetic("f", hints=[exp(-u * f(y)), exp(u - u * f(y))]), y)),
            step("lemma", mean_e <= exp(u * theta + u**2 / 8),
                 arithmetic("loss", "losses", "chord", "law")),
        ],
    ),
    breaks=[
        edit("drop f", "high", instance(u=1, Y=[0], P={0: 1}, f={0: 2})),
        edit("drop law", "lemma"),
        edit("bell = exp(-theta * u * s - (u * s)**2 / 9)", "loss"),
    ],
)
