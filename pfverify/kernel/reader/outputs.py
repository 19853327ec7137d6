"""What steps make of a noisy number where every output has its mass: a channel from the atoms.

With s = e^(-step rho) and N on the lattice P(N >= j step) = s^j/(1+s) for j >= 0; on the line
P(N >= d) = e^(-d rho)/2 for d >= 0.  A period L further out each is e^(-L rho) times as large, so
that what comes again after every period sums up to these over 1 - e^(-L rho).  Noise that is
truncated at A has P(N >= d) = (e^(-d rho) - e^(-A rho)) / (2 (1 - e^(-A rho))) up to there, and all
cells are single.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from core.grammar import Malformed, canonical, shown
from core.kinds import Beliefs, Mass
from core.masses import outputs_of, total_of
from core.quotients import quotient
from core.spans import SUPPRESSED
from core.work import spend
from core.zero import NIL, Sum, add, multiply
from reader.cells import MOST, CutLine, Stretch, count
from reader.combined import Channel, lifted
from reader.noise import Noise
from reader.steps import NO_ROW, ONE, End, Stage, image_of

NOTHING = Fraction(0)


class Around:
    """The noise around an atom: the masses of stretches of the line."""

    def __init__(self, noise: Noise) -> None:
        self.noise, self.step = noise, noise.step
        self.end: Sum = {} if noise.bound is None else self._power(noise.bound)
        self.whole = add({NIL: ONE}, self._power(self.step) if self.step else {NIL: ONE})
        self.whole = add(self.whole, self.end, Fraction(-2))
        self.flip = 0 if self.step is None else 1
        self.known: dict[tuple[Fraction | None, Fraction | None], Mass] = {}

    def _power(self, distance: Fraction) -> Sum:
        """e^(-distance/scale)."""
        return {self.noise.decay(distance): ONE}

    def of(self, cell: Stretch, atom: Fraction) -> Mass:
        """The mass of a cell when X is the atom."""
        low, high = (self._place(cut, atom) for cut in (cell.low, cell.high))
        if (low, high) not in self.known:
            spend(256)
            below = self.whole if low is None else self._beyond(low)
            above = {} if high is None else self._beyond(high)
            self.known[low, high] = quotient(add(below, above, -ONE), self.whole)
        return self.known[low, high]

    def _place(self, cut: End, atom: Fraction) -> Fraction | None:
        """Distance to a cut; on the lattice how many steps to the first point behind it."""
        if cut is None:
            return None
        return cut[0] - atom if self.step is None else Fraction(count(cut, atom, self.step))

    def _beyond(self, place: Fraction) -> Sum:
        """The mass from a place on, times `whole`, which is 2 or 1 + s less that of the bound."""
        if place >= 0:
            return self._tail(place)
        return add(self.whole, self._tail(self.flip - place), -ONE)

    def _tail(self, place: Fraction) -> Sum:
        bound = self.noise.bound
        if bound is not None and place >= bound:
            return {}
        return add(self._power(place * (self.step or ONE)), self.end, -ONE)

    def turned(self, cell: Stretch, atom: Fraction, period: Fraction) -> Mass:
        """The mass of a cell, at most a period long, with what comes after every period again."""
        low, high = (self._place(cut, atom) for cut in (cell.low, cell.high))
        if low is None or high is None or self.noise.bound is not None:
            raise Malformed("a cell without end does not come again")
        around = period / (self.step or ONE)

        def beyond(place: Fraction) -> Sum:
            """To the right from there on, less what is to the left, a period further out."""
            return add(self._tail(place), self._tail(self.flip - place + around), -ONE)

        spend(1024)
        low, high = low % around, high - low // around * around
        total = add(beyond(low), beyond(high - around if high > around else high), -ONE)
        if high > around:
            total = add(total, add(beyond(NOTHING), beyond(around), -ONE))
        return quotient(total, multiply(self.whole, add({NIL: ONE}, self._power(period), -ONE)))


def _table(
    noise: Noise, steps: Sequence[Stage], atoms: Sequence[Fraction], single: bool
) -> dict[str, list[Mass]]:
    """Output -> its mass given each atom; none stands for several where they are `single`."""
    if noise.kind == "none":
        return _sums([[(image_of(steps, x), ONE)] for x in atoms])
    if noise.kind == "table":
        from reader.tabled import drawn

        return _sums([[(image_of(steps, x + n), w) for n, w in drawn(noise, x)] for x in atoms])
    if noise.kind not in ("laplace", "truncated-laplace", "discrete-laplace"):
        raise Malformed(f"steps after noise of kind {shown(noise.kind)} are not known")
    law, most = Around(noise), MOST // len(atoms)
    if any(step.key == "modulo" for step in steps):
        from reader.turns import turned

        cells, period = turned(steps, atoms, noise.step, noise.bound, most)
        return _sums([
            [(cell.output, law.of(cell, x) if period is None else law.turned(cell, x, period))
             for cell in cells] for x in atoms
        ])  # fmt: skip
    if noise.bound is None:
        line = CutLine(steps, atoms[0], atoms[-1], noise.step)
        cells = line.every(most) if single else line.cells(most)
    else:
        cells = CutLine(steps, atoms[0] - noise.bound, atoms[-1] + noise.bound, None).single(most)
    return {cell.output: [law.of(cell, x) for x in atoms] for cell in cells}


def _sums(rows: Sequence[Sequence[tuple[str, Mass]]]) -> dict[str, list[Mass]]:
    """Output -> its mass in each row, which may name it several times."""
    names = dict.fromkeys(name for row in rows for name, _ in row)
    found: dict[str, list[Mass]] = {name: [] for name in names}
    for row in rows:
        parts: dict[str, list[tuple[Mass, Mass]]] = {name: [] for name in names}
        spend(8 * len(names))
        for name, mass in row:
            parts[name].append((mass, ONE))
        for name, terms in parts.items():
            found[name].append(total_of(terms))
    return found


def listed(
    noise: Noise, steps: Sequence[Stage], atoms: Sequence[Fraction], beliefs: Beliefs, *,
    single: bool, no_row: bool,
) -> Beliefs:  # fmt: skip
    """The laws of the outputs of atoms, and of no row where some prior has that."""
    columns = _table(noise, steps, atoms, single) if atoms else {}
    inputs = [canonical(x) for x in atoms]
    if no_row:
        inputs.append(NO_ROW)
        columns.setdefault(SUPPRESSED, [NOTHING] * len(atoms))
        for output, column in columns.items():
            column.append(ONE if output == SUPPRESSED else NOTHING)
    rows = zip(*columns.values(), strict=True)
    channel = Channel(tuple(inputs), tuple(columns), tuple(outputs_of(row) for row in rows))
    return {
        name: lifted(channel, {s: _named(law) for s, law in of.items()})
        for name, of in beliefs.items()
    }


def _named(law: Mapping[Any, Fraction]) -> dict[str, Fraction]:
    return {x if isinstance(x, str) else canonical(x): m for x, m in law.items()}


def facts_of(noise: Noise, steps: Sequence[Stage], *, merged: bool) -> set[str]:
    """The facts by which these are their masses: outputs without end are `merged`, or come again
    after every period."""
    if noise.kind in ("none", "table"):
        return {"X" if noise.kind == "none" else "TABLE"}
    found = {"F45" if noise.step is None else "F45e"}
    if noise.bound is not None:
        return found
    if merged:
        found.add("F45d")
    keys = [step.key for step in steps]
    if "modulo" in keys and "clamp" not in keys[: keys.index("modulo")]:
        found.add("F49")
    return found
