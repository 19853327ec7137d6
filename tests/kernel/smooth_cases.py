"""Normal mixtures for the tests of the kernel: an oracle, and an untrusted search for charts.

The oracle evaluates releases with mpmath, roots of the difference by bisection on a grid; it shares
no code with the kernel.  The search finds cells and points with it and asks the kernel's own
`cell_sign` whether a cell will do: what it writes proves nothing, the kernel has to accept it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import kernel_builder as kb
import mpmath
from core.density import cell_sign, waves
from core.enclose import Arithmetic, Undecided
from core.rules import Rejected
from core.smooth import Normals, Smooth, Split
from core.value import enclose_number, form_of
from core.work import Check
from mpmath import mpf
from reader import reader
from reader.goals import goals_of

Json = dict[str, Any]
FINE = Fraction(1, 1 << 44)  # half the width of a bracket, relative to the problem's spread


def normal(mean: Any, variance: Any) -> Json:
    return {"kind": "gaussian", "mean": mean, "variance": variance}


def mixture(*parts: tuple[Any, Any, Any]) -> Json:
    """A prior of (weight, mean, variance)."""
    names = ("weight", "mean", "variance")
    return {"kind": "mixture", "components": [dict(zip(names, p, strict=True)) for p in parts]}


def problem(
    p: Json, q: Json, epsilon: Any = 1, delta: Any = 0, noise: Any = 2, **more: Any
) -> Json:
    """A problem with the secrets a and b; noise is a Laplace scale or a table."""
    return {
        "schema": "pfverify/problem/1",
        "epsilon": epsilon,
        "delta": delta,
        "noise": noise if isinstance(noise, dict) else {"kind": "laplace", "scale": noise},
        "priors": {"a": p, "b": q},
        **more,
    }


def step(rule: str, source: str = "a", target: str = "b", **more: Any) -> Json:
    return {"rule": rule, "belief": "default", "from": source, "to": target, **more}


# ---------------------------------------------------------------- the oracle


def law(prior: Json) -> list[tuple[mpf, mpf, mpf]]:
    """(weight, mean, variance) as they are written, not merged."""
    if prior["kind"] == "discrete":
        return [(m, mp_of(x), mpf(0)) for x, m in kb.law(prior).items()]
    parts = prior["components"] if prior["kind"] == "mixture" else [{**prior, "weight": 1}]
    found = []
    for part in parts:
        variance = kb.exact(part["variance"]) if "variance" in part else kb.exact(part["sd"]) ** 2
        found.append(tuple(mp_of(kb.exact(x)) for x in (part["weight"], part["mean"], variance)))
    return [part for part in found if part[0]]


def mp_of(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def crossing(
    f: Callable[[mpf], mpf], first: tuple[mpf, mpf], second: tuple[mpf, mpf], bits: int
) -> mpf:
    """Where f changes its sign between two points (x, f(x)), to so many bits of their distance:
    Chandrupatla's method, interpolation where that is safe and bisection elsewhere."""
    (a, fa), (b, fb) = first, second
    least = abs(b - a) * mpf(2) ** -bits
    share = mpf(1) / 2
    while True:
        x = a + share * (b - a)
        fx = f(x)
        if fx * fa > 0:
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = x, fx
        margin = least / abs(b - a)
        if fx == 0 or margin > mpf(1) / 2:
            return a if abs(fa) < abs(fb) else b
        share = mpf(1) / 2
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:
            share = fa * fc / ((fb - fa) * (fb - fc))
            share += (c - a) / (b - a) * fa * fb / ((fc - fa) * (fc - fb))
        share = min(1 - margin, max(margin, share))


class Truth:
    """One ordered pair: densities, masses and one-sided sums in high precision."""

    def __init__(self, value: Json, source: str, target: str, amount: mpf | None = None) -> None:
        noise = value["noise"]
        self.kind = noise["kind"]
        if amount is None and "scale" in noise:
            amount = kb.real(noise["scale"])
        if self.kind == "gaussian":
            self.variance = kb.real(noise["variance"]) if amount is None else amount**2
        else:
            self.scale = amount
        self.P, self.Q = law(value["priors"][source]), law(value["priors"][target])
        self.epsilon, self.delta = kb.real(value["epsilon"]), kb.real(value.get("delta", 0))
        self.factor = mpmath.exp(self.epsilon)
        self.form = value.get("form", "events")
        spreads = [mpmath.sqrt(v) for _, _, v in self.P + self.Q]
        self.noise_sd = self.scale if self.kind == "laplace" else mpmath.sqrt(self.variance)
        means = [m for _, m, _ in self.P + self.Q]
        self.width = max(*spreads, self.noise_sd)
        reach = 8 * max(spreads) + 12 * self.noise_sd
        self.range = min(means) - reach, max(means) + reach
        self.means = means
        self._laplace_part = cache(self._laplace_part)  # g and both sides are asked on one grid

    def one(self, m: mpf, v: mpf, y: mpf) -> mpf:
        """The density of N(m, v) with noise."""
        if self.kind == "gaussian":
            return mpmath.npdf(y, m, mpmath.sqrt(v + self.variance))
        b = self.scale
        if not v:
            return mpmath.exp(-abs(y - m) / b) / (2 * b)
        return self._laplace_part(m, v, y, 1) + self._laplace_part(m, v, y, -1)

    def _laplace_part(self, m: mpf, v: mpf, y: mpf, way: int) -> mpf:
        """The part from x <= y (way = 1) or x >= y (way = -1)."""
        b, d = self.scale, way * (y - m)
        scaled = mpmath.erfc((v / b - d) / mpmath.sqrt(2 * v))
        return mpmath.exp(v / (2 * b * b) - d / b) * scaled / (4 * b)

    def sided(self, y: mpf, way: int) -> mpf:
        """The part of g that comes from one side of y; an atom at y counts on the left."""
        total = mpf(0)
        for prior, sign in ((self.P, 1), (self.Q, -self.factor)):
            for w, m, v in prior:
                if v:
                    total += sign * w * self._laplace_part(m, v, y, way)
                elif (m <= y) == (way == 1):
                    total += sign * w * self.one(m, v, y)
        return total

    def density(self, prior: list[tuple[mpf, mpf, mpf]], y: mpf) -> mpf:
        return mpmath.fsum(w * self.one(m, v, y) for w, m, v in prior)

    def g(self, y: mpf) -> mpf:
        return self.density(self.P, y) - self.factor * self.density(self.Q, y)

    def below(self, prior: list[tuple[mpf, mpf, mpf]], y: mpf) -> mpf:
        """The distribution function."""
        total = mpf(0)
        for w, m, v in prior:
            if self.kind == "gaussian":
                total += w * mpmath.ncdf(y, m, mpmath.sqrt(v + self.variance))
            elif v:
                a, c = (self._laplace_part(m, v, y, way) for way in (1, -1))
                total += w * (mpmath.ncdf(y, m, mpmath.sqrt(v)) - self.scale * (a - c))
            else:
                tail = mpmath.exp(-abs(y - m) / self.scale) / 2
                total += w * (1 - tail if y >= m else tail)
        return total

    def mass(self, low: mpf, high: mpf) -> mpf:
        """P(Y in the interval) - e^epsilon P'(Y in it)."""
        parts = []
        for prior in (self.P, self.Q):
            top = mpf(1) if high == mpmath.inf else self.below(prior, high)
            parts.append(top - (mpf(0) if low == -mpmath.inf else self.below(prior, low)))
        return parts[0] - self.factor * parts[1]

    def grid(self, count: int) -> list[mpf]:
        low, high = self.range
        even = [low + (high - low) * i / count for i in range(count + 1)]
        near = [m + k * w / 4 for m in self.means for w in {self.width} for k in range(-8, 9)]
        return sorted({*even, *near, *self.means})

    def roots(self, f: Callable[[mpf], mpf], count: int = 160) -> list[mpf]:
        """Where f is 0 on a grid or changes its sign between its points, to about 40 digits."""
        grid = self.grid(count)
        values = [f(y) for y in grid]
        found = []
        for (a, fa), (b, fb) in pairwise(zip(grid, values, strict=True)):
            if fa == 0:
                found.append(a)
            if fa * fb < 0:
                found.append(crossing(f, (a, fa), (b, fb), 100))
        return found

    def divergence(self) -> mpf:
        """The integral of [g]_+."""
        ends = [-mpmath.inf, *self.roots(self.g), mpmath.inf]
        return mpmath.fsum(max(self.mass(a, b), mpf(0)) for a, b in pairwise(ends))

    def highest(self, f: Callable[[mpf], mpf]) -> mpf:
        """The supremum of f over a grid, refined near the three best points."""
        grid = self.grid(120)
        values = [f(y) for y in grid]
        best = max(values)
        order = sorted(range(len(grid)), key=lambda i: -values[i])[:3]
        small = self.width * mpf(10) ** -13

        def rise(y: mpf) -> mpf:
            return f(y + small) - f(y - small)

        for i in order:  # a kink is at an atom, which is a point of the grid
            a, b = grid[max(0, i - 1)], grid[min(len(grid) - 1, i + 1)]
            up, down = rise(a), rise(b)
            if down < 0 < up:
                best = max(best, f(crossing(rise, (a, up), (b, down), 50)))
        return best

    def tail(self, way: int) -> mpf:
        """log of p/q far away."""
        if self.kind == "gaussian":
            y = (self.range[0] if way < 0 else self.range[1]) + way * 40 * self.width
            return mpmath.log(self.density(self.P, y) / self.density(self.Q, y))
        b = self.scale
        moments = [
            mpmath.fsum(w * mpmath.exp(way * m / b + v / (2 * b * b)) for w, m, v in prior)
            for prior in (self.P, self.Q)
        ]
        return mpmath.log(moments[0] / moments[1])

    def loss(self) -> mpf:
        """sup log p/q."""
        ratio = self.highest(
            lambda y: mpmath.log(self.density(self.P, y) / self.density(self.Q, y))
        )
        return max(ratio, self.tail(1), self.tail(-1))

    def excess(self) -> mpf:
        """How much the goal is exceeded by: of log ratios, of densities, or of masses."""
        if self.delta == 0:
            return self.loss() - self.epsilon
        if self.form == "pointwise":
            return self.highest(self.g) - self.delta
        return self.divergence() - self.delta


def is_smooth(value: Any) -> bool:
    """Whether a problem is about two priors of which one has a density."""
    if not isinstance(value, dict) or set(value.get("priors", {})) != {"a", "b"}:
        return False
    return any(prior["kind"] in ("gaussian", "mixture") for prior in value["priors"].values())


def is_true(value: Json, cert: Json, word: str) -> bool:
    """What a certificate of a problem of two normal mixtures says, by the oracle."""
    with mpmath.workdps(40):
        if word == "certified":
            return _holds(value, None)
        if word == "refuted":
            return _fails(value, cert["steps"][0], None)
        return all(_scale_is_true(value, s) for s in cert["steps"])


def _holds(value: Json, amount: mpf | None) -> bool:
    ways = (("a", "b"), ("b", "a"))
    return all(Truth(value, *way, amount).excess() < mpf(10) ** -20 for way in ways)


def _fails(value: Json, found: Json, amount: mpf | None) -> bool:
    """Whether a refuting step has its margin."""
    truth, margin = Truth(value, found["from"], found["to"], amount), kb.real(found["margin"])
    if found["rule"] == "event-refuted":
        ends = [[mpf(x) if x.endswith("inf") else kb.real(x) for x in s] for s in found["event"]]
        excess = mpmath.fsum(truth.mass(low, high) for low, high in ends) - truth.delta
    elif found["rule"] == "pointwise-refuted":
        excess = truth.g(kb.real(found["y"])) - truth.delta
    else:
        p, q = (truth.density(prior, kb.real(found["y"])) for prior in (truth.P, truth.Q))
        excess = mpmath.log(p / q) - truth.epsilon
    return excess >= margin > 0


def _scale_is_true(value: Json, found: Json) -> bool:
    """A scale with its verdict, or a minimum; for none at all, two scales stand for every one."""
    if found["rule"] == "scale":
        scale = kb.real(found["scale"])
        if found["verdict"] == "certified":
            return _holds(value, scale)
        return _fails(value, found["steps"][0], scale)
    if found["upper"] == "inf":
        return not any(_holds(value, scale) for scale in (mpf("0.3"), mpf(5)))
    lower, upper = kb.real(found["lower"]), kb.real(found["upper"])
    return _holds(value, upper) and (not lower or _fails(value, found["lower_step"], lower))


# ---------------------------------------------------------------- an untrusted search


def goals(value: Json) -> list[Normals]:
    parsed = reader.problem_of(value)
    found = goals_of(parsed, parsed.release.at(parsed.release.amount), Check(0))
    return [goal for goal in found if isinstance(goal.P, Smooth)]


def spread(goal: Normals) -> Fraction:
    """The variance that gaussian noise adds."""
    return goal.P.spread


def near(x: mpf, digits: int = 60) -> Fraction:
    """A dyadic number near x."""
    return Fraction(int(mpmath.floor(x * mpf(2) ** digits)), 1 << digits)


def tail_cells(curve: list[Any], ar: Arithmetic, centre: Fraction, width: Fraction) -> list[Any]:
    """[low cell, high cell], as near to the centre as doublings find."""
    found = []
    for way in (-1, 1):
        distance = width / 8
        while True:
            x = centre + way * distance
            for r in range(len(curve)):
                try:
                    ends = (None, x) if way < 0 else (x, None)
                    cell_sign(curve, *ends, 0, r, ar)
                    found.append((*ends, r))
                    break
                except (Rejected, Undecided):
                    continue
            else:
                distance *= Fraction(3, 2)
                if distance > 10**6 * width:
                    raise LookupError("no tail cell")
                distance = Fraction(int(distance * 1024) + 1, 1024)
                continue
            break
    return found


def cells(goal: Normals, bits: int = 160, order: int = 10) -> list[Json]:
    """Sign cells of h by bisection; what is still undecided at the last depth stays out."""
    ar = Arithmetic(bits)
    flat = None
    if goal.form == "pointwise" and not goal.delta_is_zero:
        flat = enclose_number(goal.delta, ar)
    curve = waves(Split(goal, form_of(goal.epsilon), ar, flat))
    if not curve:
        return []
    if len(curve) == 1:
        return [["-inf", "inf", 0, 0]]
    means = [t[0] for t in goal.P.components + goal.Q.components]
    most = max(t[1] for t in goal.P.components + goal.Q.components) + spread(goal)
    width = near(mpmath.sqrt(mp_of(most)), 10) + max(means) - min(means)
    low, high = tail_cells(curve, ar, (min(means) + max(means)) / 2, width)
    found: list[Any] = [["-inf", str(low[1]), 0, low[2]]]

    def split(a: Fraction, b: Fraction, depth: int) -> None:
        for r in range(len(curve)):
            try:
                cell_sign(curve, a, b, order, r, ar)
            except (Rejected, Undecided):
                continue
            found.append([str(a), str(b), order, r])
            return
        if depth:
            middle = (a + b) / 2
            split(a, middle, depth - 1)
            split(middle, b, depth - 1)

    a, b = low[1], high[0]
    ends = [a + (b - a) * k / 16 for k in range(17)]
    for c, d in pairwise(ends):
        split(c, d, 40)
    found.append([str(high[0]), "inf", 0, high[2]])
    return found


def chart(value: Json, goal: Normals, bits: int = 160) -> Json:
    """A chart step: the ends of the cells, brackets of the zeros of g and of both sides."""
    density = cells(goal, bits)
    points: set[Fraction] = set()
    if goal.release.kind == "laplace":
        truth = Truth(value, *goal.names[1:])
        for cell in density:
            points |= {Fraction(x) for x in cell[:2] if not x.endswith("inf")}
        shift = mpf(0) if truth.form == "events" or truth.delta == 0 else truth.delta
        for f in (
            lambda y: truth.g(y) - shift,
            lambda y: truth.sided(y, 1) - shift / 2,
            lambda y: truth.sided(y, -1) - shift / 2,
        ):
            points |= brackets(truth, truth.roots(f), f)
        points |= {near(m, 20) for m in truth.means}
        points |= {m for m, v, _ in goal.P.components + goal.Q.components if not v}
    return step(
        "chart", *goal.names[1:], bits=bits, density=density,
        points=[str(x) for x in sorted(points)],
    )  # fmt: skip


def brackets(truth: Truth, roots: list[mpf], f: Callable[[mpf], mpf]) -> set[Fraction]:
    """Two points around each root, but for what is only noise of the oracle far out in a tail."""
    found = set()
    for y in roots:
        if abs(f(y + truth.width / 1000)) > mpf(10) ** -30 * truth.density(truth.P, y):
            found |= {near(y, 80) + s * FINE * near(truth.width, 20) for s in (-1, 1)}
    return found


def prove(value: Json, bits: int = 160) -> list[Json]:
    """A certified step for every goal: charts only."""
    return [chart(value, goal, bits) for goal in goals(value)]


def answer(value: Json, steps: list[Json], result: str = "certified") -> tuple[str, str]:
    return kb.run(value, kb.certificate(value, result, steps))
