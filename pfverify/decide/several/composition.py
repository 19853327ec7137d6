"""Several different parts together: the independent outputs that each comes down to.

Their losses add; with a delta all of them are composed, where each has a law at single outputs.
Source: design facts F40, F41, F43 and F70 to F73.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pfverify.decide.breach import Breach
from pfverify.decide.comparison import Orders
from pfverify.decide.composed.compared import together
from pfverify.decide.composed.parts import ComparedPart
from pfverify.decide.composed.wholes import ComposedParts, Decide
from pfverify.decide.several.processed import independent_shares
from pfverify.decide.several.reduced import Goal, Reduced, is_of_points
from pfverify.decide.several.summed import Fresh, SummedLosses
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.model.notion import Bound
from pfverify.model.priors.of_parts import OfParts
from pfverify.model.question import Question
from pfverify.model.releases.composition import ComposedReleases, word
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Budget, Repeated
from pfverify.model.target import Target

_COMPOSED = {
    "cells", "channels", "exponential", "gaussian-lattice", "kept", "masses", "points", "steps",
}  # fmt: skip
"""Forms whose laws compose."""


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of a pair under several parts; `decide` compares it under one."""
    release, target = item.release, target_of(item)
    if not isinstance(release, ComposedReleases):
        raise InputError("this decision is about several parts")
    parts = [
        ComparedPart(one.item, decide(one.item), one.times, one.named)
        for k in range(len(release.parts)) for one in _pieces(item, release, k, decide)
    ]  # fmt: skip
    known = together(ComposedParts(parts), target) if all(map(_composes, parts)) else None

    def order(side: int) -> Reduced:
        whole = PartsSummed(
            [Fresh(part.orders[side], part.times, part.named) for part in parts], target
        )
        below = [Goal(part.orders[side], part=part.named) for part in parts]
        return Reduced([whole], below, [] if known is None else [Goal(known[side])], same=whole)

    return order(0), order(1)


class PartsSummed(SummedLosses):
    """The losses of parts, which add; a part that alone exceeds the target refutes it too."""

    def against(self, target: Target) -> PartsSummed:
        """Return the same order, held to another target."""
        parts = [part._replace(order=part.order.against(target)) for part in self.parts]
        return PartsSummed(parts, target)

    def _point_breach(self) -> Breach | None:
        found = super()._point_breach()
        if found is not None or self.target.bound is not Bound.RATIO:
            return found
        for part in self.parts:
            settled = part.order.settled()
            goal = Goal(part.order, part=part.named)
            if settled.sign == 1 and (alone := goal.told(settled).breach()) is not None:
                return alone
        return None


def _composes(part: ComparedPart) -> bool:
    """Whether the kernel composes such outputs: of normal laws those of a monotone ratio (F76)."""
    known = part.laws is not None
    return known and (bool(part.forms & _COMPOSED) or part.rising is not None)


class _Piece(NamedTuple):
    """Independent outputs: what is asked of them, how many there are, and what they are called."""

    item: Question
    times: int
    named: tuple[str, ...]


def _pieces(item: Question, release: ComposedReleases, k: int, decide: Decide) -> Iterator[_Piece]:
    """The independent outputs that a part is made of."""
    first, second = item.priors
    if not (isinstance(first, OfParts) and isinstance(second, OfParts)):
        raise InputError("this decision is about laws of several parts")
    part = release.parts[k]
    one = replace(
        item, first_prior=first.laws[k], second_prior=second.laws[k], release=part.release
    )
    return _apart(_Piece(one, part.times, (word(k),)), decide)


def _apart(piece: _Piece, decide: Decide) -> Iterator[_Piece]:
    """The pieces of one that is several independent ones itself; else the one, as it is decided."""
    item = piece.item
    match item.release:
        case Budget() as release:
            yield piece._replace(item=item.under(release.collapsed))
        case Repeated() as release:
            yield from _of_releases(piece, release)
        case Processed() as release:
            shares = independent_shares(item, release, decide)
            if shares is None:
                yield piece
            for share in shares or ():
                inner = _Piece(
                    share.item, piece.times * share.times, (*piece.named, *named(share.named))
                )
                yield from _apart(inner, decide)
        case _:
            yield piece


def _of_releases(piece: _Piece, release: Repeated) -> Iterator[_Piece]:
    """Releases of one X are one, as X itself is or one that they are worth, or of points apart."""
    item, noise = piece.item, release.noise
    one: Release | None = None
    if not release.fresh:
        pure = target_of(item).bound is Bound.RATIO
        if noise.adds_nothing:
            one = release.one
        elif release.collapses and (noise.squares or pure):
            one = release.collapsed
    if one is not None:
        yield piece._replace(item=item.under(one))
    elif release.fresh or is_of_points(item):
        for k, share in enumerate(release.shares):
            yield _Piece(
                item.under(share.release), piece.times * share.times,
                (*piece.named, *named(k)),
            )  # fmt: skip
    else:
        yield piece


def named(inner: Sequence[str] | int | None) -> tuple[str, ...]:
    """Return what outputs of a part are called, behind the part's own name.

    Example: ``named(0)`` is ``("release 1",)``.
    """
    match inner:
        case None:
            return ()
        case int():
            return (f"release {inner + 1}",)
        case _:
            return tuple(inner)
