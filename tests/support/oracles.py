"""Independent oracles: slow, direct, 60 digits, and never a line of the code under test.

Priors are plain dictionaries atom -> mass (Fractions). The noise is a scale and, for discrete
Laplace noise, a lattice step (None for Laplace noise). Every function returns mpmath numbers of
a private context, so that nobody else's precision changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from mpmath import MPContext

Table = dict[Fraction, Fraction]

DIGITS = 60
ctx = MPContext()
ctx.dps = DIGITS
mpf = ctx.mpf
CLOSE = mpf(10) ** -40  # nearer than this the oracle has no opinion


def real(value: Any) -> Any:
    """Turn an exact number into an mpmath number."""
    if isinstance(value, Fraction):
        return mpf(value.numerator) / value.denominator
    if isinstance(value, str):
        return real(Fraction(value))
    return mpf(value)


class Release:
    """The law of the released output for one prior, by direct sums over its atoms."""

    def __init__(self, prior: Table, scale: Any, step: Fraction | None = None) -> None:
        self.prior = [(atom, real(mass)) for atom, mass in prior.items()]
        self.scale = real(scale)
        self.step = step
        if step is None:
            self.front = 1 / (2 * self.scale)
        else:
            t = ctx.exp(-real(step) / self.scale)
            self.front = (1 - t) / (1 + t)

    def at(self, y: Any) -> Any:
        """Density (or mass, on the lattice) at one output."""
        exact = isinstance(y, Fraction)
        here = y if exact else mpf(y)
        total = mpf(0)
        for atom, mass in self.prior:
            distance = real(abs(atom - here)) if exact else abs(real(atom) - here)
            total += mass * ctx.exp(-distance / self.scale)
        return self.front * total

    def below(self, y: Any) -> Any:
        """P(Y <= y) for Laplace noise: the distribution function, atom by atom."""
        here = real(y)
        total = mpf(0)
        for atom, mass in self.prior:
            z = (here - real(atom)) / self.scale
            total += mass * (ctx.exp(z) / 2 if z < 0 else 1 - ctx.exp(-z) / 2)
        return total


def support(p: Table, q: Table) -> list[Fraction]:
    """Atoms of either prior, sorted."""
    return sorted({*p, *q})


def slow_grid(atoms: list[Fraction], per_gap: int) -> list[Fraction]:
    """Atoms, points between them, and points outside the hull."""
    points = list(atoms)
    for low, high in pairwise(atoms):
        points += [low + (high - low) * Fraction(k, per_gap + 1) for k in range(1, per_gap + 1)]
    width = max(atoms[-1] - atoms[0], Fraction(1))
    return [*points, atoms[0] - width, atoms[0] - width / 7, atoms[-1] + width / 3]


def pure_loss(p: Table, q: Table, scale: Any, per_gap: int = 3) -> Any:
    """Largest log ratio log(p/q) over a slow grid with all atoms."""
    first, second = Release(p, scale), Release(q, scale)
    grid = slow_grid(support(p, q), per_gap)
    return max(ctx.log(first.at(y) / second.at(y)) for y in grid)


def hockey_stick(p: Table, q: Table, scale: Any, epsilon: Any, step: Fraction | None = None) -> Any:
    """sup over events of P(B) - e**epsilon Q(B), noise added, by signs, roots and tails."""
    first, second = Release(p, scale, step), Release(q, scale, step)
    growth = ctx.exp(real(epsilon))

    def gap(y: Any) -> Any:
        return first.at(y) - growth * second.at(y)

    atoms = support(p, q)
    if step is not None:
        return _lattice_total(gap, atoms, first.scale, step)

    def between(low: Any, high: Any) -> Any:
        inside = first.below(high) - first.below(low)
        return inside - growth * (second.below(high) - second.below(low))

    total = mpf(0)
    if gap(atoms[0]) > 0:
        total += first.below(atoms[0]) - growth * second.below(atoms[0])
    if gap(atoms[-1]) > 0:
        total += 1 - first.below(atoms[-1]) - growth * (1 - second.below(atoms[-1]))
    for low, high in pairwise(atoms):
        cuts = [real(low), *_roots(gap, low, high), real(high)]
        for a, b in pairwise(cuts):
            if gap((a + b) / 2) > 0:
                total += between(a, b)
    return total


def _roots(gap: Callable[[Any], Any], low: Fraction, high: Fraction) -> list[Any]:
    """Sign changes found on a fine grid, then closed in on by values alone."""
    points = [real(low + (high - low) * Fraction(k, 8)) for k in range(9)]
    found = []
    for a, b in pairwise(points):
        at_a, at_b = gap(a), gap(b)
        if (at_a > 0) == (at_b > 0):
            continue
        for turn in range(200):  # bisection with regula falsi (Illinois) steps
            middle = (a + b) / 2 if turn % 8 == 7 else b - at_b * (b - a) / (at_b - at_a)
            value = gap(middle)
            if value == 0 or abs(b - a) <= abs(middle) * mpf(10) ** -50:
                break
            if (value > 0) == (at_b > 0):
                at_a /= 2
            else:
                a, at_a = b, at_b
            b, at_b = middle, value
        found.append(middle)
    return found


def _lattice_total(gap: Callable[[Any], Any], atoms: list[Fraction], scale: Any, step: Any) -> Any:
    """Brute sum over lattice points; beyond the atoms the terms are geometric."""
    count = int((atoms[-1] - atoms[0]) / step)
    t = ctx.exp(-real(step) / scale)
    values = [gap(atoms[0] + k * step) for k in range(count + 1)]
    total = sum((v for v in values if v > 0), mpf(0))
    for end in (values[0], values[-1]):
        if end > 0:
            total += end * t / (1 - t)
    return total


def quadrature(p: Table, q: Table, scale: Any, epsilon: Any) -> Any:
    """The same divergence by Gauss-Legendre quadrature of the positive part (15 digits or so)."""
    first, second = Release(p, scale), Release(q, scale)
    growth = ctx.exp(real(epsilon))
    atoms = support(p, q)
    width = 60 * first.scale
    ends = [real(atoms[0]) - width, *map(real, atoms), real(atoms[-1]) + width]

    def positive(y: Any) -> Any:
        return max(first.at(y) - growth * second.at(y), mpf(0))

    total = mpf(0)
    for low, high in pairwise(ends):
        pieces = ctx.linspace(low, high, 9)
        cuts = sorted({*pieces, *_roots_between(first, second, growth, pieces)})
        total += sum(_gauss(positive, a, b) for a, b in pairwise(cuts))
    return total


def _roots_between(first: Release, second: Release, growth: Any, points: list[Any]) -> list[Any]:
    found = []
    for a, b in pairwise(points):
        at_a = first.at(a) - growth * second.at(a)
        at_b = first.at(b) - growth * second.at(b)
        if at_a * at_b < 0:
            found.append(
                ctx.findroot(
                    lambda y: first.at(y) - growth * second.at(y), (a, b), solver="anderson"
                )
            )
    return found


def _gauss(function: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """Ten-point Gauss-Legendre rule, nodes from Legendre polynomials."""
    middle, half = (low + high) / 2, (high - low) / 2
    return half * sum(w * function(middle + half * x) for x, w in _nodes())


def _nodes(order: int = 10, known: list[Any] | None = None) -> list[Any]:
    if _NODES:
        return _NODES
    for x in ctx.polyroots(ctx.taylor(lambda z: ctx.legendre(order, z), 0, order)[::-1], 200, 100):
        slope = ctx.diff(lambda z: ctx.legendre(order, z), x)
        _NODES.append((x, 2 / ((1 - x * x) * slope * slope)))
    return _NODES


_NODES: list[Any] = []


def largest_excess(
    p: Table, q: Table, scale: Any, epsilon: Any, step: Fraction | None = None, per_gap: int = 5
) -> Any:
    """Largest p(y) - e**epsilon q(y) (at least 0) on a slow grid, or on the whole lattice hull."""
    first, second = Release(p, scale, step), Release(q, scale, step)
    growth = ctx.exp(real(epsilon))
    atoms = support(p, q)
    if step is None:
        grid = slow_grid(atoms, per_gap)
    else:
        count = int((atoms[-1] - atoms[0]) / step)
        grid = [atoms[0] + k * step for k in range(-2, count + 3)]
    return max(mpf(0), *(first.at(y) - growth * second.at(y) for y in grid))


# ------------------------------------------------------------------------- random priors


def random_masses(rng: Random, size: int, top: int = 60) -> list[Fraction]:
    """Masses > 0 that sum to 1."""
    weights = [rng.randint(1, top) for _ in range(size)]
    return [Fraction(w, sum(weights)) for w in weights]


def random_atoms(rng: Random, size: int, kind: str) -> list[Fraction]:
    """Different atoms: lattice, rational, negative or with one far away."""
    atoms: set[Fraction] = set()
    while len(atoms) < size:
        if kind == "lattice":
            atoms.add(Fraction(rng.randint(0, 2 * size + 2)))
        elif kind == "rational":
            atoms.add(Fraction(rng.randint(-40, 40), rng.randint(1, 9)))
        else:
            atoms.add(Fraction(rng.randint(-3 * size, 0)))
    if kind == "far":
        atoms.discard(max(atoms))
        atoms.add(Fraction(rng.choice([60, 300, 1000])))
    return sorted(atoms)


KINDS = ("lattice", "rational", "negative", "far")


def random_pair(rng: Random, kind: str, largest: int = 12) -> tuple[Table, Table]:
    """Two different priors over a common pool of atoms, overlapping or not."""
    while True:
        pool = random_atoms(rng, rng.randint(2, largest), kind)
        tables = []
        for _ in range(2):
            chosen = sorted(rng.sample(pool, rng.randint(1, len(pool))))
            tables.append(dict(zip(chosen, random_masses(rng, len(chosen)), strict=True)))
        if tables[0] != tables[1]:
            return tables[0], tables[1]


def near(rng: Random, value: Any, factors: Iterable[str]) -> Fraction:
    """A short rational near a positive number: the value times one of the factors."""
    product = value * real(rng.choice(list(factors)))
    return Fraction(ctx.nstr(product, 25, strip_zeros=False))


def convolved(p: Table, q: Table) -> Table:
    """Law of a sum of independent variables."""
    out: Table = {}
    for a, m in p.items():
        for b, n in q.items():
            out[a + b] = out.get(a + b, Fraction(0)) + m * n
    return out


def encloses(low: str, high: str, value: Any, slack: Any = None) -> bool:
    """Whether the decimals enclose the oracle's value, up to the oracle's own error."""
    error = (abs(value) + 1) * mpf(10) ** -45 if slack is None else slack
    bottom = mpf(0) if low == "0" else real(Fraction(low))
    top = ctx.inf if high == "inf" else real(Fraction(high))
    return bottom - error <= value <= top + error


def units_wide(low: str, high: str, digits: int) -> Fraction:
    """Width of an enclosure in units of the `digits`-th significant digit of its upper end."""
    bottom, top = Fraction(low), Fraction(high)
    if top == bottom:
        return Fraction(0)
    position = 0
    while Fraction(10) ** (position + 1) <= top:
        position += 1
    while Fraction(10) ** position > top:
        position -= 1
    return (top - bottom) / Fraction(10) ** (position - digits + 1)
