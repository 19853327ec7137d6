"""R of densities that end, or that steps keep in part, on the pieces of a line (F116).

On a piece both densities are two exponentials as between atoms, and their integral is that of
`renyi_line` (F91, F92), or one of them is 0: where it is that of Q, and that of P is not, R is
infinite.  A part that is one output adds the term of its masses.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from core.enclose import ZERO, Arithmetic, Interval, Undecided
from core.grammar import Malformed
from core.line import NOTHING, Lines, Noisy
from core.line_masses import whole_of
from core.renyi_line import Cells, OfLines
from core.renyi_parts import of_outputs
from core.spans import End, Part
from core.sweep import Piece, sweep, turns
from core.work import allow_sums
from core.zero import Sum, enclose_sum

Both = tuple[End, End, Piece, Piece]


class OfKept(OfLines):
    """R of a goal, of which some parts keep their density."""

    def __init__(self, goal: Lines) -> None:
        super().__init__(goal)
        noise = goal.P.noise
        if noise.step is not None:
            raise Malformed("a density on a lattice")
        self.parts = goal.P.parts or (Part(None, None, None),)
        if noise.window and any(part.output is not None for part in self.parts):
            raise Malformed("steps after noise in a window")
        self.facts |= {"F116"} | ({"F81"} if noise.window else set())

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """As in `Moment`."""
        allow_sums()
        self.ar, self.known = ar, dict[Fraction, Interval]()
        self.facts |= {"F91", "F92"}
        total, cut = ZERO, dict[Fraction, Cells]()
        for low, high, p, q in self._pieces():
            if not _is_there(p):
                continue
            if not _is_there(q):
                return None
            if low is None or high is None:
                at = (p.far(ar), q.far(ar)) if low is None else (p.near(ar), q.near(ar))
                total = ar.add(total, self._h(at))
                continue
            gap = high - low
            if gap not in cut:
                cut[gap] = self._cells(gap)
            total = ar.add(total, self._gap(gap, cut[gap], p, q))
        more = of_outputs(self.goal, self.parts, self.order, ar)
        return None if more is None else ar.div(ar.add(total, more), whole_of(self.goal.P, ar))

    def _pieces(self) -> Iterator[Both]:
        """The pieces of the parts that keep their density."""
        noise, ar = self.noise, self.ar
        cuts = [x for part in self.parts for x in part[:2] if x is not None]
        cuts += noise.window or ()
        atoms = {**self.goal.P.atoms, **self.goal.Q.atoms}
        places = turns(noise, atoms, cuts)
        p, q = (sweep(noise, places, self._jumps(law, atoms), ar).pieces
                for law in (self.goal.P, self.goal.Q))  # fmt: skip
        parts = [*reversed(self.parts)]
        for (low, high), one, two in zip(pairwise([None, *places, None]), p, q, strict=True):
            if low is not None and low == parts[-1].high:
                parts.pop()
            inside = noise.window is None or (
                low is not None and noise.window[0] <= low < noise.window[1]
            )
            if parts[-1].output is None and inside:
                yield low, high, one, two

    def _jumps(self, law: Noisy, atoms: dict[Fraction, Fraction]) -> dict[Fraction, Interval]:
        """Its masses at all atoms, in a window those of F81."""
        ar, found = self.ar, dict[Fraction, Interval]()
        for x in atoms:
            mass = law.atoms.get(x, NOTHING)
            if mass:
                found[x] = ar.of(mass)
                if self.noise.window is not None:
                    from core.window import within

                    found[x] = ar.div(found[x], enclose_sum(within(self.noise, x), ar))
        return found

    def exact(self) -> tuple[Sum, Sum]:
        """As in `Moment`."""
        raise Undecided("a tie of densities that are kept in part")


def _is_there(piece: Piece) -> bool:
    """Whether a density is not 0 on a piece, which is decided: then it is 0 nowhere on it."""
    ends = piece.left, piece.right
    if all(x[:2] == (0, 0) for x in ends):
        return False
    if not any(x[0] > 0 for x in ends):
        raise Undecided("a density that may be 0")
    return True


def moment(goal: Lines) -> OfKept:
    """That of a goal of such laws."""
    return OfKept(goal)
