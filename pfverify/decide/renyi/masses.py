"""Finitely many masses: both orders of outputs of a channel, of atoms, and of points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.channels.compared import compared as channels_compared
from pfverify.decide.comparison import Orders
from pfverify.decide.masses.compared import compared as masses_compared
from pfverify.decide.masses.compared import points_compared
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.grouped import grouped
from pfverify.decide.renyi.both import MomentOf, both
from pfverify.decide.renyi.compared import of_events
from pfverify.decide.renyi.moment import OfMasses
from pfverify.laws.forms import BarePoints
from pfverify.laws.masses import ChannelOutputs, Masses
from pfverify.model.channels.entries import Entry
from pfverify.model.notion import Bound
from pfverify.model.target import Target


def _of_masses(p: Sequence[Entry], q: Sequence[Entry]) -> MomentOf:
    """Equal pairs of masses count once: together they have n times both, and n times the term."""
    one, two, _ = grouped(p, q, NamedOutputs(()), Bound.DIVERGENCE)
    return lambda turned, order: OfMasses(two, one, order) if turned else OfMasses(one, two, order)


def outputs_compared(first: ChannelOutputs, second: ChannelOutputs, target: Target) -> Orders:
    """Return both orders of two laws of the outputs of one channel."""
    masses = _of_masses([*first.released.entries], [*second.released.entries])
    return both(channels_compared(first, second, of_events(target)), masses, target)


def atoms_compared(
    first: Masses[Fraction], second: Masses[Fraction], target: Target, pure: Orders | None = None
) -> Orders:
    """Return both orders of two laws of atoms that are published, or of such with a table.

    `pure`: those of the form events, where they are decided in another way.
    """
    places = sorted({*first.masses, *second.masses})
    masses = _of_masses(*([law.mass(y) for y in places] for law in (first, second)))
    pure = masses_compared(first, second, of_events(target)) if pure is None else pure
    return both(pure, masses, target)


def joint_compared(first: BarePoints, second: BarePoints, target: Target) -> Orders:
    """Return both orders of two laws of several numbers, released as they are."""
    joint = first.prior.mass, second.prior.mass
    points = sorted({*joint[0], *joint[1]})
    masses = _of_masses(*([law.get(x, Fraction(0)) for x in points] for law in joint))
    return both(points_compared(first, second, of_events(target)), masses, target)
