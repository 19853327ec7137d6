"""From a case that fails to a small one that fails alike: fewer atoms, rounder numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import isfinite

from pfverify.crosscheck.case import AtomLaw, Case, Floats, Normals, Row, reweighted
from pfverify.crosscheck.draw import normalised
from pfverify.crosscheck.finding import Finding
from pfverify.errors import InputError

MOST = 400  # calls of an implementation
_DIGITS = (1, 2, 3, 6)
_NEAR = 1e-15  # how far masses of a few digits may be from a sum of 1
_PARTS = (2, 3, 4, 8, 16)  # masses are tried as multiples of one over these

Cost = tuple[int, int, int]


def shrunk(
    finding: Finding,
    judged: Callable[[Case], Finding],
    *,
    most: int = MOST,
    asks: Callable[[Case], bool] = lambda case: True,
) -> Finding:
    """Return a finding of the same sort about a case that is as small as could be found.

    `judged` asks the implementation and judges its answer; it is called at most `most` times, in
    the same order for the same answers, about no case that `asks` refuses.
    Raises InputError for `most` below 0.
    Example: ``shrunk(finding, lambda smaller: finding, most=0).case == finding.case`` is True.
    """
    if type(most) is not int or most < 0:
        raise InputError(f"most: {most!r} is not a whole number >= 0")
    best, calls = finding, 0
    origin = f"shrunk from: {finding.case.origin}"
    tried: set[Case] = set()
    progress = True
    while progress:
        progress = False
        for candidate in smaller(best.case):
            case = replace(candidate, origin=origin)
            if case in tried or not asks(case) or cost(case) >= cost(best.case):
                continue
            if calls == most:
                return best
            tried.add(case)
            calls += 1
            found = judged(case)
            if alike(found, finding):
                best, progress = found, True
                break
    return best


def alike(found: Finding, finding: Finding) -> bool:
    """Whether a finding is of the same sort: a mistake is not made smaller to an error of rounding.

    Example: ``alike(finding, finding)`` is True.
    """
    same = found.outcome is finding.outcome
    return same and (found.beyond_rounding or not finding.beyond_rounding)


def cost(case: Case) -> Cost:
    """Return what shrinking makes smaller: atoms, outputs, and the characters of all numbers.

    Example: ``cost(case)[:2]`` is ``(2, 0)``.
    """
    numbers = [case.epsilon, case.delta, case.scale, case.count, *(case.y or ())]
    numbers += [number for law in (case.p, case.q) if law is not None for number in _numbers(law)]
    text = sum(_length(number) for number in numbers if number is not None)
    return case.size, len(case.y or ()), text


def _numbers(law: AtomLaw | Normals) -> list[float]:
    if isinstance(law, AtomLaw):
        return [*law.atoms, *law.masses]
    return [number for row in law.rows for number in row]


def _length(number: float) -> int:
    """How long a number is to write: 0 and 1 are shortest, a sign is longer."""
    if number in (0.0, 1.0):
        return 0
    return len(repr(number).removesuffix(".0"))


def smaller(case: Case) -> Iterator[Case]:
    """Yield cases that may be simpler than one, the boldest first; each is a law still.

    Example: ``len(list(smaller(case))) > 5`` is True.
    """
    if isinstance(case.p, AtomLaw) and not isinstance(case.q, Normals):
        yield from _with_fewer_atoms(case, case.p, case.q)
        yield from _with_fewer_outputs(case)
        yield from _with_other_places(case, case.p, case.q)
        yield from _with_rounder_masses(case, case.p, case.q)
    else:
        yield from _with_fewer_rows(case)
        yield from _with_fewer_outputs(case)
        yield from _with_rounder_rows(case)
    yield from _with_rounder_numbers(case)


def _runs(size: int) -> Iterator[tuple[int, int]]:
    """Yield runs of positions to leave out: halves, quarters, ..., single ones."""
    length = size // 2
    while length:
        for start in range(0, size - length + 1, length):
            yield start, start + length
        length //= 2


def _with_fewer_atoms(case: Case, p: AtomLaw, q: AtomLaw | None) -> Iterator[Case]:
    for start, end in _runs(len(p.atoms)):
        first = _without(p, start, end)
        second = None if q is None else _without(q, start, end)
        if first is not None and (q is None or second is not None):
            yield replace(case, p=first, q=second)


def _without(law: AtomLaw, start: int, end: int) -> AtomLaw | None:
    """Return a law without some atoms, None where nothing is left of it."""
    atoms = law.atoms[:start] + law.atoms[end:]
    masses = law.masses[:start] + law.masses[end:]
    kept = law.masses[start:end]
    if not any(masses):
        return None
    return AtomLaw(atoms, normalised(masses) if any(kept) else masses)


def _with_fewer_outputs(case: Case) -> Iterator[Case]:
    if case.y is not None and len(case.y) > 1:
        for y in case.y:
            yield replace(case, y=(y,))


def _with_other_places(case: Case, p: AtomLaw, q: AtomLaw | None) -> Iterator[Case]:
    atoms = p.atoms
    plain = tuple(float(k) for k in range(len(atoms)))
    moved = tuple(atom - atoms[0] for atom in atoms)
    options = [plain, moved, tuple(float(round(atom)) for atom in moved)]
    options += [tuple(_rounded(atom, n) for atom in moved) for n in _DIGITS]
    options += [tuple(_rounded(atom, n) for atom in atoms) for n in _DIGITS]
    for places in options:
        ascending = all(a < b for a, b in pairwise(places))
        if ascending and all(map(isfinite, places)):
            second = None if q is None else AtomLaw(places, q.masses)
            yield replace(case, p=AtomLaw(places, p.masses), q=second)


def _with_rounder_masses(case: Case, p: AtomLaw, q: AtomLaw | None) -> Iterator[Case]:
    for masses in _rounder_masses(p.masses):
        yield replace(case, p=AtomLaw(p.atoms, masses))
    if q is not None:
        for masses in _rounder_masses(q.masses):
            yield replace(case, q=AtomLaw(q.atoms, masses))


def _rounder_masses(masses: Floats) -> Iterator[Floats]:
    """Yield simpler masses whose sum is about 1 as well."""
    for k, mass in enumerate(masses):
        if mass:  # all of it at one atom
            yield tuple(float(j == k) for j in range(len(masses)))
    for part in _PARTS:
        wholes = tuple(round(mass * part) for mass in masses)
        if sum(wholes) == part:
            yield tuple(whole / part for whole in wholes)
    for digits in _DIGITS:
        rounded = tuple(_rounded(mass, digits) for mass in masses)
        if abs(sum(rounded) - 1) < _NEAR:
            yield rounded
    largest = masses.index(max(masses))
    for k, mass in enumerate(masses):  # the mass of one atom to the largest one
        if mass and k != largest:
            kept = list(masses)
            kept[largest], kept[k] = kept[largest] + mass, 0.0
            yield tuple(kept)


def _with_fewer_rows(case: Case) -> Iterator[Case]:
    for name, law in (("p", case.p), ("q", case.q)):
        if isinstance(law, Normals):
            for start, end in _runs(len(law.rows)):
                rows = law.rows[:start] + law.rows[end:]
                if any(weight for weight, _, _ in rows):
                    weights = normalised([weight for weight, _, _ in rows])
                    yield _with_law(case, name, Normals(reweighted(rows, weights)))


def _with_rounder_rows(case: Case) -> Iterator[Case]:
    for name, law in (("p", case.p), ("q", case.q)):
        if not isinstance(law, Normals):
            continue
        for masses in _rounder_masses(tuple(weight for weight, _, _ in law.rows)):
            yield _with_law(case, name, Normals(reweighted(law.rows, masses)))
        for k, (weight, mean, variance) in enumerate(law.rows):
            means = (0.0, 1.0, float(round(mean)), *(_rounded(mean, n) for n in _DIGITS))
            variances = (1.0, *(_rounded(variance, n) for n in _DIGITS)) if variance else ()
            others: list[Row] = [(weight, other, variance) for other in means]
            others += [(weight, mean, other) for other in variances]
            for row in others:
                yield _with_law(case, name, Normals((*law.rows[:k], row, *law.rows[k + 1 :])))


def _with_law(case: Case, name: str, law: Normals) -> Case:
    return replace(case, p=law) if name == "p" else replace(case, q=law)


def _with_rounder_numbers(case: Case) -> Iterator[Case]:
    for other in _rounder(case.epsilon, 1.0):
        yield replace(case, epsilon=other)
    for other in _rounder(case.scale, 1.0):
        yield replace(case, scale=other)
    for count in _fewer(case.count):
        yield replace(case, count=count)
    for other in _rounder(case.delta, 0.5):
        yield replace(case, delta=other)
    for k, y in enumerate(case.y or ()):
        for other in (0.0, float(round(y)), *(_rounded(y, n) for n in _DIGITS)):
            yield replace(case, y=(*(case.y or ())[:k], other, *(case.y or ())[k + 1 :]))


def _fewer(count: float | None) -> Iterator[float]:
    """Yield smaller numbers of releases in the place of one above 1."""
    if count is not None and count > 1:
        yield from (1.0, float(count // 10 or 1), float(count // 2))


def _rounder(number: float | None, simplest: float) -> Iterator[float]:
    """Yield simpler numbers > 0 in the place of one that is."""
    if number:
        yield simplest
        yield from (_rounded(number, n) for n in _DIGITS)


def _rounded(number: float, digits: int) -> float:
    """Return a float with a few significant digits: the one that its decimal is read as."""
    return float(f"{number:.{digits - 1}e}")
