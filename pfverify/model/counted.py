"""Priors that are counts of records: the counts, and all laws that they leave possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb

from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.model.families.confidence import Confidence
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.sources.families import given
from pfverify.model.sources.given import Given
from pfverify.model.sources.source import DEFAULT_BELIEF
from pfverify.model.sources.users import Users
from pfverify.model.systems.laws import ABSENT, LAW

LEVEL = Fraction(19, 20)
"""With which all intervals of a region hold together."""
MOST_VALUES, MOST_PAIRS = 5, 1000
"""Of regions whose extreme laws are stated, beside a release over all rows."""
Counts = Mapping[str, Mapping[str, Mapping[Fraction, int]]]
"""Belief -> secret -> value -> records, 0 where a value was counted and never met."""


def counts_of(problem: Problem) -> Counts:
    """Return the counts of the priors that are some; others, and other sources, have none.

    A file states counts, or masses and under [provenance] of how many records.
    Example: ``counts_of(Problem.load("example:gaussian-pair"))`` is ``{}``.
    """
    if type(problem.source) is not Given or problem.release.named:
        return {}
    told = problem.provenance.records if problem.provenance else None
    found: dict[str, dict[str, Mapping[Fraction, int]]] = {}
    for belief, table in problem.source.laws.items():
        for secret, law in table.items():
            of = (told or {}).get(secret) if belief == DEFAULT_BELIEF else None
            if isinstance(law, Discrete) and (counts := _counts(law, of)):
                found.setdefault(belief, {})[secret] = counts
    return found


def _counts(law: Discrete, told: int | None) -> dict[Fraction, int]:
    """The counts of a law, none where it is of masses and no number of records fits them."""
    records = told if law.records is None else law.records
    if records is None or records % law.total:
        return {}
    each = records // law.total
    seen = ((x, each * n) for x, n in zip(law.atoms, law.weights, strict=True))
    return dict(sorted([*seen, *((x, 0) for x in law.empty)]))


def exact_counts(problem: Problem) -> list[str]:
    """Return what a verdict about counted priors assumes of the counts; nothing of other priors.

    Example: ``exact_counts(Problem.load("example:gaussian-pair"))`` is ``[]``.
    """
    if not counts_of(problem):
        return []
    return [
        "the counts of the records are exact (prior --confidence 0.95 allows for all laws that "
        "they leave possible)"
    ]


def with_counts(problem: Problem, counts: Counts, level: Fraction | None = None) -> Problem:
    """Return the same problem with other counts, or with the confidence regions of these.

    Priors without counts stay. Raises InputError where regions are not worked out.
    Example: ``with_counts(problem, counts_of(problem)) == problem`` is True.
    """

    def law(counts: Mapping[Fraction, int]) -> Prior:
        if level is None:
            return Discrete(counts=dict(counts))
        return Confidence({decimal_text(x): n for x, n in counts.items()}, level)

    beliefs = {
        belief: {
            secret: law(counts[belief][secret]) if secret in counts.get(belief, {}) else prior
            for secret, prior in table.items()
        }
        for belief, table in problem.beliefs.items()
    }
    return Problem.of(
        given(beliefs), problem.release, problem.requirement, problem.pairs, problem.provenance
    )


def region_of(problem: Problem, level: Fraction = LEVEL) -> Problem:
    """Return the problem about all laws that the counts leave possible, as `prior --confidence`.

    Raises InputError where no prior is counted, and where regions are not worked out.
    Example: ``region_of(Problem.load("example:gaussian-pair"))`` raises.
    """
    counts = counts_of(problem)
    if not counts:
        raise InputError(f"no region of counts: {no_region(problem) or 'no prior is counted'}")
    return with_counts(problem, counts, level)


def no_region(problem: Problem) -> str | None:
    """Why priors that come from records have no region of their counts; None where they have.

    None too where nothing says that they come from records.
    Example: ``no_region(Problem.load("example:census"))`` is None.
    """
    told = problem.provenance
    families = problem.source.stands_for is not None
    if told is None or told.records is None or families or counts_of(problem):
        return None
    if told.region is not None or needs_no_law(problem):
        return None
    if problem.numbers:
        return "confidence regions are of one number"
    if told.fit:
        return "fitted laws have no confidence regions"
    if type(problem.source) is Given:
        return "its masses do not come from the records that are told of"
    if told.release not in (None, "value") and told.time is None:
        written = f"of a {told.release} over all rows prior --confidence 0.95 writes them"
        return f"{written}{_small_enough(problem)}"
    return "confidence regions are of one value of each record"


def _small_enough(problem: Problem) -> str:
    """What else has to be said, so that the extreme laws of the regions are few."""
    if not isinstance(problem.source, Users):
        return ""
    laws = [case.law for case in problem.source.system.user.values() if case.role != ABSENT]
    values = len({x for law in laws if isinstance(law, Discrete) for x in law.atoms})
    left = min(values, MOST_VALUES)
    corners = left * comb(left - 1, (left - 1) // 2)
    limits = [f"intervals, at most {MOST_VALUES} (--bins)"] * (values > MOST_VALUES)
    if len(problem.pairs) * corners**2 > MOST_PAIRS:
        limits.append("few pairs of secrets (--pairs)")
    return f", if you also say {' and '.join(limits)}" if limits else ""


def needs_no_law(problem: Problem) -> bool:
    """Whether the secrets are values themselves, or absence, and nothing is known of the others.

    Such a scale is what any two of these values need: no law was counted.
    Example: ``needs_no_law(Problem.load("example:census"))`` is False.
    """
    source = problem.source
    if not isinstance(source, Users) or source.system.protect is not None:
        return False
    roles = {case.role for case in source.system.user.values()}
    return source.system.rest == "any" and LAW not in roles


def of_no_record(problem: Problem, *, every: bool = False) -> bool:
    """Whether no record decides the scale of a problem that was counted.

    `every`: it is that of every value between the bounds. A mean divides by the number of records.
    Example: ``of_no_record(Problem.load("example:census"))`` is False.
    """
    source, told = problem.source, problem.provenance
    if not isinstance(source, Users) or told is None or not (every or needs_no_law(problem)):
        return False
    bounded = every and told.low is not None and told.high is not None
    whole = source.system.release == "sum" and (told.release == "count" or bounded)
    return whole or source.system.release == "histogram"


def merged_values(
    tables: Iterable[Mapping[Fraction, int]], least: int
) -> dict[Fraction, Fraction]:
    """Return value -> the value it counts as, so that every table has so many records of each.

    From the smallest value on, neighbours are merged until there are enough; what is left over at
    the end joins the last of these. All count as the one in the middle of their records.
    Raises InputError where a table has fewer records than that.
    Example: ``merged_values([{Fraction(1): 5, Fraction(2): 1}], 5)`` is ``{1: 1, 2: 1}``.
    """
    known = list(tables)
    for table in known:
        if (total := sum(table.values())) < least:
            raise InputError(f"a secret has {shorten(total)} records, fewer than {least}")
    groups: list[list[Fraction]] = [[]]
    rows = [0] * len(known)
    for value in sorted({x for table in known for x in table}):
        if min(rows, default=0) >= least:
            groups.append([])
            rows = [0] * len(known)
        groups[-1].append(value)
        rows = [n + table.get(value, 0) for n, table in zip(rows, known, strict=True)]
    if len(groups) > 1 and min(rows) < least:
        last = groups.pop()
        groups[-1] += last
    middles = [(_middle(group, known), group) for group in groups]
    return {x: middle for middle, group in middles for x in group}


def _middle(values: list[Fraction], tables: list[Mapping[Fraction, int]]) -> Fraction:
    """The value that the middle one of all records has."""
    rows = [sum(table.get(x, 0) for table in tables) for x in values]
    left = sum(rows)
    for value, here in zip(values, rows, strict=True):
        left -= 2 * here
        if left <= 0:
            return value
    return values[-1]
