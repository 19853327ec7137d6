"""What is true of several numbers with Laplace noise, and of many releases, in high precision.

Densities by direct sums over points; a divergence on the line in closed form between atoms, in the
plane by a quadrature of these over the other coordinate, on a lattice by adding points up.  Shares
no code with the kernel, and uses none of its facts about many releases: these are points (x, .., x)
or (x_1, .., x_k).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

import kernel_builder as kb
import mpmath
from mpmath import mpf

Json = dict[str, Any]
Point = tuple[Fraction, ...]
Law = dict[Point, mpf]
KEYS = {"releases", "scales", "draws", "total"}
MESH = 24  # panels of a quadrature between two coordinates


def is_new(value: Json) -> bool:
    """Whether a problem is of these kinds."""
    noise = value.get("noise", {})
    joint = any(p["kind"] == "joint" for of in tables(value) for p in of.values())
    return joint or type(noise.get("scale")) is list or not KEYS.isdisjoint(noise)


def tables(value: Json) -> list[Json]:
    if "priors" not in value and "beliefs" not in value:
        return []
    return list(kb.beliefs(value).values())


def number(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def law(prior: Json) -> Law:
    """The points of a prior."""
    if prior["kind"] != "joint":
        return {(x,): m for x, m in kb.law(prior).items()}
    rows = prior.get("rows") or prior.get("counts") or []
    total = sum(kb.exact(row[-1]) for row in rows)
    return {
        tuple(map(kb.exact, row[:-1])): number(kb.exact(row[-1]) / total)
        for row in rows if kb.exact(row[-1])
    }  # fmt: skip


def scales_of(noise: Json) -> list[mpf]:
    """Of every release, where all are stated."""
    if "scales" in noise:
        return [kb.real(x) for x in noise["scales"]]
    return [kb.real(noise["scale"])] * int(noise.get("releases", 1))


MOST_PLACES = 100_000


class Unjudged(Exception):  # noqa: N818
    """A problem that this oracle does not judge."""


class TooLargeError(Exception):
    """More points of a lattice than are summed up one by one."""


class Pair:
    """Two laws of points, with a scale for every coordinate."""

    def __init__(self, value: Json, belief: str, source: str, target: str) -> None:
        noise, priors = value["noise"], kb.beliefs(value)[belief]
        laws = [law(priors[source]), law(priors[target])]
        size = len(next(iter(laws[0])))
        self.step = kb.exact(noise["step"]) if "step" in noise else None
        self.epsilon, self.delta = kb.real(value["epsilon"]), kb.real(value.get("delta", 0))
        if "total" in noise:  # the worst way to spend it
            worth = 1 if self.step is None else number(self.step)
            self.scales, self.laws = [worth / kb.real(noise["total"])] * size, laws
            return
        if not {"scale", "scales"} & noise.keys():
            raise Unjudged("the oracle knows scales alone")
        if type(noise["scale" if "scale" in noise else "scales"]) is list and "scale" in noise:
            each = [kb.real(x) for x in noise["scale"]]
        else:
            each = []
        many = scales_of(noise) if not each else [mpf(0)] * int(noise.get("releases", 1))
        self.scales = each * len(many) if each else [s for s in many for _ in range(size)]
        if noise.get("draws") == "fresh":
            self.laws = [self._fresh(one, len(many)) for one in laws]
        else:
            self.laws = [{x * len(many): m for x, m in one.items()} for one in laws]

    @staticmethod
    def _fresh(one: Law, count: int) -> Law:
        found: Law = {}
        for drawn in product(one.items(), repeat=count):
            point = tuple(c for x, _ in drawn for c in x)
            found[point] = found.get(point, mpf(0)) + mpmath.fprod(m for _, m in drawn)
        return found

    @property
    def axes(self) -> list[list[Fraction]]:
        """The coordinates of the points."""
        columns = zip(*(x for one in self.laws for x in one), strict=True)
        return [sorted(set(column)) for column in columns]

    def densities(self, y: Any) -> list[mpf]:
        """p and q at a point, up to the noise's constant."""
        return [
            mpmath.fsum(
                m * mpmath.exp(-mpmath.fsum(
                    abs(mpf(b) - number(a) if isinstance(b, mpf) else number(b - a)) / s
                    for a, b, s in zip(x, y, self.scales, strict=True)
                ))
                for x, m in one.items()
            )
            for one in self.laws
        ]  # fmt: skip

    def loss(self) -> mpf:
        """The largest log ratio on the grid; of single points what they are apart, over scales."""
        if all(len(one) == 1 for one in self.laws):
            ((a,), (b,)) = self.laws
            apart = zip(a, b, self.scales, strict=True)
            return mpmath.fsum(abs(number(x - y)) / s for x, y, s in apart)
        found = [self.densities(c) for c in product(*self.axes)]
        return max(mpmath.log(p / q) for p, q in found)

    def divergence(self) -> mpf:
        """The hockey-stick divergence."""
        if self.step is not None:
            return self._on_lattice()
        if len(self.scales) == 1:
            return self._on_line({x[0]: m for x, m in self.laws[0].items()},
                                 {x[0]: m for x, m in self.laws[1].items()}, self.scales[0])
        return self._in_plane()

    def _on_line(self, p: dict[Fraction, mpf], q: dict[Fraction, mpf], scale: mpf) -> mpf:
        factor = mpmath.exp(self.epsilon)
        jumps = {x: p.get(x, mpf(0)) - factor * q.get(x, mpf(0)) for x in sorted({*p, *q})}
        atoms = [*jumps]

        def g(y: Fraction) -> mpf:
            return mpmath.fsum(j * mpmath.exp(-number(abs(y - x)) / scale)
                               for x, j in jumps.items())

        total = (max(g(atoms[0]), mpf(0)) + max(g(atoms[-1]), mpf(0))) / 2
        come = mpf(0)  # of what lies to the left, at the lower end
        for low, high in pairwise(atoms):
            tau = mpmath.exp(-number(high - low) / scale)
            left = jumps[low] + come
            come = left * tau
            right = mpmath.fsum(j * mpmath.exp(-number(x - high) / scale)
                                for x, j in jumps.items() if x >= high)
            total += _part(left, right, tau) / 2
        return total

    def _in_plane(self) -> mpf:
        """Gauss-Legendre over the second coordinate, exactly over the first."""
        if len(self.scales) != 2:
            raise TooLargeError
        axis, scale = self.axes[1], self.scales[1]
        nodes = [(mpf("0.5") - mpmath.sqrt(mpf(3) / 5) / 2, mpf(5) / 18), (mpf("0.5"), mpf(8) / 18),
                 (mpf("0.5") + mpmath.sqrt(mpf(3) / 5) / 2, mpf(5) / 18)]  # fmt: skip

        def inner(y: mpf) -> mpf:
            rows: list[dict[Fraction, mpf]] = [{}, {}]
            for row, one in zip(rows, self.laws, strict=True):
                for x, m in one.items():
                    weight = m * mpmath.exp(-abs(y - number(x[1])) / scale)
                    row[x[0]] = row.get(x[0], mpf(0)) + weight
            return self._on_line(*rows, self.scales[0])

        total = (inner(number(axis[0])) + inner(number(axis[-1]))) / 2
        for low, high in pairwise(axis):
            width = number(high - low) / MESH
            for k in range(MESH):
                at = number(low) + k * width
                total += mpmath.fsum(
                    w * inner(at + u * width) for u, w in nodes
                ) * width / (2 * scale)  # fmt: skip
        return total

    def _on_lattice(self) -> mpf:
        """All points of the box of the atoms, and around it one that stands for a tail."""
        assert self.step is not None
        ranges = []
        for axis, scale in zip(self.axes, self.scales, strict=True):
            t = mpmath.exp(-number(self.step) / scale)
            count = int((axis[-1] - axis[0]) / self.step) + 1
            if count > MOST_PLACES:
                raise TooLargeError(f"{count} places")
            places = [(axis[0] + k * self.step, (1 - t) / (1 + t)) for k in range(count)]
            tails = [(axis[0], t / (1 + t)), (axis[-1], t / (1 + t))]
            ranges.append(places + tails)
        if prod(map(len, ranges)) > MOST_PLACES:
            raise TooLargeError("too many places together")
        factor, total = mpmath.exp(self.epsilon), mpf(0)
        for cell in product(*ranges):
            p, q = self.densities([x for x, _ in cell])
            total += max(p - factor * q, mpf(0)) * mpmath.fprod(w for _, w in cell)
        return total

    def excess(self) -> mpf:
        """> 0 iff the goal fails."""
        return self.loss() - self.epsilon if self.delta == 0 else self.divergence() - self.delta


def _part(a: mpf, b: mpf, tau: mpf) -> mpf:
    """The integral over u from 0 to w of [a e^-u + b e^-(w-u)]_+, tau = e^-w."""
    if a < b:
        a, b = b, a
    if a + b * tau <= 0:
        return mpf(0)
    if a * tau + b >= 0:
        return (a + b) * (1 - tau)
    return (mpmath.sqrt(a) - mpmath.sqrt(-b * tau)) ** 2


def bare_excess(value: Json, belief: str, source: str, target: str) -> mpf:
    """The same of points that nothing is added to."""
    priors = kb.beliefs(value)[belief]
    p, q = law(priors[source]), law(priors[target])
    factor, zero = mpmath.exp(kb.real(value["epsilon"])), mpf(0)
    gaps = [p.get(x, zero) - factor * q.get(x, zero) for x in {*p, *q}]
    return mpmath.fsum(max(gap, zero) for gap in gaps) - kb.real(value.get("delta", 0))


def is_true(value: Json, cert: Json, word: str) -> bool:
    """Whether what an accepted certificate claims holds."""
    bare = value["noise"]["kind"] == "none"
    goals = kb.ordered_goals(value)
    slack = mpf(10) ** (-9 if kb.real(value.get("delta", 0)) != 0 else -45)
    if word == "scales":
        return all(_step_is_true(value, step, slack) for step in cert["steps"])
    of = bare_excess if bare else _binned_excess if _is_binned(value) else _pair_excess
    excess = {goal: of(value, *goal) for goal in goals}
    if word == "certified":
        return max(excess.values()) <= slack
    step = cert["steps"][0]
    return excess[step["belief"], step["from"], step["to"]] > -slack


def _pair_excess(value: Json, *goal: str) -> mpf:
    """Before the steps, of which a refutation is one behind them where the kernel says so."""
    return Pair(value, *goal).excess()


def _is_binned(value: Json) -> bool:
    """Whether every release is put into bins, which hide much."""
    return any("bins" in step and "coordinate" not in step for step in value.get("post", []))


def _binned_excess(value: Json, belief: str, source: str, target: str) -> mpf:
    """The divergence of all bins of all releases, one by one, with Laplace noise; less delta."""
    (step,) = value["post"]
    noise, priors = value["noise"], kb.beliefs(value)[belief]
    ends = [-mpmath.inf, *map(kb.real, step["bins"]["edges"]), mpmath.inf]
    places = product(range(len(ends) - 1), repeat=len(scales_of(noise)))

    def below(y: mpf, x: mpf, scale: mpf) -> mpf:
        tail = mpmath.exp(-abs(y - x) / scale) / 2
        return tail if y < x else 1 - tail

    def mass(x: mpf, place: int, scale: mpf) -> mpf:
        return below(ends[place + 1], x, scale) - below(ends[place], x, scale)

    def of(prior: Json, bins: tuple[int, ...]) -> mpf:
        each = [[(m, mass(number(x), k, scale)) for (x,), m in law(prior).items()]
                for k, scale in zip(bins, scales_of(noise), strict=True)]  # fmt: skip
        if noise.get("draws") == "fresh":
            return mpmath.fprod(mpmath.fsum(m * at for m, at in row) for row in each)
        return mpmath.fsum(row[0][0] * mpmath.fprod(at for _, at in row)
                           for row in zip(*each, strict=True))  # fmt: skip

    growth = mpmath.exp(kb.real(value["epsilon"]))
    return mpmath.fsum(
        max(of(priors[source], bins) - growth * of(priors[target], bins), 0) for bins in places
    ) - kb.real(value.get("delta", 0))  # fmt: skip


def _step_is_true(value: Json, step: Json, slack: mpf) -> bool:
    scale = step["scale"] if step["rule"] == "scale" else step["upper"]
    if scale == "0":
        return max(bare_excess(value, *goal) for goal in kb.ordered_goals(value)) <= slack
    at = {**value, "noise": {**value["noise"], "scale": scale}}
    worst = max(Pair(at, *goal).excess() for goal in kb.ordered_goals(value))
    if step["rule"] == "minimum" or step["verdict"] == "certified":
        return worst <= slack
    return worst > -slack
