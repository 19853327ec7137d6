"""Releases with steps after the noise, by brute force, and never a line of the code under test.

A problem is the table of its file. Its steps are plain functions, written from the guide's words,
and are applied to one point after the other: to the points of the lattice in a wide window, or (for
Laplace noise) to two points between each two places where some step may jump. What lies beyond the
window is added whole. Every distance is a multiple of 1/D, and masses are made of the powers of
e**(-1/(D scale)): fractions where that is rational, else numbers of 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, lcm
from typing import Any, NamedTuple

from support.oracles import ctx, mpf, real

Json = dict[str, Any]
Image = Fraction | str
Function = Callable[[Fraction], Image]
NO_ROW = "nothing"
HALF = Fraction(1, 2)
KEPT = "density"  # an interval whose numbers are published as they are: its mass, and beside it
LEFT, RIGHT, WIDE = "at its left end", "at its right end", "e**(-width/scale)"


# ---------------------------------------------------------------- the steps


def rounded(x: Fraction, to: Fraction, ties: str) -> Fraction:
    """The nearest multiple; of two that are as near, that which `ties` names."""
    below = floor(x / to)
    near, far = x - below * to, (below + 1) * to - x
    if near == far:
        below += {"up": 1, "down": 0, "even": below % 2}[ties]
    elif far < near:
        below += 1
    return below * to


def bin_of(x: Fraction, edges: list[Fraction]) -> str:
    """The name of the interval that a number lies in."""
    inside = [a for a in edges if a <= x]
    outside = [b for b in edges if b > x]
    low = f"[{inside[-1]}" if inside else "(-inf"
    return f"{low}, {outside[0] if outside else 'inf'})"


def one(step: Json, x: Fraction) -> Image:
    """What one step makes of a number."""
    ((key, value),) = step.items()
    if key == "clamp":
        low, high = map(Fraction, value)
        return min(max(x, low), high)
    if key == "round":
        return rounded(x, Fraction(value["to"]), value.get("ties", "up"))
    if key == "floor":
        return floor(x / Fraction(value["to"])) * Fraction(value["to"])
    if key == "ceil":
        return ceil(x / Fraction(value["to"])) * Fraction(value["to"])
    if key == "threshold":
        at = Fraction(value["at"])
        kept = x > at if value.get("keep") == "above" else x >= at
        return x if kept else "suppressed"
    if key == "bins":
        return bin_of(x, [Fraction(e) for e in value["edges"]])
    if key == "modulo":
        return x % Fraction(value)
    raise AssertionError(key)


def published(steps: list[Json], x: Fraction) -> Image:
    """What all of them make of it: what is no number any more stays."""
    image: Image = x
    for step in steps:
        if isinstance(image, Fraction):
            image = one(step, image)
    return image


def jumps(step: Json, low: Fraction, high: Fraction) -> list[Fraction]:
    """The places in a window where a step may jump or bend."""
    ((key, value),) = step.items()
    if key == "clamp":
        return [Fraction(x) for x in value]
    if key == "threshold":
        return [Fraction(value["at"])]
    if key == "bins":
        return [Fraction(x) for x in value["edges"]]
    half = Fraction(value["to"]) / 2
    return [k * half for k in range(ceil(low / half), floor(high / half) + 1)]


# ---------------------------------------------------------------- the noise


class Powers:
    """Powers of a base in (0, 1), as distances ask for them."""

    def __init__(self, base: Any, per_unit: int) -> None:
        self.known, self.base, self.per_unit = [base**0], base, per_unit

    def of(self, distance: Fraction) -> Any:
        exponent = distance * self.per_unit
        assert exponent.denominator == 1, (distance, self.per_unit)
        while len(self.known) <= exponent:
            self.known.append(self.known[-1] * self.base)
        return self.known[int(exponent)]


class Piece(NamedTuple):
    """A part of the line, up to its end, with one output; None: no end."""

    low: Fraction | None
    high: Fraction | None
    output: Any


class Lattice:
    """Discrete Laplace noise: pieces are [low, high), of whole points."""

    def __init__(self, powers: Powers, step: Fraction) -> None:
        self.powers, self.step = powers, step
        self.s = powers.of(step)

    def from_on(self, d: Fraction) -> Any:
        """P(N >= d)."""
        if d > 0:
            return self.powers.of(d) / (1 + self.s)
        return 1 - self.powers.of(self.step - d) / (1 + self.s)

    def up_to(self, d: Fraction) -> Any:
        """P(N < d)."""
        return self.from_on(self.step - d)

    def mass(self, piece: Piece, atom: Fraction) -> Any:
        if piece.low is None:
            assert piece.high is not None
            return self.up_to(piece.high - atom)
        if piece.high is None:
            return self.from_on(piece.low - atom)
        assert piece.high - piece.low == self.step
        return self.powers.of(abs(piece.low - atom)) * (1 - self.s) / (1 + self.s)

    def wrapped(self, distance: Fraction, modulus: Fraction) -> Any:
        """P(N = distance up to multiples), by the two geometric series that end at 0."""
        d = distance % modulus
        right = self.powers.of(d)  # d, d + m, ...
        left = self.powers.of(modulus - d)  # m - d, 2 m - d, ... to the left
        front = (1 - self.s) / (1 + self.s)
        return front * (right + left) / (1 - self.powers.of(modulus))


class Line:
    """Laplace noise."""

    def __init__(self, powers: Powers) -> None:
        self.powers = powers

    def up_to(self, d: Fraction) -> Any:
        """P(N < d)."""
        half = self.powers.of(abs(d)) / 2
        return half if d < 0 else 1 - half

    def from_on(self, d: Fraction) -> Any:
        """P(N >= d), without cancelling."""
        return self.up_to(-d)

    def mass(self, piece: Piece, atom: Fraction) -> Any:
        low, high = (None if x is None else x - atom for x in (piece.low, piece.high))
        if low is None:
            assert high is not None
            return self.up_to(high)
        if high is None:
            return self.from_on(low)
        if low >= 0:
            return self.from_on(low) - self.from_on(high)
        return self.up_to(high) - self.up_to(low)


class Bounded(Line):
    """Laplace noise that is drawn again until it is at most `bound` in size."""

    def __init__(self, powers: Powers, bound: Fraction) -> None:
        super().__init__(powers)
        self.bound, self.far = bound, powers.of(bound)

    def up_to(self, d: Fraction) -> Any:
        if abs(d) >= self.bound:
            return 1 * (d > 0)
        inside = (self.powers.of(abs(d)) - self.far) / (2 * (1 - self.far))
        return inside if d < 0 else 1 - inside


# ---------------------------------------------------------------- the law that is published


class Released(NamedTuple):
    """Input -> output -> mass; whether numbers between the atoms keep a density."""

    of: dict[Any, dict[Any, Any]]
    keeps_density: bool
    pieces: int


def inputs(table: Json) -> dict[str, dict[str, dict[Any, Fraction]]]:
    """Belief -> secret -> atom, or "nothing" -> mass."""

    def law(prior: Json) -> dict[Any, Fraction]:
        if prior["kind"] == "nothing":
            chance = Fraction(prior.get("chance", 0))
            rest = law(prior["or"]) if chance else {}
            found: dict[Any, Fraction] = {x: m * chance for x, m in rest.items()}
            return {NO_ROW: 1 - chance, **found}
        return {Fraction(x): Fraction(m) for x, m in prior["mass"].items()}

    beliefs = table.get("beliefs") or {"default": {"priors": table["priors"]}}
    return {
        name: {secret: law(prior) for secret, prior in belief["priors"].items()}
        for name, belief in beliefs.items()
    }


def grid_of(table: Json) -> int:
    """The D of which every distance is a multiple of 1/D."""
    found = [Fraction(table["noise"].get(key, 1)).denominator for key in ("step", "bound")]
    for belief in inputs(table).values():
        for law in belief.values():
            found += [x.denominator for x in law if x != NO_ROW]
    for step in table["post"]:
        ((key, value),) = step.items()
        if key in ("round", "floor", "ceil"):
            found.append((Fraction(value["to"]) / 2).denominator)
        elif key == "threshold":
            found.append(Fraction(value["at"]).denominator)
        elif key == "modulo":
            found.append(Fraction(value).denominator)
        else:
            places = value if key == "clamp" else value["edges"]
            found += [Fraction(x).denominator for x in places]
    return lcm(*found)


def release(table: Json, base: Any, beyond: Fraction) -> Released:
    """What a problem publishes; `base` is e**(-1/(D scale)), the window ends `beyond` the atoms."""
    steps, noise = table["post"], table["noise"]
    atoms = sorted({
        x for belief in inputs(table).values() for law in belief.values() for x in law
        if x != NO_ROW
    })  # fmt: skip
    nothing = {NO_ROW: {"suppressed": Fraction(1)}}
    if not atoms:
        return Released(nothing, False, 0)
    if noise["kind"] == "none":
        return Released(nothing | {x: {published(steps, x): Fraction(1)} for x in atoms}, False, 0)
    powers = Powers(base, grid_of(table))
    low, high = atoms[0] - beyond, atoms[-1] + beyond
    law: Lattice | Line
    if noise["kind"] == "discrete-laplace":
        step = Fraction(noise["step"])
        law = Lattice(powers, step)
        if "modulo" in steps[0]:
            return Released(nothing | _wrapped(steps, atoms, law), False, 0)
        pieces, keeps = _points(steps, atoms, step, beyond), False
    else:
        law, more = Line(powers), list[Fraction]()
        if "bound" in noise:
            law = Bounded(powers, Fraction(noise["bound"]))
            more = [x + way * law.bound for x in atoms for way in (-1, 1)]
        pieces, keeps = _intervals(steps, [*atoms, *more], low, high)
        assert not (keeps and more)
    of: dict[Any, dict[Any, Any]] = dict(nothing)
    outputs = [piece.output for piece in pieces]
    kept = [y[1:] for y in outputs if isinstance(y, tuple) and y[0] == KEPT]
    for x in atoms:
        row = of.setdefault(x, {})
        for piece in pieces:
            row[piece.output] = row.get(piece.output, 0) + law.mass(piece, x)
        total = sum(row.values())
        for a, b in kept:
            row[LEFT, a, b], row[RIGHT, a, b] = powers.of(abs(a - x)), powers.of(abs(b - x))
            row[WIDE, a, b] = powers.of(b - a)
        assert abs(total - 1) < mpf(10) ** -50 if isinstance(base, mpf) else total == 1
    return Released(of, keeps, len(pieces))


def _wrapped(steps: list[Json], atoms: list[Fraction], law: Lattice) -> dict[Any, dict[Any, Any]]:
    modulus, found = Fraction(steps[0]["modulo"]), {}
    for x in atoms:
        row: dict[Any, Any] = {}
        for k in range(int(modulus / law.step)):
            y = x + k * law.step
            output = published(steps, y)
            row[output] = row.get(output, 0) + law.wrapped(y - x, modulus)
        found[x] = row
    return found


def _points(
    steps: list[Json], atoms: list[Fraction], step: Fraction, beyond: Fraction
) -> list[Piece]:
    """Every point of the window, and what lies beyond: one piece on either side."""
    first = atoms[0] - ceil(beyond / step) * step
    count = ceil((atoms[-1] - first + beyond) / step)
    points = [first + k * step for k in range(count)]
    pieces = [Piece(y, y + step, published(steps, y)) for y in points]
    end = points[-1] + step
    left = _end(steps, points[0] - step, -beyond)
    right = _end(steps, end, beyond)
    return [Piece(None, points[0], left), *pieces, Piece(end, None, right)]


def _end(steps: list[Json], at: Fraction, further: Fraction) -> Any:
    """The output of all that lies beyond; where they are several, a name of its own."""
    here = published(steps, at)
    far = [published(steps, at + k * further) for k in (1, 7, 1000)]
    return here if all(image == here for image in far) else ("beyond", further > 0)


def _intervals(
    steps: list[Json], atoms: list[Fraction], low: Fraction, high: Fraction
) -> tuple[list[Piece], bool]:
    """The pieces between places where a step may jump; where numbers differ, each is an output."""
    cuts = {x for step in steps for x in jumps(step, low, high) if low < x < high}
    pieces, keeps = [], False
    for a, b in pairwise(sorted({*cuts, low, high, *atoms})):
        images = {published(steps, a + (b - a) * k / 7) for k in (1, 3, 6)}
        if len(images) == 1:
            pieces.append(Piece(a, b, images.pop()))
        else:
            keeps = keeps or (b > atoms[0] and a < atoms[-1])
            pieces.append(Piece(a, b, (KEPT, a, b)))
    left, right = _end(steps, low - HALF, low - high), _end(steps, high + HALF, high - low)
    return [Piece(None, low, left), *pieces, Piece(high, None, right)], keeps


# ---------------------------------------------------------------- what is lost


def mixed(of: dict[Any, dict[Any, Any]], law: dict[Any, Fraction], exact: bool) -> dict[Any, Any]:
    """The law of the outputs under one prior."""
    found: dict[Any, Any] = {}
    for x, mass in law.items():
        weight = mass if exact else real(mass)
        for output, part in of[x].items():
            given = part if exact or isinstance(part, mpf) else real(part)
            wide = isinstance(output, tuple) and output[0] == WIDE
            found[output] = given if wide else found.get(output, 0) + weight * given
    return found


def is_mass(output: Any) -> bool:
    """Whether it is an output, not what is noted beside a density."""
    return output[0] not in (LEFT, RIGHT, WIDE) if isinstance(output, tuple) else True


def excess(p: dict[Any, Any], q: dict[Any, Any], growth: Any) -> Any:
    """The greatest P(B) - growth Q(B) over all events."""
    found = 0 * growth
    for y in filter(is_mass, {**p, **q}):
        whole = p.get(y, 0) - growth * q.get(y, 0)
        if isinstance(y, tuple) and y[0] == KEPT:
            ends = [p.get((e, *y[1:]), 0) - growth * q.get((e, *y[1:]), 0) for e in (LEFT, RIGHT)]
            if min(ends) < 0 < max(ends):
                width = p.get((WIDE, *y[1:]), 0)
                whole = _positive(*map(real, ends), real(whole), real(width))
                found = real(found)
        found += max(whole, 0)
    return found


def _positive(left: Any, right: Any, whole: Any, e: Any) -> Any:
    """The positive part of a u + b/u, u from 1 to 1/e, that has its one root inside."""
    a = (right - left * e) / (1 / e - e)
    b = left - a
    u = ctx.sqrt(-b / a)
    first = (a * (u - 1) + b * (1 - 1 / u)) / 2
    return first if left > 0 else whole - first


def ratio(p: dict[Any, Any], q: dict[Any, Any]) -> Any:
    """The greatest P(y)/Q(y); None where it has no bound.

    Between two atoms it is monotone: the ends of an interval that keeps a density decide.
    """
    found = [
        (mass, q.get(y, 0)) for y, mass in p.items()
        if mass > 0 and not (isinstance(y, tuple) and y[0] in (KEPT, WIDE))
    ]  # fmt: skip
    return None if any(b == 0 for _, b in found) else max(a / b for a, b in found)


def exponential(x: Fraction) -> Any:
    """e**x to 60 digits."""
    return ctx.exp(real(x))
