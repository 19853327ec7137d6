"""The laws of what is released of a chain, given one record: sums over all paths, exactly.

With integer weights for masses, F_t(s) is the polynomial of what the records before t add, over the
paths that are in s at t, and B_t(s) of what those after t add, starting there; E_t(s) of what the
record at t adds. Given X_t = s the law has the weights of F_t(s) E_t(s) B_t(s).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import isqrt, lcm, log2

from pfverify.exact.common import common_step
from pfverify.exact.polynomials import Polynomial
from pfverify.model.chains.chain import Chain, Record
from pfverify.model.chains.reading import Matrix
from pfverify.model.priors.by_secret import BySecret
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior
from pfverify.model.sums import check_bits

_KEPT = 1 << 21  # atoms of laws that are kept once they are worked out
_REMEDY = (
    "; expected fewer records, weights on a coarser lattice, or masses with a smaller common "
    "denominator"
)
_ONE = Polynomial([1])
_Row = list[Polynomial]


class ChainLaws(BySecret):
    """Secret -> law of what is released of a chain; worked out when asked for.

    Raises InputError as `check_size`, unless it is not `checked`.
    Example: ``ChainLaws(chain)["t=1:low"].atoms[0]`` is ``0``.
    """

    def __init__(self, chain: Chain, *, checked: bool = True) -> None:
        self.chain, self.secrets = chain, chain.secrets()
        super().__init__(self.secrets)
        self._found: dict[str, Discrete] = {}
        self._atoms = 0
        self._matrices = [_whole(matrix) for matrix in chain.transitions]
        self._starts: dict[bool, list[_Row]] = {}
        self._held: dict[bool, tuple[int, list[_Row]]] = {}
        if checked:
            self.check_size()

    def __getitem__(self, name: str) -> Prior:
        if name not in self._found:
            found = self._law(self.secrets[name])
            if self._atoms > _KEPT:
                self._atoms = 0
                self._found.clear()
            self._atoms += found.size
            self._found[name] = found
        return self._found[name]

    # ---------------------------------------------------------------- the lattice

    @cached_property
    def places(self) -> tuple[Fraction, Fraction, list[list[dict[str, tuple[int, int]]]]]:
        """The least X, the step of its lattice, and time -> state -> what is seen -> its place
        above the least at that time, and its weight."""
        chain = self.chain
        every = [[chain.added(t, s) for s in chain.states] for t in range(1, chain.length + 1)]
        lows = [min(x for seen in states for _, x, _ in seen) for states in every]
        gaps = {x - low for states, low in zip(every, lows, strict=True)
                for seen in states for _, x, _ in seen}  # fmt: skip
        step = common_step(gaps) or Fraction(1)
        masses = {m for seen in every[0] for _, _, m in seen}
        scale = lcm(*(m.denominator for m in masses))
        places = [
            [{name: (int((x - low) / step), int(m * scale)) for name, x, m in seen}
             for seen in states]
            for states, low in zip(every, lows, strict=True)
        ]  # fmt: skip
        return sum(lows, Fraction(0)), step, places

    @property
    def size(self) -> tuple[int, int]:
        """How many atoms a law may have, and how many bits one exact mass."""
        _, _, places = self.places
        points = 1 + sum(max(k for seen in row for k, _ in seen.values()) for row in places)
        rows = [max(sum(row) for row in matrix) for matrix in self._matrices]
        each = max(rows, default=1) * max(
            sum(w for _, w in seen.values()) for seen in places[0]
        )
        return points, int(len(places) * log2(each)) + 1

    def check_size(self) -> None:
        """Raise InputError where exact masses of one law would need too much memory."""
        check_bits("what is released", *self.size, _REMEDY)

    # ---------------------------------------------------------------- forward and backward

    def _step(self, time: int, row: _Row, *, back: bool) -> _Row:
        """F at a time from F before it, or B from B after it."""
        matrix = self._matrices[0]
        if len(self._matrices) > 1:
            matrix = self._matrices[time - 1 if back else time - 2]
        adds = self._adds[time if back else time - 2]
        moved = [poly * add for poly, add in zip(row, adds, strict=True)]
        chances = matrix if back else list(zip(*matrix, strict=True))
        return [_sum(moved, weights) for weights in chances]

    @cached_property
    def _adds(self) -> list[_Row]:
        """Time (from 0) -> state -> the polynomial of what the record adds."""
        return [[_polynomial(seen.values()) for seen in row] for row in self.places[2]]

    def _at(self, time: int, *, back: bool) -> _Row:
        """F or B at a time. The rows of one block of times are kept, and where the others start."""
        size = isqrt(self.chain.length) + 1
        block, place = divmod(self.chain.length - time if back else time - 1, size)
        held = self._held.get(back)
        if held is None or held[0] != block:
            starts = self._starts.setdefault(back, [self._first(back=back)])
            while len(starts) <= block:
                at = size * (len(starts) - 1)
                starts.append(self._run(starts[-1], at, size + 1, back=back)[-1])
            rows = self._run(starts[block], size * block, size, back=back)
            held = self._held[back] = block, rows
        return held[1][place]

    def _run(self, row: _Row, at: int, count: int, *, back: bool) -> list[_Row]:
        """So many rows from one at a place (from 0, in the order of the sweep), or to the end."""
        rows, length = [row], self.chain.length
        for place in range(at + 1, min(at + count, length)):
            rows.append(self._step(length - place if back else place + 1, rows[-1], back=back))
        return rows

    def _first(self, *, back: bool) -> _Row:
        if back:
            return [_ONE] * len(self.chain.states)
        masses = list(self.chain.start.values())
        scale = lcm(*(mass.denominator for mass in masses))
        return [Polynomial([int(mass * scale)]) for mass in masses]

    def _law(self, secret: Record) -> Discrete:
        time, name = secret
        least, step, places = self.places
        before, after = self._at(time, back=False), self._at(time, back=True)
        total = Polynomial([0])
        for k, state in enumerate(self.chain.states):
            seen = places[time - 1][k]
            if self.chain.about == "state":
                seen = seen if state == name else {}
            else:
                seen = {name: seen[name]} if name in seen else {}
            if seen:
                total += before[k] * _polynomial(seen.values()) * after[k]
        return Discrete.on_lattice(least, step, total.coefficients())


def _polynomial(parts: Iterable[tuple[int, int]]) -> Polynomial:
    found: dict[int, int] = {}
    for place, weight in parts:
        found[place] = found.get(place, 0) + weight
    return Polynomial([found.get(k, 0) for k in range(max(found) + 1)])


def _sum(polys: _Row, weights: Iterable[int]) -> Polynomial:
    total = Polynomial([0])
    for poly, weight in zip(polys, weights, strict=True):
        if weight:
            total += poly * Polynomial([weight])
    return total


def _whole(matrix: Matrix) -> Sequence[Sequence[int]]:
    """A matrix of chances as integers over one denominator, which cancels in every law."""
    scale = lcm(*(mass.denominator for row in matrix for mass in row))
    return [[int(mass * scale) for mass in row] for row in matrix]
