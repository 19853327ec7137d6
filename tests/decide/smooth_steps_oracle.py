"""Steps after noise with a density, by distribution functions at 60 digits: no chart, no cells.

Every break of the chains drawn here is a multiple of 1/4. So what the steps make of the middle of
each quarter, in a wide window, tells the outputs; a density that is kept is cut finely, and its
changes of sign are found by bisection.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import Any

import mpmath
from mpmath import mpf

F = Fraction
Parts = list[tuple[Fraction, Fraction, Fraction]]  # mean, variance, weight
Law = tuple[Parts, Fraction]  # and the mass of no row
Steps = list[dict[str, Any]]
QUARTERS = 100  # on each side of 0
FINE = 8  # pieces of a quarter that is kept
DIGITS = 60


def made_of(y: Fraction, steps: Steps) -> Any:
    """What a number becomes, by the words of the guide."""
    image: Any = y
    for step in steps:
        ((key, value),) = step.items()
        if image == "suppressed":
            continue
        match key:
            case "clamp":
                image = min(max(image, value[0]), value[1])
            case "threshold":
                hidden = image < value["at"] or (image == value["at"] and value["keep"] == "above")
                image = "suppressed" if hidden else image
            case "floor":
                image = floor(image / value["to"]) * value["to"]
            case "ceil":
                image = ceil(image / value["to"]) * value["to"]
            case "round":
                below = floor(image / value["to"])
                half = image / value["to"] - below
                up = half > F(1, 2) or (
                    half == F(1, 2)
                    and (value["ties"] == "up" or (value["ties"] == "even" and below % 2 == 1))
                )
                image = (below + up) * value["to"]
            case "bins":
                image = f"bin {sum(edge <= image for edge in value['edges'])}"
    return image


def number(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator


class Noisy:
    """X + N: its distribution function and its density."""

    def __init__(self, law: Law, noise: str, scale: Fraction) -> None:
        self.parts, self.nothing, self.noise, self.scale = law[0], law[1], noise, number(scale)

    def below(self, y: Any) -> Any:
        return sum((number(w) * self._below(y - number(m), number(v)) for m, v, w in self.parts),
                   mpf(0))  # fmt: skip

    def _below(self, u: Any, v: Any) -> Any:
        b = self.scale
        if self.noise == "gaussian":
            return mpmath.ncdf(u / mpmath.sqrt(v + b * b))
        if not v:
            return mpmath.exp(u / b) / 2 if u < 0 else 1 - mpmath.exp(-u / b) / 2
        s = mpmath.sqrt(v)
        lift = mpmath.exp(v / (2 * b * b))
        right = lift * mpmath.exp(-u / b) * mpmath.ncdf(u / s - s / b)
        left = lift * mpmath.exp(u / b) * mpmath.ncdf(-u / s - s / b)
        return mpmath.ncdf(u / s) - (right - left) / 2

    def density(self, y: Any) -> Any:
        return sum((number(w) * self._density(y - number(m), number(v)) for m, v, w in self.parts),
                   mpf(0))  # fmt: skip

    def _density(self, u: Any, v: Any) -> Any:
        b = self.scale
        if self.noise == "gaussian":
            return mpmath.npdf(u, 0, mpmath.sqrt(v + b * b))
        if not v:
            return mpmath.exp(-abs(u) / b) / (2 * b)
        s = mpmath.sqrt(v)
        lift = mpmath.exp(v / (2 * b * b))
        right = mpmath.exp(-u / b) * mpmath.ncdf(u / s - s / b)
        left = mpmath.exp(u / b) * mpmath.ncdf(-u / s - s / b)
        return lift * (right + left) / (2 * b)


def truth(
    p: Law, q: Law, noise: str, scale: Fraction, steps: Steps, epsilon: Fraction
) -> tuple[Any, Any]:
    """delta at epsilon, and a lower bound of epsilon* from the outputs with some mass."""
    laws = Noisy(p, noise, scale), Noisy(q, noise, scale)
    growth = mpmath.exp(number(epsilon))
    masses: dict[Any, list[Any]] = {}
    kept, star = mpf(0), mpf(0)

    def gap(y: Any) -> Any:
        return laws[0].density(y) - growth * laws[1].density(y)

    def signed(a: Any, b: Any) -> Any:
        return (laws[0].below(b) - laws[0].below(a)
                - growth * (laws[1].below(b) - laws[1].below(a)))  # fmt: skip

    def positive(a: Any, b: Any) -> Any:
        left, right = gap(a) > 0, gap(b) > 0
        if left == right:
            return signed(a, b) if left else mpf(0)
        zero = mpmath.findroot(gap, (a, b), solver="anderson", tol=mpf(10) ** -40)
        return signed(a, zero) if left else signed(zero, b)

    ends = [law.below(mpf(-QUARTERS) / 4) for law in laws]
    before = [mpf(0), mpf(0)]
    for k in range(-QUARTERS - 1, QUARTERS + 1):
        y = F(2 * k + 1, 8)
        image = made_of(y, steps)
        if k in (-QUARTERS - 1, QUARTERS) and made_of(100 * y, steps) != image:
            image = "beyond", k  # where g has one sign
        after = ends if k < -QUARTERS else [law.below(mpf(k + 1) / 4) for law in laws]
        if k == QUARTERS:
            after = [sum((number(w) for _, _, w in law.parts), mpf(0)) for law in laws]
        if image == y:  # it is kept
            for j in range(FINE):
                a, b = mpf(k) / 4 + mpf(j) / (4 * FINE), mpf(k) / 4 + mpf(j + 1) / (4 * FINE)
                if after[0] - before[0] + after[1] - before[1] < mpf(10) ** -25:
                    continue
                kept += positive(a, b)
                values = [law.density(a) for law in laws]
                if min(values) > mpf(10) ** -20:
                    star = max(star, mpmath.log(values[0] / values[1]))
        else:
            cell = masses.setdefault(image, [mpf(0), mpf(0)])
            for i in (0, 1):
                cell[i] += after[i] - before[i]
        before = after
    for i, law in enumerate(laws):
        if law.nothing:
            masses["suppressed"][i] += number(law.nothing)
    delta = kept + sum((max(m - growth * n, mpf(0)) for m, n in masses.values()), mpf(0))
    ratios = [mpmath.log(m / n) for m, n in masses.values() if min(m, n) > mpf(10) ** -20]
    return delta, max([star, *ratios])


def some_step(random: Random, last: bool) -> dict[str, Any]:
    key = random.choice(["clamp", "round", "floor", "ceil", "threshold", *(["bins"] * last)])
    match key:
        case "clamp":
            low = F(random.randint(-6, 6), 2)
            return {key: [low, low + F(random.randint(0, 8), 2)]}
        case "threshold":
            return {key: {"at": F(random.randint(-6, 6), 2),
                          "keep": random.choice(["at-least", "above"])}}  # fmt: skip
        case "bins":
            return {key: {"edges": sorted(random.sample(range(-4, 5), random.randint(1, 3)))}}
        case "round":
            return {key: {"to": F(random.choice([1, 2, 3]), 2),
                          "ties": random.choice(["up", "down", "even"])}}  # fmt: skip
    return {key: {"to": F(random.choice([1, 2, 3]), 2)}}


def some_law(random: Random, *, normal: bool) -> Law:
    count = random.randint(1, 3)
    sizes = [random.randint(1, 5) for _ in range(count)]
    means = random.sample(range(-4, 7), count)
    variances = [F(random.choice([0, 1, 2, 5]), 2) if normal else F(0) for _ in means]
    if normal and not any(variances):
        variances[0] = F(1)
    drawn = zip(means, variances, sizes, strict=True)
    return [(F(m, 2), v, F(s, sum(sizes))) for m, v, s in drawn], F(0)


def some_case(random: Random) -> tuple[Law, Law, str, Fraction, Steps, Fraction]:
    noise = random.choice(["gaussian", "laplace"])
    laws = [some_law(random, normal=noise == "laplace" or random.random() < 0.4) for _ in range(2)]
    count = random.randint(1, 3)
    steps = [some_step(random, k == count - 1) for k in range(count)]
    only_clamps = random.random() < 0.3
    if only_clamps:
        steps = [one for one in steps if "clamp" in one or "threshold" in one] or [
            {"clamp": [F(-1), F(3, 2)]}
        ]
    if any("threshold" in one for one in steps) and random.random() < 0.4:
        k, chance = random.randint(0, 1), F(random.randint(0, 3), 4)
        if any(made_of(F(y, 8), steps) == "suppressed" for y in range(-99, 100, 2)):
            atoms = [(m, F(0), w * chance) for m, _, w in laws[k][0]]
            laws[k] = (atoms if chance else [], 1 - chance)
    return (
        laws[0], laws[1], noise, F(random.choice([1, 2, 3, 5]), 2), steps,
        F(random.choice([0, 1, 3, 8]), 10),
    )  # fmt: skip
