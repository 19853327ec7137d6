"""The smallest scale for all laws that counts of records leave possible, beside that of the counts.

Nothing here decides: the problem about the confidence region is one like any other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from pfverify.answers.calibrate import least_scale
from pfverify.answers.methods import MergedScales, Minimum, RegionScale, WideCell
from pfverify.decide.routes import comparison
from pfverify.decide.verdict import Verdict, verdict_of
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_text
from pfverify.exact.published import Infinite
from pfverify.model.counted import (
    LEVEL,
    Counts,
    counts_of,
    merged_values,
    no_region,
    region_of,
    with_counts,
)
from pfverify.model.families.expanded import MOST_OUTPUTS
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.results import DEFAULT_DIGITS

_DIGITS = 4  # of the scales after merging
_CELLS = 3
_MOST_INTERVALS, _MOST_WORK = 400, 300_000
_WIDE = 2  # times the scale of the counts, from which it is said what makes the region wide


def region_scale(
    problem: Problem, counted: Minimum | None = None, few: int = 0, *, whole: bool = False
) -> RegionScale | None:
    """Return the smallest scale for the region of a problem's counts; None for what has no counts.

    `counted` is the smallest scale of the counts, where it is known, and cells of fewer than `few`
    records are merged to see what that gives. What takes long is left out, but for `whole`.
    Example: ``region_scale(Problem.load("example:gaussian-pair"))`` is None.
    Source: design fact F62.
    """
    if problem.release.named or problem.release.more_scale is None:
        return None
    counts = counts_of(problem)
    if not counts:
        why = no_region(problem)
        return None if why is None else RegionScale(LEVEL, why=why)
    if (values := _values(counts)) > MOST_OUTPUTS:
        why = f"there are {values} values of X, and at most {MOST_OUTPUTS} are worked out"
        return RegionScale(LEVEL, why=why, merged=_merged(problem, counts, few))
    if not whole and (long := _long(problem, counts)):
        return RegionScale(LEVEL, why=long, long=True, merged=_merged(problem, counts, few))
    try:
        region = region_of(problem)
        least = least_scale(region, DEFAULT_DIGITS)
    except InputError as error:
        return RegionScale(LEVEL, why=str(error), merged=_merged(problem, counts, few))
    found = RegionScale(LEVEL, least, problem=region)
    counted = least_scale(problem, _DIGITS) if counted is None else counted
    if isinstance(counted.upper, Infinite) or not least.upper > _WIDE * counted.upper:
        return found
    return replace(
        found, cells=tuple(_cells(problem, region, least, counts)),
        merged=_merged(problem, counts, few),
    )  # fmt: skip


def _values(counts: Counts) -> int:
    return len({x for secrets in counts.values() for law in secrets.values() for x in law})


def _long(problem: Problem, counts: Counts) -> str | None:
    """Why the region takes long, None where it does not."""
    laws = [table for secrets in counts.values() for table in secrets.values()]
    values = _values(counts)
    intervals = len({(sum(law.values()), n) for law in laws for n in law.values()})
    pairs = len(problem.pairs) * len(counts)
    if intervals <= _MOST_INTERVALS and pairs * 2 * values**2 <= _MOST_WORK:
        return None
    return f"{values} values of X in {pairs} pair{'s' * (pairs > 1)} take a while"


def _cells(
    problem: Problem, region: Problem, least: Minimum, counts: Counts
) -> Iterator[WideCell]:
    """The values that tell two laws of the region apart for which its scale is too small, just
    below it, where one is most above the growth of the other."""
    if least.lower == 0 or isinstance(least.lower, Infinite) or len(counts) > 1:
        return
    (table,), told = counts.values(), problem.provenance
    codes = {code: name for name, code in ((told and told.codes) or {}).items()}
    growth = math.exp(problem.epsilon.ball().midpoint())
    for secret, p, other, q in _failing(region.replaced(scale=least.lower)):
        if secret not in table or other not in table:
            return
        one, two = table[secret], table[other]
        over = Counter({x: float(p[x]) - growth * float(q.get(x, 0)) for x in p})
        for x, excess in over.most_common(_CELLS):
            if excess > 0:
                text = decimal_text(x)
                yield WideCell(
                    f"{codes[text]} ({text})" if text in codes else text,
                    secret, p[x], one.get(x, 0), sum(one.values()),
                    other, q.get(x, Fraction(0)), two.get(x, 0), sum(two.values()),
                )  # fmt: skip
        return


def _failing(
    problem: Problem,
) -> Iterator[tuple[str, Mapping[Fraction, Fraction], str, Mapping[Fraction, Fraction]]]:
    """The secrets and masses of the laws that are refuted, the one that is likelier first."""
    for item in problem.questions():
        first, second = item.priors
        if isinstance(first, Discrete) and isinstance(second, Discrete):
            ends = (item.first, first.mass), (item.second, second.mass)
            for order, (one, other) in zip(comparison(item), (ends, ends[::-1]), strict=True):
                if verdict_of(order.settled().sign) is Verdict.REFUTED:
                    yield *one, *other


def _merged(problem: Problem, counts: Counts, few: int) -> MergedScales | None:
    """Both scales where neighbouring values are merged; None where a secret has too few records,
    every value has enough, or values are codes, whose neighbours mean nothing."""
    laws = [table for secrets in counts.values() for table in secrets.values()]
    coded = problem.provenance is not None and problem.provenance.codes
    if not few or coded or any(sum(law.values()) < few for law in laws):
        return None
    meant = merged_values(laws, few)
    values = len(set(meant.values()))
    if values == len(meant):
        return None
    if values == 1:
        return MergedScales(few, values)
    merged: dict[str, dict[str, dict[Fraction, int]]] = {}
    for belief, secrets in counts.items():
        for secret, table in secrets.items():
            rows = merged.setdefault(belief, {}).setdefault(secret, {})
            for x, n in table.items():
                rows[meant[x]] = rows.get(meant[x], 0) + n
    plain = with_counts(problem, merged)
    if _long(plain, merged):
        return None
    try:
        region = with_counts(problem, merged, LEVEL)
    except InputError:  # still too many values
        return None
    return MergedScales(
        few, values, least_scale(plain, _DIGITS), least_scale(region, _DIGITS)
    )
