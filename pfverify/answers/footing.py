"""What a smallest scale rests on: cells of few records, and values that only one secret has.

A cell is a value under a secret. Nothing here decides a problem: the minimum is asked for again
without some cells, and each answer is a bracket like that of the problem itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from pfverify.answers.calibrate import least_scale
from pfverify.answers.every_value import every_value
from pfverify.answers.methods import Closest, Footing, Minimum, RecordCell
from pfverify.answers.region import region_scale
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_text
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint, Point
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.provenance import Provenance
from pfverify.model.question import Question
from pfverify.model.sources.source import DEFAULT_BELIEF

FEW = 20
"""Records from which a cell is no longer named."""
_DIGITS = 4
_NAMED = 1000  # cells of few records
_MOST_CELLS = 5000  # of all secrets together, beyond which nothing is asked again

_Laws = dict[str, dict[str, dict[Fraction, Fraction]]]
"""Belief -> secret -> value -> mass."""
_Cells = frozenset[tuple[str, str, Fraction]]
"""Belief, secret and value."""


def footing(problem: Problem, minimum: Minimum | None = None, few: int = FEW) -> Footing:
    """Return what the smallest scale of a problem rests on.

    `minimum` is that scale where it is known already. Cells are named where the problem tells of
    how many records each secret's prior comes from. Raises InputError for a `few` below 0.
    Example: ``footing(Problem.load("example:census")).rare`` is ``()``.
    """
    if type(few) is not int or few < 0:
        raise InputError(f"--few: {few!r}, expected a number of records, 0 or more")
    region = region_scale(problem, minimum, few)
    every = every_value(problem)
    if every is not None and minimum is not None and not _apart(minimum, every.least):
        every = None  # the smallest scale is the same
    if not problem.release.plain or problem.release.named:
        return Footing(few, every_value=every, region=region)
    told = problem.provenance or Provenance()
    show = _Shown(problem, told)
    rare, odd = _rare(problem, told, few)
    fewest = sum(one[0] == rare[0][0] for one in rare)
    cells = tuple(show.cell(name, x, Fraction(n, (told.records or {})[name]), 1)
                  for n, name, x in rare[:_NAMED])  # fmt: skip
    known = Footing(few, minimum, cells, fewest, len(rare), sum(one[0] for one in rare), odd=odd,
                    every_value=every, region=region)  # fmt: skip
    why = _not_asked(problem)
    if why is not None:
        return replace(known, why=why)
    named = frozenset((DEFAULT_BELIEF, name, x / show.unit) for _, name, x in rare)
    first = frozenset((DEFAULT_BELIEF, name, x / show.unit) for _, name, x in rare[:fewest])
    laws = _laws(problem.questions())
    least = least_scale(problem, _DIGITS) if minimum is None else minimum
    if least.verdict is Verdict.REFUTED:  # nor is there one for all laws that counts leave
        return replace(known, least=least, region=None)
    kept = _common(laws, problem)
    lone = frozenset(
        (belief, secret, x)
        for belief, table in laws.items() for secret, law in table.items() for x in law
        if x not in kept[belief][secret]
    )  # fmt: skip
    without_alone = None if least.upper == 0 else _without(problem, laws, lone)
    rests = without_alone is not None and _apart(least, without_alone)
    without = {part: _without(problem, laws, part) for part in {first, named}}
    return replace(
        known, least=least, without_rarest=without[first], without_rare=without[named],
        alone=_alone(laws, problem, show) if rests else (),
        without_alone=without_alone if rests else None,
        closest=_closest(laws, problem, show) if least.upper == 0 else None,
    )  # fmt: skip


def _not_asked(problem: Problem) -> str | None:
    """Why the smallest scale is not asked for without some cells."""
    if isinstance(problem.noise, NoNoise):
        return "there is no noise"
    if isinstance(problem.noise, TableNoise):
        return f"noise of kind {problem.noise.kind} has no scale"
    if problem.release.more_scale is None:
        return f"of noise of kind {problem.noise.kind} no smallest scale is known"
    if problem.source.steps:
        return "steps before the noise change the values of records"
    if problem.source.stands_for is not None:
        return "families of laws allow for other counts"
    if problem.source.worked_out:
        law = "laws come" if problem.source.partial else "law of the others comes"
        return f"the {law} from the same records"
    atoms = 0
    for item in problem.questions():
        for prior in item.priors:
            if isinstance(prior, Joint):
                return "the priors are of several numbers"
            if not isinstance(prior, Discrete):
                return "a prior has a density"
            atoms += len(prior.weights)
    if atoms > _MOST_CELLS:
        return (
            f"there are more than {_MOST_CELLS} cells; count again without these rows (pfverify "
            "prior --where), or in wider intervals (--bins), to see it"
        )
    return None


def _laws(pairs: Iterable[Question]) -> _Laws:
    found: _Laws = {}
    for item in pairs:
        for secret, prior in ((item.first, item.first_prior), (item.second, item.second_prior)):
            table = found.setdefault(item.belief, {})
            if secret not in table:
                table[secret] = _masses(prior)
    return found


def _masses(prior: Prior) -> dict[Fraction, Fraction]:
    return {part.mean: part.weight for part in prior.components}


class _Shown:
    """Cells as they are told: values of records, with the category that a code stands for."""

    def __init__(self, problem: Problem, told: Provenance) -> None:
        self.unit = problem.source.unit
        self._codes = {code: name for name, code in (told.codes or {}).items()}
        self._records = told.records or {}

    def cell(
        self, secret: str, x: Fraction | Point | str, mass: Fraction, unit: int | None = None
    ) -> RecordCell:
        """`x` as a problem has it: for a mean one user's share."""
        if isinstance(x, tuple):
            text = f"({', '.join(map(decimal_text, x))})"
        elif isinstance(x, str):
            text = x
        else:
            text = decimal_text(x * (self.unit if unit is None else unit))
        value = f"{self._codes[text]} ({text})" if text in self._codes else text
        of = self._records.get(secret)
        records = None if of is None else mass * of
        if records is None or records.denominator != 1:
            return RecordCell(secret, value, mass)
        return RecordCell(secret, value, mass, int(records), of)


def _rare(
    problem: Problem, told: Provenance, few: int
) -> tuple[list[tuple[int, str, Any]], tuple[str, ...]]:
    """Records, secret and value of the cells of few records, the fewest first; and secrets whose
    records cannot be told."""
    records = told.records or {}
    compared = {name for pair in problem.pairs for name in pair}
    laws = problem.source.laws_of_records()
    found, odd = [], []
    for secret, of in records.items():
        law = laws.get(secret)
        if secret not in compared or not isinstance(law, Discrete | Finite | Joint):
            continue
        whole = _whole(law)
        if of % whole:
            odd.append(secret)
            continue
        found += [(records, secret, x) for records, x in _cells(law, of // whole, few)]
    return sorted(found), tuple(odd)


def _whole(law: Discrete | Finite | Joint) -> int:
    """The least number of records that a law can come from."""
    if isinstance(law, Discrete):
        return law.total
    return lcm(*(mass.denominator for mass in law.mass.values()))


def _cells(law: Discrete | Finite | Joint, each: int, few: int) -> list[tuple[int, Any]]:
    """Records and value of the cells of few records, so many for one part of the whole."""
    if not isinstance(law, Discrete):
        whole = _whole(law)
        rows = ((int(each * whole * mass), x) for x, mass in law.mass.items() if mass)
        return [(records, x) for records, x in rows if records < few]
    return [
        (each * weight, Fraction(point, law.denominator))
        for point, weight in zip(law.points, law.weights, strict=True) if each * weight < few
    ]  # fmt: skip


def _without(problem: Problem, laws: _Laws, cells: _Cells) -> Minimum | None:
    """The smallest scale without some cells; None where nothing is left of a secret, or for none.

    For `rest = "any"` the laws are those of the user, which decide alone.
    """
    if not cells:
        return None
    beliefs: dict[str, dict[str, Prior]] = {}
    for belief, table in laws.items():
        beliefs[belief] = {}
        for secret, law in table.items():
            left = {x: mass for x, mass in law.items() if (belief, secret, x) not in cells}
            total = sum(left.values(), Fraction(0))
            if not total:
                return None
            beliefs[belief][secret] = Discrete({x: mass / total for x, mass in left.items()})
    asked = Problem(
        beliefs=beliefs, noise=problem.noise, epsilon=problem.epsilon, delta=problem.delta,
        pairs=problem.pairs, form=problem.form, protection=problem.protection,
    )  # fmt: skip
    return least_scale(asked, _DIGITS)


def _common(laws: _Laws, problem: Problem) -> dict[str, dict[str, set[Fraction]]]:
    """The values of each secret that all secrets it is compared with have, one by one, too."""
    found = {b: {secret: set(law) for secret, law in table.items()} for b, table in laws.items()}
    for table in found.values():
        changed = True
        while changed:
            changed = False
            for first, second in problem.pairs:
                both = table[first] & table[second]
                changed |= both != table[first] or both != table[second]
                table[first] = table[second] = both
    return found


def _alone(laws: _Laws, problem: Problem, show: _Shown) -> tuple[tuple[RecordCell, str], ...]:
    """The cells whose value another secret of a pair never has, with it, the least mass first."""
    found: dict[tuple[str, Fraction], tuple[RecordCell, str]] = {}
    for table in laws.values():
        for pair in problem.pairs:
            for one, other in (pair, pair[::-1]):
                for x in table[one].keys() - table[other].keys():
                    found.setdefault((one, x), (show.cell(one, x, table[one][x]), other))
    return tuple(found[key] for key in sorted(found, key=lambda k: (found[k][0].mass, *k)))


def _closest(laws: _Laws, problem: Problem, show: _Shown) -> Closest | None:
    """The largest ratio of masses of a value, which epsilon bounds; only where delta is 0."""
    if problem.delta.fraction != 0 or problem.protection.extended:
        return None
    return max(
        (
            Closest(show.cell(one, x, p), show.cell(other, x, q), p / q)
            for table in laws.values() for pair in problem.pairs
            for one, other in (pair, pair[::-1])
            for x, p in table[one].items() if (q := table[other].get(x))
        ),
        key=lambda found: found.ratio, default=None,
    )  # fmt: skip


def _apart(one: Minimum, other: Minimum) -> bool:
    """Whether two brackets (lower, upper] have no scale in common; undecided ones have."""
    if one.upper == other.upper:
        return False
    if 0 in (one.upper, other.upper):
        return True
    return bool(one.upper <= other.lower or other.upper <= one.lower)


def hangs(found: Footing) -> list[bool]:
    """Return for the rarest cells and for all of few records whether the smallest scale is larger
    without them; nothing of those without which it is the same.

    Example: ``hangs(footing(Problem.load("example:census")))`` is ``[]``.
    """
    least = found.least
    return [] if least is None else [
        bool(other.upper > least.upper)
        for other in (found.without_rarest, found.without_rare)
        if other is not None and _apart(least, other)
    ]  # fmt: skip
