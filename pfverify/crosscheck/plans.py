"""The judge of transport plans: exact marginals against the tolerance, and the mean distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pfverify.crosscheck.answers import NotAnAnswerError, number_of, table_of
from pfverify.crosscheck.case import AtomLaw, Case
from pfverify.crosscheck.finding import CaseOutcome, Finding, Promised
from pfverify.crosscheck.numeric import enclosure_words, factor_of, number_text, times_words
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_lower, decimal_nearest, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.published import Infinite
from pfverify.model.sums import exact_sum
from pfverify.transport.line import monotone_plan

_DIGITS = 20
Edge = tuple[int, int, Fraction]


@dataclass(frozen=True)
class _Side:
    """One marginal of a plan: what it is, and what it should be."""

    name: str
    carried: list[Fraction]
    wanted: list[Fraction]

    def worst(self) -> tuple[Fraction, int]:
        """Return the largest difference and its atom."""
        gaps = [abs(a - b) for a, b in zip(self.carried, self.wanted, strict=True)]
        largest = max(gaps)
        return largest, gaps.index(largest)


def plan_judge(case: Case, answer: object, claim: Promised) -> Finding:
    """Judge a plan: rows (i, j, mass), from atom i under p to atom j under q.

    Masses must not be negative, and sum to those of p by rows and of q by columns, each to the
    tolerance; the factor is its mean distance over the least one (W1).
    """
    if not (isinstance(case.p, AtomLaw) and isinstance(case.q, AtomLaw)):
        raise InputError("a case of kind plan is about atoms")
    try:
        edges = _edges(answer, len(case.p.atoms))
    except NotAnAnswerError as error:
        return Finding(CaseOutcome.NAN, f"the answer is {error}", case, answer)
    wrong = _wrong_masses(case.p, case.q, edges, Fraction(claim.tolerance))
    if wrong is not None:
        return Finding(CaseOutcome.UNSOUND, wrong, case, answer)
    places = [Fraction(atom) for atom in case.p.atoms]
    cost = exact_sum([abs(places[i] - places[j]) * mass for i, j, mass in edges])
    around = least_distance(case)
    factor = factor_of(cost, around)
    said = f"a coupling of mean distance {decimal_nearest(cost, 6)}"
    slack = Fraction(claim.tolerance) * (places[-1] - places[0])
    if factor is not None and factor > claim.waste and cost - Fraction(around.lower) > slack:
        words = f"{said}, {times_words(factor)} the least one, {enclosure_words(around)}"
        return Finding(CaseOutcome.WASTEFUL, words, case, answer, around, factor)
    words = f"{said}; the least one is {enclosure_words(around)}"
    return Finding(CaseOutcome.SOUND, words, case, answer, around, factor)


def least_distance(case: Case) -> Enclosure:
    """Enclose W1, the least mean distance of a coupling of a case's laws of atoms.

    Raises InputError for other laws.
    Example: ``least_distance(case).text`` is ``'1'``.
    """
    if not (isinstance(case.p, AtomLaw) and isinstance(case.q, AtomLaw)):
        raise InputError("a case of kind plan is about atoms")
    least = monotone_plan(case.p.prior(), case.q.prior()).w_1()
    return Enclosure(decimal_lower(least, _DIGITS), decimal_upper(least, _DIGITS))


def _edges(answer: object, atoms: int) -> list[Edge]:
    """Read the rows of a plan; NotAnAnswerError names the first that is none."""
    table = table_of(answer, "plan")
    if table.ndim != 2 or table.shape[1] != 3:
        raise NotAnAnswerError(
            f"an array of shape {table.shape} instead of rows (i, j, mass) for the plan"
        )
    edges = []
    for k, row in enumerate(table):
        i, j, mass = (number_of(value, f"plan, in row {k}") for value in row)
        for index in (i, j):
            if isinstance(index, Infinite) or index.denominator != 1 or not 0 <= index < atoms:
                raise NotAnAnswerError(
                    f"a plan whose row {k} names the atom {number_text(index)}, expected a whole "
                    f"number from 0 to {atoms - 1}"
                )
        if isinstance(mass, Infinite):
            raise NotAnAnswerError(f"a plan whose row {k} has the mass {mass}")
        edges.append((int(i), int(j), mass))
    return edges


def _wrong_masses(p: AtomLaw, q: AtomLaw, edges: Sequence[Edge], tolerance: Fraction) -> str | None:
    """Return what is wrong with the masses of a plan, in words, or None."""
    for k, (_, _, mass) in enumerate(edges):
        if mass < 0:
            return f"row {k} of the plan has the negative mass {number_text(mass)}"
    rows = _Side("row", _sums(edges, 0, len(p.atoms)), _exact(p.masses))
    columns = _Side("column", _sums(edges, 1, len(p.atoms)), _exact(q.masses))
    side = max((rows, columns), key=lambda side: side.worst()[0])
    gap, k = side.worst()
    if gap <= tolerance:
        return None
    swapped = (
        _Side("row", rows.carried, columns.wanted),
        _Side("column", columns.carried, rows.wanted),
    )
    hint = ""
    if all(one.worst()[0] <= tolerance for one in swapped):
        hint = "; with rows and columns swapped it would be a coupling"
    return (
        f"the {side.name} of atom {p.atoms[k]!r} carries {decimal_nearest(side.carried[k], 6)} "
        f"instead of {decimal_nearest(side.wanted[k], 6)}, off by "
        f"{decimal_nearest(gap, 3)}{hint}"
    )


def _sums(edges: Sequence[Edge], side: int, size: int) -> list[Fraction]:
    """Return the mass of every row (side 0) or column (side 1)."""
    parts: list[list[Fraction]] = [[] for _ in range(size)]
    for i, j, mass in edges:
        parts[j if side else i].append(mass)
    return [exact_sum(part) for part in parts]


def _exact(masses: Sequence[float]) -> list[Fraction]:
    """Return masses divided by their exact sum."""
    exact = [Fraction(mass) for mass in masses]
    total = exact_sum(exact)
    return [mass / total for mass in exact]
