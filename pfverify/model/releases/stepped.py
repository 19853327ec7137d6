"""Noise with steps after it: what is published is made of the noisy number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.channels.channel import MAX_IRRATIONAL, Channel, check_irrational_size
from pfverify.model.channels.entries import Entry, total
from pfverify.model.families.family import Family
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.table import TableNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.nothing import Nothing, row_of
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import Protection
from pfverify.model.releases.of_noise import OfNoise, checked_noise
from pfverify.model.releases.release import Laws, Noise, Release
from pfverify.model.steps.kinds import steps_of, steps_table
from pfverify.model.steps.step import SUPPRESSED, PostStep, published

if TYPE_CHECKING:
    from pfverify.model.steps.chain import Cell, Part, StepChain

_SMOOTH = (Laplace, GaussianNoise)
NOTHING = "nothing"
"""The input that stands for no row at all."""
FEW_MASSES = 400
"""Masses up to which they are written out as a matrix: atoms of a law times outputs."""


class Stepped(OfNoise):
    """X with noise, then steps in order.

    Raises InputError for an order of steps that makes no sense.
    Example: ``Stepped(DiscreteLaplace(1), [{"threshold": {"at": 5}}]).steps[0].key`` is
    ``"threshold"``. Source: design facts F45 and F46.
    """

    kind = "steps"
    named = True
    more_scale = None
    steps: tuple[PostStep, ...]

    def __init__(self, noise: Noise, steps: object) -> None:
        self._keep(_noise=checked_noise(noise, "Stepped"), steps=steps_of(steps))

    def over(self, laws: Laws) -> Laws:
        """Return the laws as they are; InputError for one that these steps or the noise refuse."""
        hides = any(step.hides for step in self.steps)
        kept = self.kept
        all_stays = kept is not None and all(part.output != SUPPRESSED for part in kept)
        for table in laws.values():
            for secret, prior in table.items():
                where = f"prior of {shorten(secret)!r}"
                if isinstance(prior, Nothing):
                    if not hides:
                        raise InputError(
                            f"{where}: kind nothing needs a threshold among the steps in post"
                        )
                    if all_stays and prior.chance < 1:
                        raise InputError(
                            f"{where}: kind nothing is always told apart, since no number is below "
                            "the threshold in post; expected a threshold that hides some"
                        )
                elif isinstance(prior, Family):
                    raise InputError(
                        f"post: families of kind {prior.kind} on the whole line are not decided "
                        "behind steps; give each an alphabet, or leave out the steps"
                    )
                elif isinstance(prior, Joint):
                    raise InputError(
                        f"post[0].coordinate: missing, expected which of "
                        f"{', '.join(prior.names)} {self.steps[0].key} acts on"
                    )
                elif not isinstance(prior, Discrete) and not isinstance(self._noise, _SMOOTH):
                    raise InputError(
                        f"{where}: steps after {self._noise.kind} noise take priors of atoms, not "
                        f"of kind {prior.kind}"
                    )
        return laws

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError for distances of inputs, or of laws."""
        self._noise.check_protection(protection)
        if protection.extended:
            raise InputError("notion: with steps after the noise, expected distp")

    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Raise InputError where the atoms do not lie on the lattice of the noise."""
        del pairs
        laws = chain.from_iterable(table.items() for table in beliefs.values())
        rows = [(secret, row) for secret, law in laws if (row := _row(law)) is not None]
        for secret, row in rows:
            self._noise.check_priors({"": {"": rows[0][1], secret: row}}, [("", secret)])

    def released(self, *, bare: bool) -> str:
        """Return how ideal the noise is, and the steps."""
        steps = "; ".join(step.words for step in self.steps)
        return f"{self._noise.released(bare=bare)}, then exactly these steps: {steps}"

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise` and `post`."""
        return {**self._noise.tables(protection), "post": steps_table(self.steps)}

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise` and `post`."""
        return {**self._noise.canonical_tables(protection), "post": steps_table(self.steps)}

    def key(self) -> object:
        """Return the noise's, and the steps."""
        return self._noise.key(), repr(steps_table(self.steps))

    def with_scale(self, scale: AnyNumber) -> Stepped:
        """Return the same steps after noise of another scale."""
        return Stepped(self._noise.with_scale(scale), self.steps)

    @property
    def kept(self) -> list[Part] | None:
        """The parts of the line where some of it keeps its density; None where nothing does."""
        on_line = self._noise.step is None and self._noise.has_size
        return self.chain.kept if on_line else None

    @cached_property
    def chain(self) -> StepChain:
        """The steps as one map of the line."""
        from pfverify.model.steps.chain import StepChain

        return StepChain(self.steps)

    def resolved(self, laws: Laws, *, single: bool) -> tuple[Release, Laws]:
        """Return the channel from the atoms to the outputs, and the laws over the atoms' names.

        The release itself where a part of the line keeps its density, and where the masses are sums
        without end; a `SmoothSteps` where they are integrals of normal laws. `single`: each output
        by itself; else outputs without end are one.
        """
        if self._is_smooth(laws):
            return SmoothSteps(self._noise, self.steps), laws
        endless = isinstance(self._noise, DiscreteGaussian) and self._noise.has_size
        if endless or self.kept is not None:
            return self, laws
        if not single and (many := self._many(laws)) is not None:
            return many, laws
        everything = list(chain.from_iterable(table.values() for table in laws.values()))
        atoms = sorted({x for law in everything for x in _atoms(law)})
        channel = Cells(self, atoms, any(isinstance(law, Nothing) for law in everything), single)
        named = {
            belief: {secret: _named(law, channel.inputs) for secret, law in table.items()}
            for belief, table in laws.items()
        }
        return channel, named

    @property
    def _parts(self) -> bool:
        """Whether numbers that lie apart may become one output."""
        return any(step.wraps for step in self.steps)

    def _many(self, laws: Laws) -> ManyCells | None:
        """The release where a matrix of exact masses would be large; None where it is not."""
        if type(self._noise) not in (Laplace, DiscreteLaplace) or not self._noise.has_size:
            return None
        if self._parts:  # it has no order, and so no cut below
            return None
        found = [law for table in laws.values() for law in table.values()]
        rows = [row for law in found if (row := _row(law)) is not None]
        hides = self.chain.suppressed is not None
        if not rows or not (hides or all(isinstance(law, Discrete) for law in found)):
            return None
        first = min(Fraction(row.ends[0], row.denominator) for row in rows)
        last = max(Fraction(row.ends[1], row.denominator) for row in rows)
        most = self.chain.most(last - first, self._noise.step)
        if most is None or most * max(row.size for row in rows) <= FEW_MASSES:
            return None
        return ManyCells(self._noise, self.steps, first, last)

    def _is_smooth(self, laws: Laws) -> bool:
        """Whether densities of normal laws are needed; InputError for one that no noise smooths."""
        dense = any(law.has_density for table in laws.values() for law in table.values())
        if self._noise.adds_nothing:
            if dense:
                raise InputError(
                    "post: steps after no noise take priors of atoms, not of normal laws"
                )
            return False
        if not dense and not isinstance(self._noise, GaussianNoise):
            return False
        if self._parts:
            raise InputError(
                "post: modulo after a normal law is not worked out, a density that wraps around; "
                "expected priors of atoms with other noise"
            )
        some = any(isinstance(law, Nothing) for table in laws.values() for law in table.values())
        if some and self.chain.suppressed is None:
            raise InputError(
                "post: the steps hide no number, so that kind nothing is always told apart; "
                "expected a threshold that hides some"
            )
        return True

    def __repr__(self) -> str:
        return f"Stepped({self._noise!r}, {steps_table(self.steps)!r})"


class ManyCells(Stepped):
    """The same where the outputs are single and a matrix of their masses would be large.

    Attributes: `first` and `last`, the ends of all atoms: outputs beyond them are one.
    """

    first: Fraction
    last: Fraction

    def __init__(
        self, noise: Noise, steps: tuple[PostStep, ...], first: Fraction, last: Fraction
    ) -> None:
        super().__init__(noise, steps)
        self._keep(first=first, last=last)

    def written_out(self, law: Prior) -> tuple[Finite, Cells]:
        """Return a law over the inputs of the matrix after all, and the matrix."""
        atoms = sorted({self.first, self.last, *_atoms(law)})
        channel = Cells(self, atoms, isinstance(law, Nothing), single=False)
        return _named(law, channel.inputs), channel


class SmoothSteps(Stepped):
    """Steps after a number with a density on the whole line that is made of normal laws.

    Every output is an interval of that number, or a number that stays as it is.
    """


class Cells(Channel):
    """What noise and steps make of single atoms: the mass of every output, exactly.

    Parameters: the release, the atoms, sorted, whether no row at all is an input too, and whether
    each output is by itself, for which they have to be finitely many.
    """

    kind = "steps"
    stepped: Stepped
    atoms: tuple[Fraction, ...]
    single: bool

    def __init__(
        self, stepped: Stepped, atoms: Sequence[Fraction], nothing: bool, single: bool
    ) -> None:
        names = (*map(str, atoms), *([NOTHING] if nothing else []))
        self._keep(stepped=stepped, atoms=tuple(atoms), inputs=names, single=single)

    def canonical(self) -> dict[str, Any]:
        """Return what stands for it where channels are compared."""
        return {"steps": self.stepped.key(), "inputs": self.inputs, "single": self.single}

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs."""
        return tuple(self._table)

    @cached_property
    def _table(self) -> dict[str, list[Entry]]:
        """Output -> its mass given every input."""
        found = self._of_atoms() if self.atoms else {}
        if len(self.inputs) > len(self.atoms):
            for output, column in found.items():
                column.append(Fraction(output == SUPPRESSED))
            found.setdefault(SUPPRESSED, [*[Fraction(0)] * len(self.atoms), Fraction(1)])
        return found

    def _of_atoms(self) -> dict[str, list[Entry]]:
        noise, steps, atoms = self.stepped.noise, self.stepped.steps, self.atoms
        if noise.adds_nothing:
            return columns_of([[(published(steps, x), Fraction(1))] for x in atoms])
        if isinstance(noise, TableNoise):
            return columns_of([
                [(published(steps, x + n), m) for n, m in noise.of(x).mass.items()] for x in atoms
            ])  # fmt: skip
        from pfverify.model.steps.interval_masses import cell_masses

        masses, (found, period) = cell_masses(noise), self.line
        rows = [[(cell.output, masses.mass(cell, x, period)) for cell in found] for x in atoms]
        if len({cell.output for cell in found}) < len(found):  # as after modulo
            return columns_of(rows)
        return {cell.output: [row[k][1] for row in rows] for k, cell in enumerate(found)}

    @cached_property
    def line(self) -> tuple[list[Cell], Fraction | None]:
        """The cells of the noisy number, and after how much they come again: None, they do not.

        InputError for noise whose masses are not exact sums of exponentials.
        """
        from pfverify.model.steps.cells import cells, every_cell, single_cells
        from pfverify.model.steps.interval_masses import cell_masses
        from pfverify.model.steps.turns import turned_cells

        noise, steps, atoms = self.stepped.noise, self.stepped.steps, self.atoms
        most, reach = MAX_IRRATIONAL // len(atoms), cell_masses(noise).reach
        period = None
        if any(step.wraps for step in steps):
            found, period = turned_cells(steps, atoms, noise.step, reach, most)
        elif reach is None:
            taken = every_cell if self.single else cells
            found = taken(steps, atoms[0], atoms[-1], noise.step, most)
        else:
            found = single_cells(steps, atoms[0] - reach, atoms[-1] + reach, noise.step, most)
        check_irrational_size(len(atoms), len(found), "post")
        return found, period

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return a row for every input."""
        return tuple(zip(*self._table.values(), strict=True))


def columns_of(rows: Sequence[Sequence[tuple[str, Entry]]]) -> dict[str, list[Entry]]:
    """Return output -> its mass in every row, of rows that may name an output several times.

    Example: ``columns_of([[("a", Fraction(1, 2)), ("a", Fraction(1, 2))]])`` is
    ``{"a": [Fraction(1, 1)]}``.
    """
    names = dict.fromkeys(name for row in rows for name, _ in row)
    found: dict[str, list[Entry]] = {name: [] for name in names}
    for row in rows:
        parts: dict[str, list[Entry]] = {name: [] for name in names}
        for name, mass in row:
            parts[name].append(mass)
        for name, masses in parts.items():
            found[name].append(total(masses))
    return found


def _row(law: Prior) -> Discrete | None:
    """The law of X where there is a row; None where there is none."""
    if isinstance(law, Nothing):
        return law.other
    return law if isinstance(law, Discrete) else None


def _atoms(law: Prior) -> list[Fraction]:
    if isinstance(law, Nothing):
        return [x for x, _ in law.atoms()]
    return list(law.atoms) if isinstance(law, Discrete) else []


def _named(law: Prior, inputs: Sequence[str]) -> Finite:
    """A law of atoms, and of nothing, over the names of the inputs."""
    row = row_of(law)
    mass = {NOTHING: 1 - row.chance, **{str(x): m for x, m in row.mass.items()}}
    return Finite({name: mass.get(name, Fraction(0)) for name in inputs})
