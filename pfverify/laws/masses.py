"""Outputs that can be counted: atoms as they are, outputs of a channel, tuples with dummies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, prod

from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.exact.ball import Raw, raw
from pfverify.exact.expsum import ExpSum
from pfverify.laws.atoms import AtomsInOrder
from pfverify.laws.law import AtPrecision, Law, Weight, Y
from pfverify.model.channels.channel import Channel, check_irrational_size
from pfverify.model.channels.entries import (
    Entry,
    OutputLaw,
    Products,
    as_number,
    ball_of,
    folded,
    total,
)
from pfverify.model.channels.released import law_of
from pfverify.model.channels.tupling import Tupling
from pfverify.model.names import unknown_name
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint, Point

Names = tuple[str, ...]
"""A tuple of names of outputs."""


class Masses(Law[Y]):
    """The law of finitely many outputs."""

    no_mass = None

    @property
    @abstractmethod
    def masses(self) -> Mapping[Y, Entry]:
        """Output -> mass, as it is written."""

    @property
    def size(self) -> int:
        """How many outputs there are."""
        return len(self.masses)

    @property
    def outputs(self) -> Sequence[Y]:
        """The outputs, some of which may have mass 0."""
        return tuple(self.masses)

    def mass(self, y: Y) -> Entry:
        """Return the exact mass of an output, folded."""
        return folded(self.masses[y])

    def at_precision(self) -> _MassesAtPrecision[Y]:
        """Return the masses as balls."""
        return _MassesAtPrecision(self)

    def known_weight(self, y: Y) -> Fraction | None:
        """Return a mass that is rational."""
        found = self.mass(y)
        return found if isinstance(found, Fraction) else None

    def shape(self, y: Y) -> ExpSum | None:
        """Return the mass where it is a sum of exponentials."""
        ratio = as_number(self.mass(y)).ratio
        return ratio[0] if ratio is not None and ratio[1] == ExpSum.constant(1) else None

    def weighs(self, y: Y, value: Fraction) -> Answer:
        """Say whether the mass is the value."""
        ratio = as_number(self.mass(y)).ratio
        return Answer.UNKNOWN if ratio is None else (ratio[0] - ratio[1].times(value)).is_zero()


class _MassesAtPrecision(AtPrecision[Y]):
    def __init__(self, law: Masses[Y]) -> None:
        self.law = law

    def weight(self, y: Y) -> Weight:
        """Return the mass."""
        return Weight(raw(0), ball_of(self.law.mass(y)))

    def below(self, y: Y) -> Raw:
        """Return the mass up to y; InputError where outputs have no order."""
        found = self.law.known_below(y)
        if found is None:
            raise InputError(f"y: {self.law.no_order}")
        return raw(found)


class BareAtoms(AtomsInOrder, Masses[Fraction]):
    """Atoms that are released as they are: rational masses."""

    forms = ("masses", "charts")
    no_density = "atoms without noise have masses, no density"

    def __init__(self, prior: Discrete) -> None:
        self.prior = prior

    @cached_property
    def masses(self) -> Mapping[Fraction, Fraction]:
        """Atom -> mass."""
        return self.prior.mass

    def mass(self, y: Fraction) -> Entry:
        """Return the mass of an output, 0 for what is none."""
        return self.masses.get(y, Fraction(0))

    def known_below(self, y: Fraction) -> Fraction:
        """Return the mass up to y."""
        return self.atoms_below(y)


class PointMasses(Masses[Point]):
    """Points of several numbers, released as they are: rational masses."""

    forms = ()
    no_density = "points without noise have masses, no density"
    no_order = "points of several numbers have no distribution function"

    def __init__(self, prior: Joint) -> None:
        self.prior = prior

    @property
    def masses(self) -> Mapping[Point, Fraction]:
        """Point -> mass."""
        return self.prior.mass

    def mass(self, y: Point) -> Entry:
        """Return the mass of a point, 0 for what is none."""
        return self.masses.get(y, Fraction(0))


class MassesAround(Masses[Fraction]):
    """Atoms with noise on finitely many points of a lattice: sums of exact masses.

    Source: design fact F80.
    """

    forms = ("masses",)
    no_density = "truncated discrete Laplace noise has masses, no density"

    def __init__(self, prior: Discrete, noise: TruncatedDiscreteLaplace) -> None:
        noise.stated_scale()
        self.prior, self.noise = prior, noise

    @cached_property
    def masses(self) -> Mapping[Fraction, Entry]:
        """Output -> mass, in order."""
        check_irrational_size(self.prior.size, 2 * self.noise.reach + 1, "noise")
        products, step, by_steps = Products(), self.noise.step, self.noise.by_steps
        found: dict[Fraction, list[Entry]] = {}
        for atom, mass in self.prior.mass.items():
            shares = [products.of(mass, share) for share in by_steps]
            for k in range(-self.noise.reach, self.noise.reach + 1):
                found.setdefault(atom + k * step, []).append(shares[abs(k)])
        return {y: total(found[y]) for y in sorted(found)}

    def mass(self, y: Fraction) -> Entry:
        """Return the mass of an output, 0 for what is none."""
        return self.masses.get(y, Fraction(0))

    def at_precision(self) -> _MassesInOrder:
        """Return the masses, and their sums, as balls."""
        return _MassesInOrder(self)

    def known_below(self, y: Fraction) -> Fraction | None:
        """Return 0 before the first output, 1 from the last one on."""
        if y < min(self.masses):
            return Fraction(0)
        return Fraction(1) if y >= max(self.masses) else None

    def reaches(self, y: Fraction, value: Fraction) -> Answer:
        """Say whether P(Y <= y) is the value."""
        ratio = as_number(total(m for x, m in self.masses.items() if x <= y)).ratio
        return Answer.UNKNOWN if ratio is None else (ratio[0] - ratio[1].times(value)).is_zero()


class _MassesInOrder(_MassesAtPrecision[Fraction]):
    def below(self, y: Fraction) -> Raw:
        """Return the mass up to y."""
        return sum((ball_of(m) for x, m in self.law.masses.items() if x <= y), start=raw(0))


class ChannelOutputs(Masses[str]):
    """The law of the output of a channel that is written out."""

    no_density = "a channel puts out names, which have masses"
    no_order = "the outputs of a channel have names and no order"

    def __init__(self, prior: Finite, channel: Channel, form: str = "channels") -> None:
        self.prior, self.channel, self._form = prior, channel, form

    @property
    def forms(self) -> tuple[str, ...]:
        """The form, which says in which words it is written out."""
        return (self._form,)

    @property
    def released(self) -> OutputLaw:
        """The masses in the order of the channel's outputs, and as weights where all are rational.
        """
        return law_of(self.channel, self.prior)

    @cached_property
    def masses(self) -> Mapping[str, Entry]:
        """Output -> mass."""
        return dict(zip(self.channel.outputs, self.released.entries, strict=True))

    def mass(self, y: str) -> Entry:
        """Return the exact mass of an output; InputError for a name that is none."""
        if y not in self.masses:
            raise InputError(f"y: {unknown_name(y, self.outputs, 'output')}")
        return super().mass(y)


class Tuples(Law[Names]):
    """The law of tuples with dummies, by type: the names in a tuple, in any order of the places.

    A tuple is as likely as every other one of its type, whose mass is that of one tuple.
    Source: distribution-privacy paper, Algorithm 1.
    """

    forms = ("tupling",)
    no_density, no_order = ChannelOutputs.no_density, ChannelOutputs.no_order
    no_mass = None

    def __init__(self, prior: Finite, channel: Tupling) -> None:
        self.prior, self.channel, self.places = prior, channel, channel.dummies + 1

    @property
    def released(self) -> Sequence[Entry]:
        """What the base releases, in the order of its outputs."""
        return law_of(self.channel.base, self.prior).entries

    @cached_property
    def true(self) -> Mapping[str, Entry]:
        """Output of the base -> its mass."""
        return dict(zip(self.channel.base.outputs, self.released, strict=True))

    @cached_property
    def dummy(self) -> Mapping[str, Entry]:
        """Output of the base -> the mass that a dummy gives it."""
        return dict(zip(self.channel.base.outputs, self.channel.dummy, strict=True))

    @property
    def size(self) -> int:
        """How many types of tuples there are."""
        return comb(len(self.channel.base.outputs) + self.channel.dummies, self.places)

    @property
    def outputs(self) -> Sequence[Names]:
        """One tuple of every type."""
        return tuple(combinations_with_replacement(self.true, self.places))

    def at_precision(self) -> _TuplesAtPrecision:
        """Return the masses of single outputs as balls."""
        return _TuplesAtPrecision(self)


class _TuplesAtPrecision(AtPrecision[Names]):
    def __init__(self, law: Tuples) -> None:
        self.true, self.dummy = (
            {name: ball_of(mass) for name, mass in table.items()}
            for table in (law.true, law.dummy)
        )

    def weight(self, y: Names) -> Weight:
        """Return the mean over the place of the true output; all the others are dummies."""
        total = raw(0)
        for at, name in enumerate(y):
            others = (self.dummy[other] for k, other in enumerate(y) if k != at)
            total += prod(others, start=self.true[name])
        return Weight(raw(0), total / len(y))

    def below(self, y: Names) -> Raw:
        """Refuse: raises InputError, since tuples have no order."""
        raise InputError(f"y: {Tuples.no_order}")
