"""Published recipes for chains of records, for comparison: each is decided at its own value.

They hold for every query that changes by at most L when one record does, and so for the release of
a problem, whose L is what a record can change of it. What is decided here is this release alone.
Source: Song, Wang and Chaudhuri, SIGMOD 2017, sections 4.4 and 5 (Markov quilts); Ghosh and
Kleinberg, ITCS 2017, as compared there (GK16).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, log
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from pfverify.errors import InputError
from pfverify.exact.ball import Raw, largest, raw
from pfverify.exact.number import Number
from pfverify.model.chains.chain import Chain
from pfverify.model.sources.correlated import Chains
from pfverify.scales.closed_form import Proposal, Value, distance_over, largest_upper
from pfverify.scales.recipes.asked import RecipeProblem

Rows = Sequence[Sequence[Fraction]]
Array = NDArray[np.float64]
_FLOATS = 1e-100, 1e100  # epsilon, where floats choose
_DENSE = 2_000  # records of which the matrix of influences is made


def chain_group(asked: RecipeProblem) -> Proposal:
    """L T / epsilon: group privacy, which hides all records at once."""
    chains = _chains(asked)
    return largest_upper(
        (distance_over(_reach(one) * one.length, asked.epsilon) for one in chains), asked.grid
    )


def chain_quilt(asked: RecipeProblem) -> Proposal:
    """Largest over records of the least L n / (epsilon - e) over Markov quilts: MQMExact."""
    chains = _seen(asked)
    exact = [_Influence(chain) for chain in chains]

    def sides(time: int, most: int) -> tuple[Array, Array]:
        left, right = zip(*(one.sides(time, most) for one in exact), strict=True)
        return np.concatenate(left, axis=1), np.concatenate(right, axis=1)

    def value(quilt: _Quilt, epsilon: Number, reach: Fraction) -> Value:
        ratio = max(one.ratio(quilt) for one in exact)
        less = epsilon if ratio == 1 else epsilon - Number.of_rational(ratio).log()
        return Value.of(Number.of_rational(reach * quilt.nearby) / less)

    return _quilts(asked, chains, sides, value)


def chain_quilt_approx(asked: RecipeProblem) -> Proposal:
    """The same with a bound of e by the least stationary mass and the eigengap: MQMApprox."""
    chains = _seen(asked)
    bound = _Bound(
        min(min(_stationary(one)) for one in chains), min(_gap(one) for one in chains)
    )
    return _quilts(asked, chains, bound.sides, bound.value)


def chain_inferential(asked: RecipeProblem) -> Proposal:
    """2 L / epsilon times the largest row sum of (1 - Gamma)^-1, Gamma the influences: GK16."""
    return largest_upper(
        (_inferential(one, asked.epsilon) for one in _seen(asked)), asked.grid
    )


# ---------------------------------------------------------------- what they share


def _chains(asked: RecipeProblem) -> list[Chain]:
    asked.for_laplace_noise()
    if asked.problem.source.steps:
        raise InputError("steps before the noise act on the sum, not on single records")
    if not isinstance(asked.problem.source, Chains):
        raise InputError("this recipe is about chains of records")
    asked.for_a_finite_scale()
    return list(asked.problem.source.models.values())


def _seen(asked: RecipeProblem) -> list[Chain]:
    """The chains; InputError for hidden ones."""
    chains = _chains(asked)
    if any(chain.observation is not None for chain in chains):
        raise InputError("the chain is hidden: this recipe is about records that are released")
    return chains


def _reach(chain: Chain) -> Fraction:
    """L: how far one record can move what is released."""
    reach = Fraction(0)
    for time in range(1, chain.length + 1):
        adds = [x for state in chain.states for _, x, _ in chain.added(time, state)]
        reach = max(reach, max(adds) - min(adds))
    return reach


def _times(p: Rows, q: Rows) -> list[list[Fraction]]:
    columns = list(zip(*q, strict=True))
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in columns]
        for row in p
    ]


# ---------------------------------------------------------------- Markov quilts


@dataclass(frozen=True)
class _Quilt:
    """Of the record at a time those so far before it and behind; 0: none on that side."""

    time: int
    left: int
    right: int
    nearby: int


Sides = Callable[[int, int], tuple[Array, Array]]
"""A time, how far to look -> distance -> what the record there tells, of any two values, on either
side; as floats."""


def _quilts(
    asked: RecipeProblem, chains: Sequence[Chain], sides: Sides,
    value: Callable[[_Quilt, Number, Fraction], Value],
) -> Proposal:  # fmt: skip
    """The largest over records of the least scale over quilts: floats tell which these are."""
    if len({one.length for one in chains}) > 1:
        raise InputError("this recipe is about chains of one length")
    epsilon = float(asked.epsilon.ball().raw.mid())
    if not _FLOATS[0] <= epsilon <= _FLOATS[1]:
        raise InputError(f"this recipe is worked out for epsilon from {_FLOATS[0]} to {_FLOATS[1]}")
    chain, reach = chains[0], max(_reach(one) for one in chains)
    found = [_least_quilt(time, chain.length, sides, epsilon) for time in chain.times]
    top = max(score for score, _ in found)
    near = {
        (quilt.left, quilt.right, quilt.nearby): quilt  # the worst of those
        for score, quilt in sorted(found, key=itemgetter(0)) if score > top * (1 - 1e-9)
    }  # fmt: skip
    return largest_upper(
        (value(quilt, asked.epsilon, reach) for quilt in near.values()), asked.grid
    )


def _least_quilt(
    time: int, length: int, sides: Sides, epsilon: float
) -> tuple[float, _Quilt]:
    """The least n / (epsilon - e) of a record and its quilt. None with more records nearby than the
    best one's scale times epsilon can be better."""
    best = length / epsilon, _Quilt(time, 0, 0, length)
    most = 8
    while True:
        left, right = sides(time, most)  # place 0: no record on that side
        told = (left[:, None] + right[None, :]).max(axis=(2, 3))
        before = np.arange(len(left))
        behind = np.arange(len(right))
        before[0], behind[0] = time, length - time + 1
        nearby = before[:, None] + behind[None, :] - 1
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = np.where(told < epsilon, nearby / (epsilon - told), np.inf)
        a, b = np.unravel_index(int(np.argmin(scores)), scores.shape)
        if scores[a, b] < best[0]:
            best = float(scores[a, b]), _Quilt(time, int(a), int(b), int(nearby[a, b]))
        if most >= min(length, best[0] * epsilon):
            return best
        most = min(4 * most, ceil(best[0] * epsilon))


class _Influence:
    """How much a record tells of another: the largest log ratio."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self._steady = len(chain.transitions) < 2
        self._powers: dict[tuple[int, int], list[list[Fraction]]] = {}
        self._logs: dict[tuple[int, int, bool], Array] = {}

    @cached_property
    def marginals(self) -> list[list[Fraction]]:
        """The law of every record."""
        rows = [list(self.chain.start.values())]
        for time in range(1, self.chain.length):
            rows += _times(rows[-1:], self.chain.matrix(time))
        return rows

    @cached_property
    def _stays(self) -> bool:
        return self._steady and all(row == self.marginals[0] for row in self.marginals[:2])

    def between(self, time: int, later: int) -> list[list[Fraction]]:
        """The chances from a time to a later one."""
        key = (1, 1 + later - time) if self._steady else (time, later)
        if key not in self._powers:
            first, last = key
            known = last - 1
            while known > first and (first, known) not in self._powers:
                known -= 1
            for at in range(known, last):
                step = self.chain.matrix(at)
                self._powers[first, at + 1] = (
                    [list(row) for row in step] if at == first
                    else _times(self._powers[first, at], step)
                )  # fmt: skip
        return self._powers[key]

    def ratios(self, time: int, distance: int, *, back: bool) -> list[list[Fraction | None]]:
        """Return of any two values the largest ratio of the laws that they give the record at a
        distance (1 at distance 0); None: there is none."""
        own = self.marginals[time - 1]
        if not distance:
            return [[Fraction(1) for _ in own] for _ in own]
        if back:
            far = self.marginals[time - 1 - distance]
            columns = list(zip(*self.between(time - distance, time), strict=True))
            laws = [
                [u * chance / x for u, chance in zip(far, column, strict=True)] if x else None
                for x, column in zip(own, columns, strict=True)
            ]
        else:
            rows = self.between(time, time + distance)
            laws = [row if x else None for x, row in zip(own, rows, strict=True)]
        return [[_ratio(p, q) for q in laws] for p in laws]

    def sides(self, time: int, most: int) -> tuple[Array, Array]:
        """The logarithms of the ratios, to both sides, up to a distance."""
        left = [self._log(time, k, back=True) for k in range(min(time - 1, most) + 1)]
        reach = min(self.chain.length - time, most)
        right = [self._log(time, k, back=False) for k in range(reach + 1)]
        return np.array(left), np.array(right)

    def _log(self, time: int, distance: int, *, back: bool) -> Array:
        key = (0 if self._stays else time, distance, back)
        if key not in self._logs:
            table = self.ratios(time, distance, back=back)
            self._logs[key] = np.array(
                [[np.inf if x is None else _log(x) for x in row] for row in table]
            )
        return self._logs[key]

    def ratio(self, quilt: _Quilt) -> Fraction:
        """Return the largest ratio of the quilt's law under two values; the quilt bounds it."""
        left = self.ratios(quilt.time, quilt.left, back=True)
        right = self.ratios(quilt.time, quilt.right, back=False)
        return max(
            x * y for one, other in zip(left, right, strict=True)
            for x, y in zip(one, other, strict=True) if x is not None and y is not None
        )  # fmt: skip


def _log(x: Fraction) -> float:
    """Its logarithm; x may be too large for a float."""
    return log(x.numerator) - log(x.denominator) if x > _FLOATS[1] else log(x)


def _ratio(p: Sequence[Fraction] | None, q: Sequence[Fraction] | None) -> Fraction | None:
    """The largest ratio of two laws; 1 where a value is impossible, and so no secret."""
    if p is None or q is None:
        return Fraction(1)
    if any(x and not y for x, y in zip(p, q, strict=True)):
        return None
    return max(x / y for x, y in zip(p, q, strict=True) if y)


class _Bound:
    """What a record tells of another at most, by the least stationary mass and the eigengap."""

    def __init__(self, least: Fraction, gap: Fraction) -> None:
        self.least, self.gap = least, gap

    def sides(self, time: int, most: int) -> tuple[Array, Array]:
        """The bounds to both sides, up to a distance; twice to the left."""
        far = np.arange(1, most + 1)
        shrunk = np.exp(-float(self.gap) * far / 2)
        least = float(self.least)
        with np.errstate(divide="ignore", invalid="ignore"):
            told = np.where(shrunk < least, np.log((least + shrunk) / (least - shrunk)), np.inf)
        told = np.concatenate([[0.0], told])[:, None, None]
        return 2 * told[:time], told

    def value(self, quilt: _Quilt, epsilon: Number, reach: Fraction) -> Value:
        """Return the scale of a quilt."""

        def ball() -> Raw:
            total, least = raw(0), raw(self.least)
            for distance, factor in ((quilt.left, 2), (quilt.right, 1)):
                if distance:
                    shrunk = raw(-self.gap * distance / 2).exp()
                    total += factor * ((least + shrunk) / (least - shrunk)).log()
            return raw(reach * quilt.nearby) / (epsilon.ball().raw - total)

        return Value(ball)


def _stationary(chain: Chain) -> list[Fraction]:
    """The start of a chain that stays as it is, with every state; InputError for others."""
    start = list(chain.start.values())
    if chain.length > 1:
        if len(chain.transitions) != 1:
            raise InputError("this recipe is about one table of transitions")
        if _times([start], chain.transitions[0]) != [start] or not all(start):
            raise InputError("this recipe is about chains that start stationary, in every state")
    return start


def _gap(chain: Chain) -> Fraction:
    """2 (1 - |second eigenvalue|) of a reversible chain P, else 1 - that of P P*; by floats."""
    if chain.length == 1:
        return Fraction(2)
    start, rows = _stationary(chain), chain.transitions[0]
    flow = [[x * chance for chance in row] for x, row in zip(start, rows, strict=True)]
    reversible = all(
        flow[a][b] == flow[b][a] for a, b in product(range(len(start)), repeat=2)
    )
    root = np.sqrt(np.array([float(x) for x in start]))
    values = np.linalg.svd(
        np.array([[float(x) for x in row] for row in flow]) / np.outer(root, root),
        compute_uv=False,
    )
    second = float(np.sort(values)[-2])
    gap = 2 * (1 - second) if reversible else 1 - second**2
    if gap < 1e-9:
        raise InputError("the chain does not mix: its eigengap is 0")
    return Fraction(gap) - Fraction(len(start), 10**14)  # not above the true one


# ---------------------------------------------------------------- GK16


def _inferential(chain: Chain, epsilon: Number) -> Value:
    if chain.length > _DENSE:
        raise InputError(f"this recipe is worked out for at most {_DENSE} records")
    ratios = [_told(chain, time) for time in range(1, chain.length + 1)]
    matrix = np.zeros((chain.length, chain.length))
    for k, (left, right) in enumerate(ratios):
        for at, ratio in ((k - 1, left), (k + 1, right)):
            if 0 <= at < chain.length:
                matrix[k, at] = _log(ratio) / 2
    norm = float(np.linalg.norm(matrix, 2))
    if not norm < 1:
        raise InputError(
            f"the matrix of influences has spectral norm {norm:.3g}, and this recipe needs it "
            "below 1"
        )
    reach = 2 * _reach(chain)

    def ball() -> Raw:
        return raw(reach) * _row_sum(ratios) / epsilon.ball().raw

    return Value(ball)


def _told(chain: Chain, time: int) -> tuple[Fraction, Fraction]:
    """The largest ratio of the law of a record, all others being known, by what the one before it
    is, and by what the one behind is."""
    count = len(chain.states)
    before = chain.matrix(time - 1) if time > 1 else [list(chain.start.values())]
    behind = chain.matrix(time) if time < chain.length else [[Fraction(1)] for _ in range(count)]
    if not all(x for table in (before, behind) for row in table for x in row):
        raise InputError("this recipe is about chains without impossible steps")
    laws = {}
    for a, row in enumerate(before):
        for b in range(len(behind[0])):
            law = [x * behind[k][b] for k, x in enumerate(row)]
            laws[a, b] = [x / sum(law) for x in law]
    found = []
    for same in (1, 0):  # the place that stays while the other changes
        found.append(max(
            x / y
            for (p_at, p), (q_at, q) in product(laws.items(), repeat=2)
            if p_at[same] == q_at[same]
            for x, y in zip(p, q, strict=True)
        ))  # fmt: skip
    return found[0], found[1]


def _row_sum(ratios: Sequence[tuple[Fraction, Fraction]]) -> Raw:
    """The largest row sum of (1 - Gamma)^-1, by elimination: Gamma knows neighbours alone."""
    logs: dict[Fraction, Raw] = {}

    def half_log(ratio: Fraction) -> Raw:
        if ratio not in logs:
            logs[ratio] = raw(ratio).log() / 2
        return logs[ratio]

    factors: list[Raw] = []
    sums: list[Raw] = []
    for k, (left, right) in enumerate(ratios):
        low = half_log(left) if k else raw(0)
        high = half_log(right) if k + 1 < len(ratios) else raw(0)
        pivot = 1 - low * factors[-1] if k else raw(1)
        factors.append(high / pivot)
        sums.append((1 + low * sums[-1]) / pivot if k else raw(1))
    for k in range(len(sums) - 2, -1, -1):
        sums[k] = sums[k] + factors[k] * sums[k + 1]
    return largest(sums)
