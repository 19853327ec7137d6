"""The release of what steps make of a noisy number: noise, then the steps of a table `post`.

X has finitely many atoms, and the rules are those of a channel from them to the outputs, each of
which is a cell of the line (`steps`), with one liberty.

Cells without end.  To the right of all atoms the law of Y under a prior is a multiple of one law,
e^(-y rho) times sum over x of P(x) e^(x rho), and likewise to the left.  So P(B) - e^epsilon Q(B)
has one sign for all B there, and P(B)/Q(B) one value: their outputs, of which there may be
infinitely many, are taken as one.  (No row at all is a prior too, without mass there.)  In the
pointwise form each output is by itself, and they have to be finitely many.

The masses.  With s = e^(-step rho) and N on the lattice P(N >= j step) = s^j/(1+s) for j >= 0; on
the line P(N >= d) = e^(-d rho)/2 for d >= 0.  A period L further out each is e^(-L rho) times as
large, so that what comes again after every period sums up to these over 1 - e^(-L rho).  Noise that
is truncated at A has P(N >= d) = (e^(-d rho) - e^(-A rho)) / (2 (1 - e^(-A rho))) up to there, and
all cells are single.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, Number, bounded, canonical, shown
from core.kinds import Beliefs, Mass, Mixture, Pairs
from core.line import Noisy, noisy
from core.masses import outputs_of, total_of
from core.quotients import quotient
from core.shapes import rational, table
from core.spans import SUPPRESSED, Part
from core.value import require_range
from core.work import spend
from core.zero import NIL, Sum, add, multiply
from reader import noise as noises
from reader import priors
from reader.channel_kinds import Channel
from reader.noise import Noise
from reader.released import lifted
from reader.steps import (
    HALF,
    ONE,
    CutLine,
    End,
    Stage,
    Stretch,
    count,
    image_of,
    parts_of,
    steps_of,
)
from reader.tables import Row, noise_kind

if TYPE_CHECKING:
    from reader.protocols import Notion

NOTHING = Fraction(0)
NO_ROW = "nothing"
ON_LINE = ("laplace", "truncated-laplace")
MOST = 1_000_000  # masses of a channel


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
    require_one_lattice(noise, atoms)
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


def require_one_lattice(noise: Noise, atoms: Sequence[Fraction]) -> None:
    """Malformed unless the atoms differ by multiples of the step, where there is one."""
    if any(((x - atoms[0]) / noise.step).denominator != 1 for x in atoms if noise.step):
        raise Malformed("atoms do not differ by multiples of the step")


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


# ---------------------------------------------------------------- the release

Atoms = dict[Any, Fraction]  # atom, or "nothing" -> mass
SMOOTH = ("laplace", "gaussian")


class Stepped(NamedTuple):
    """Noise, then steps."""

    noise: Noise
    steps: list[Stage]
    by: set[str]  # the facts by which the masses of outputs are known, once they are
    kind: str = "channel"
    single: bool = False
    amount: None = None
    step: None = None
    also: str = "ideal noise, the steps as stated and "

    @property
    def own(self) -> Set[str]:
        """No key of a notion is its own."""
        return frozenset()

    def at(self, amount: Number | None) -> Stepped:
        """The same: its scale is fixed."""
        if amount is not None:
            raise Malformed("steps after noise have no amount")
        return self

    def law(self, value: Any, what: str) -> Atoms | Mixture:
        """The law of X that a table states: atoms, normal laws, or nothing."""
        if type(value) is dict and value.get("kind") == NO_ROW:
            table(value, what, {"kind"}, {"or", "chance"})
            if not any(step.hides for step in self.steps):
                raise Malformed(f"{what}: nothing needs a threshold")
            if ("or" in value) != ("chance" in value):
                raise Malformed(f"{what}: nothing has both or and chance, or neither")
            chance = rational(value.get("chance", 0), f"{what}: chance")
            if not 0 <= chance <= 1:
                raise Malformed(f"{what}: a chance outside [0, 1]")
            other = self._atoms(value["or"], what) if "or" in value else {}
            rows = {NO_ROW: 1 - chance, **{x: bounded(m * chance) for x, m in other.items()}}
            return {x: m for x, m in rows.items() if m}
        found = priors.prior(value, what)
        if isinstance(found, Mixture) and self.noise.kind in SMOOTH and self.noise.amount != 0:
            return found
        return self._atoms(value, what)

    def _atoms(self, value: Any, what: str) -> Atoms:
        found = priors.prior(value, what)
        if not isinstance(found, dict):
            raise Malformed(f"{what}: steps need priors of atoms")
        return dict(found)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of the outputs."""
        laws = [law for of in beliefs.values() for law in of.values()]
        gaussian = self.noise.kind == "gaussian" and self.noise.amount != 0
        if gaussian or any(isinstance(law, Mixture) for law in laws):
            from reader.after import behind

            return {
                name: {s: behind(law, self.noise, self.steps) for s, law in of.items()}
                for name, of in beliefs.items()
            }
        if any(type(law) is not dict for law in laws):
            raise Malformed("steps need priors of atoms")
        everything = {x for law in laws for x in law}
        atoms = sorted(x for x in everything if x != NO_ROW)
        noise = self.noise.at(self.noise.amount)
        if self.kind == "kept":
            require_one_lattice(noise, atoms)
            made = self._kept if noise.step is None else self._celled
            self.by.update({"F45"} if noise.step is None else ())
            return {name: {s: made(law) for s, law in of.items()} for name, of in beliefs.items()}
        parted = any(step.key == "modulo" for step in self.steps)
        ends_as_one = not parted and not self.single
        if ends_as_one and noise.kind in ("laplace", "discrete-laplace"):
            found = self._cells(beliefs, noise, atoms, NO_ROW in everything)
            if found is not None:
                return found
        columns = _table(noise, self.steps, atoms, self.single) if atoms else {}
        self._note(noise, merged=ends_as_one)
        inputs = [canonical(x) for x in atoms]
        if NO_ROW in everything:
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

    def _note(self, noise: Noise, *, merged: bool) -> None:
        """Note by which facts outputs of atoms have their masses; those without end are `merged`,
        or come again after every period."""
        if noise.kind in ("none", "table"):
            self.by.add("X" if noise.kind == "none" else "TABLE")
            return
        self.by.add("F45" if noise.step is None else "F45e")
        if noise.bound is not None:
            return
        if merged:
            self.by.add("F45d")
        keys = [step.key for step in self.steps]
        if "modulo" in keys and "clamp" not in keys[: keys.index("modulo")]:
            self.by.add("F49")

    def _cells(
        self, beliefs: Beliefs, noise: Noise, atoms: Sequence[Fraction], no_row: bool
    ) -> Beliefs | None:
        """Laws of which the outputs are cells; None where no row has an output of its own."""
        if not atoms:
            return None
        require_one_lattice(noise, atoms)
        found = CutLine(self.steps, atoms[0], atoms[-1], noise.step).cells(MOST)
        if no_row and found[0].output != SUPPRESSED:
            return None
        spend(16 * len(found))
        cuts, names = list[Fraction](), [found[0].output]
        for before, cell in pairwise(found):
            if before.high is None:
                raise Malformed("a cell without an end before the last one")
            cut = before.high[0]
            if noise.step is not None:  # halfway between two points
                cut = atoms[0] + (count(before.high, atoms[0], noise.step) - HALF) * noise.step
            if cuts and cut == cuts[-1]:  # no number of a line, or of the lattice, lies between
                names.pop()
            else:
                cuts.append(cut)
            names.append(cell.output)
        ends = pairwise([None, *cuts, None])
        parts = tuple(Part(*end, name) for end, name in zip(ends, names, strict=True))
        self._note(noise, merged=True)
        return {
            name: {s: self._noisy(law, noise, parts) for s, law in of.items()}
            for name, of in beliefs.items()
        }

    def _noisy(self, law: Atoms, noise: Noise, parts: tuple[Part, ...]) -> Noisy:
        atoms = {x: law[x] for x in sorted(x for x in law if x != NO_ROW)}
        return noisy(atoms, noise, law.get(NO_ROW, NOTHING), parts)

    def _kept(self, law: Atoms) -> Noisy:
        """A law of which densities are kept in part."""
        parts = parts_of(self.steps)
        if NO_ROW in law and all(part.output != SUPPRESSED for part in parts):
            raise Malformed("nothing needs a threshold that hides numbers")
        return self._noisy(law, self.noise.at(self.noise.amount), parts)

    def _celled(self, law: Atoms) -> Any:
        """A law of which the outputs are endlessly many, or sums without end."""
        from core.gaussian_lattice import celled
        from reader.after import LatticePost

        atoms = {x: m for x, m in law.items() if x != NO_ROW}
        post = LatticePost(tuple(self.steps), self.noise.step or ONE)
        return celled(atoms, self.noise, law.get(NO_ROW, NOTHING), post)

    def seen(self, result: str) -> tuple[str, set[str]]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        return "one release", self.by

    def words(self, notion: Notion) -> str:
        """The noise, its scale and the steps, in a message."""
        amount, unit = self.noise.amount, noise_kind(self.noise.kind).amount
        scale = "" if amount is None else f" {unit}={canonical(amount)}"
        steps = ",".join(step.key for step in self.steps)
        return f"{self.noise.words(notion)}{shown(scale, 60)[1:-1]} post={steps}"

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise and the steps as they go into a digest."""
        post = [{step.key: step.written} for step in self.steps]
        return {**self.noise.canonical(notion), "post": post}


def _named(law: Atoms) -> dict[str, Fraction]:
    return {x if isinstance(x, str) else canonical(x): m for x, m in law.items()}


def _is_several(value: Any) -> bool:
    """Whether steps are behind several numbers, or many releases, or a sum known in part."""
    noise, post = value["noise"], value["post"]
    told = type(noise) is dict and (
        type(noise.get("scale")) is list or not noises.SEVERAL.isdisjoint(noise)
    )
    entries = post if type(post) is list else []
    system = value.get("system")
    told = told or (type(system) is dict and system.get("rest") == "any")
    return told or any(type(entry) is dict and "coordinate" in entry for entry in entries)


def release(value: Any) -> Stepped:
    """The noise and the steps of a problem."""
    if "noise" not in value:
        raise Malformed("post needs noise")
    if _is_several(value):
        found: Stepped = Row("reader.unprocessed", ()).reader("release")(value)
        return found
    noise = noises.release(value)
    if noise.amount is not None:
        require_range("scale", noise.amount, decide=True)
    elif noise_kind(noise.kind).amount is not None:
        raise Malformed("the problem has no scale, so nothing is to be certified or refuted")
    return after(noise, steps_of(value["post"]), value.get("form", "events") != "events")


def after(noise: Noise, steps: list[Stage], single: bool = False) -> Stepped:
    """Steps after a noise; each output is by itself where they are `single`."""
    keeps = noise.kind == "discrete-gaussian" or (noise.kind in ON_LINE and parts_of(steps))
    keeps = keeps and noise.amount != 0
    if keeps and single:
        raise Malformed("densities beside outputs, and sums without end, are judged by events")
    return Stepped(noise, steps, set(), "kept" if keeps else "channel", single)
