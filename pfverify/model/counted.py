"""Priors that are counts of records: the counts, and all laws that they leave possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.model.families.confidence import Confidence
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.sources.families import given
from pfverify.model.sources.given import Given
from pfverify.model.sources.source import DEFAULT_BELIEF

LEVEL = Fraction(19, 20)
"""With which all intervals of a region hold together."""
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
    if problem.numbers:
        return "confidence regions are of one number"
    if told.fit:
        return "fitted laws have no confidence regions"
    if type(problem.source) is Given:
        return "its masses do not come from the records that are told of"
    if told.release not in (None, "value") and told.time is None:
        return f"of a {told.release} over all rows prior --confidence 0.95 writes them"
    return "confidence regions are of one value of each record"


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
