"""What both orders of a pair are held to; extended notions multiply epsilon by a distance."""

from __future__ import annotations

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.places import Ground
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.question import Question
from pfverify.model.target import Target


def target_of(item: Question) -> Target:
    """Return what both orders of a pair are held to: distances are symmetric.

    Example: ``target_of(item).epsilon`` is ``item.requirement.epsilon`` unless the notion is
    extended.
    """
    return item.requirement.target(distance(item))


def distance(item: Question) -> Number | None:
    """Return what multiplies epsilon for a pair, None where nothing does.

    Raises InputError for a pair without a distance.
    Source: distribution-privacy paper, Definitions 4 and 9.
    """
    protection = item.requirement.protection
    if not protection.extended:
        return None
    stated = protection.stated(item.first, item.second)
    return _w_infinity(item, protection.ground) if stated is None else stated


def _w_infinity(item: Question, ground: Ground | None) -> Number:
    """W-infinity of two priors of atoms, or of two over inputs that have distances."""
    from pfverify.transport.flow import w_infinity
    from pfverify.transport.metric import AbsoluteDifference, PairCosts

    first, second = item.first_prior, item.second_prior
    if ground is None:
        if not (isinstance(first, Discrete) and isinstance(second, Discrete)):
            raise InputError("metric: winf is between priors of atoms")
        square = w_infinity(first, second, AbsoluteDifference()).distance.square
    elif isinstance(first, Finite) and isinstance(second, Finite):
        # squares of distances sort as the distances do
        laws = [dict[object, object](law.support.items()) for law in (first, second)]
        value = w_infinity(laws[0], laws[1], PairCosts(ground.square)).distance.value
        if value is None:  # it is one of the squares
            raise InputError("metric: the distance between two priors was not found")
        square = value
    else:
        raise InputError("metric: winf over the distance of inputs is between finite priors")
    return Number.of_rational(square).sqrt()
