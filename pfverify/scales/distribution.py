"""Properties of distribution privacy: what is published, what is exact, and what is true.

Every function takes exact channels and laws, works out what the premises give, and returns the
guarantee that the distribution-privacy paper prints for the conclusion, the exact value, and the
tightest true statement that we know. All of them are about one ordered pair of laws, P over Q, and
take e**epsilon (`growth`) in place of epsilon; without it the premises hold with delta = 0, at
their own largest ratio.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from math import isqrt

from pfverify.decide.channels.divergence import Law, excess, largest_ratio, rational_release
from pfverify.decide.tupling.laws import TupleLaws
from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number
from pfverify.model.channels.combined import Cascade, Composition
from pfverify.model.channels.entries import Entry, as_number, difference, sign_of
from pfverify.model.channels.kinds import Channel  # with every kind known
from pfverify.model.places import Ground
from pfverify.model.priors.finite import Finite
from pfverify.scales.tupling_bound import Reading, in_class, published_bound, worst_delta
from pfverify.transport.flow import w_infinity
from pfverify.transport.lifting import lifting
from pfverify.transport.metric import PairCosts

Pair = tuple[Finite, Finite]
Related = Collection[tuple[str, str]]
"""Ordered pairs of inputs: the relation Phi."""
Given = tuple[Fraction, Fraction]
"""What a premise gives: growth and delta."""
_NONE, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Guarantee(NoTruth, ask="read .growth and .delta"):
    """P(B) <= growth Q(B) + delta for every event B; `growth` is e**epsilon."""

    growth: Fraction
    delta: Entry


@dataclass(frozen=True)
class Judgement(NoTruth, ask="compare .holds with True"):
    """A printed property beside the exact value, for one pair of laws.

    Attributes: `source`, where it is printed; `proof`, the file under `proofs` about it;
    `published`, what it promises; `holds`, whether that is so here; `ratio`, the exact largest
    ratio of P over Q (None: infinite); `delta`, the exact delta at the published epsilon, and
    `event`, the outputs that have it; `true`, the tightest true guarantee that we know (None where
    nothing can be promised), and `delta_at_true`, the exact delta at its epsilon.
    """

    source: str
    proof: str
    published: Guarantee
    true: Guarantee | None
    ratio: Fraction | None
    delta: Fraction
    event: tuple[str, ...]
    holds: bool
    delta_at_true: Fraction | None


def same_input(
    first: Channel,
    second: Channel,
    pair: Pair,
    growths: tuple[Fraction, Fraction] | None = None,
    related: Related | None = None,
) -> Judgement:
    """Judge the sequential composition of two channels that see the same input.

    Published: (e0 + e1, (d0 + d1) |Phi|), where channel b is (e_b, d_b)-private for the pair;
    |Phi| is taken as large as it can be. True: the same without |Phi|, where channel b is
    (e_b, d_b)-private for all `related` pairs of inputs, whose lifting has the pair (default: every
    input that P has with every one that Q has).
    Raises InputError for a pair outside the lifting, and as `rational_release`.
    With two ``RandomizedResponse(["a", "b"], truth="3/4")`` and ``(Finite({"a": "1/2",
    "b": "1/2"}), Finite({"a": 1}))`` the published growth is 4 and the ratio 5.
    Source: distribution-privacy paper, Table 1; ledger rows D08, D08b.
    """
    phi = _relation(related, pair)
    parts = list(zip((first, second), growths or (None, None), strict=True))
    given = [_premise(_released(part, pair), growth) for part, growth in parts]
    lifted = [_for_all(part, phi, growth) for part, growth in parts]
    size = len(first.inputs) ** 2
    both = Composition([first, second])
    return _judged(
        "Table 1, same input", "D08", _released(both, pair), both.outputs,
        _composed(given, size), _composed(lifted, 1),
    )  # fmt: skip


def independent_inputs(
    first: Channel,
    second: Channel,
    pairs: tuple[Pair, Pair],
    growths: tuple[Fraction, Fraction] | None = None,
) -> Judgement:
    """Judge the composition of two channels with inputs of their own, independent of each other.

    Published and true: (e0 + e1, d0 + d1).
    Source: distribution-privacy paper, Table 1; ledger row D09.
    """
    laws = [_released(channel, pair) for channel, pair in zip((first, second), pairs, strict=True)]
    given = [_premise(law, growth)
             for law, growth in zip(laws, growths or (None, None), strict=True)]  # fmt: skip
    both = [[a * b for a, b in product(laws[0][side], laws[1][side])] for side in (0, 1)]
    names = [f"{y},{z}" for y, z in product(first.outputs, second.outputs)]
    promised = _composed(given, 1)
    return _judged("Table 1, independent inputs", "D09", (both[0], both[1]), names,
                   promised, promised)  # fmt: skip


def post_processing(
    channel: Channel, then: Channel, pair: Pair, growth: Fraction | None = None
) -> Judgement:
    """Judge a channel whose output goes through another one.

    Published and true: what the channel alone has.
    Source: distribution-privacy paper, Table 1; ledger row D10.
    """
    whole = Cascade([channel, then])
    promised = Guarantee(*_premise(_released(channel, pair), growth))
    return _judged("Table 1, post-processing", "D10", _released(whole, pair), whole.outputs,
                   promised, promised)  # fmt: skip


def pre_processing(
    channel: Channel, steps: Sequence[Finite], growth: Fraction | None = None
) -> Judgement:
    """Judge a channel after a c-stable map: its laws are `steps`[0] and [-1], c steps apart.

    Each step is a pair of the relation, for which the channel is (e, d)-private.
    Published: (c e, d). True: (c e, d (e**(c e) - 1)/(e**e - 1)), which is c d for e = 0.
    Raises InputError for fewer than two laws.
    Source: distribution-privacy paper, Definition 10 and Table 1; ledger row D11.
    """
    if len(steps) < 2:
        raise InputError(f"steps: {len(steps)} laws, expected at least two")
    alone = [_released(channel, pair) for pair in pairwise(steps)]
    one, delta = _for_each(alone, growth)
    grown = one ** len(alone)
    total = sum((one**k for k in range(len(alone))), _NONE)
    return _judged(
        "Table 1, pre-processing", "D11", _released(channel, (steps[0], steps[-1])),
        channel.outputs, Guarantee(grown, delta), Guarantee(grown, delta * total),
    )  # fmt: skip


def private_channel(
    channel: Channel, related: Related, pair: Pair, growth: Fraction | None = None
) -> Judgement:
    """Judge Theorem 1: a channel that is private for related inputs is so for lifted laws.

    Published: (e, d |Phi|). True: (e, d).
    Raises InputError for a pair outside the lifting of the relation.
    Source: distribution-privacy paper, Theorem 1; ledger row D14, design fact F11.
    """
    grown, delta = _for_all(channel, _relation(related, pair), growth)
    return _judged(
        "Theorem 1", "D14", _released(channel, pair), channel.outputs,
        Guarantee(grown, delta * len(set(related))), Guarantee(grown, delta),
    )  # fmt: skip


def extended_channel(
    channel: Channel, ground: Ground, related: Related, pair: Pair, growth: Fraction
) -> Judgement:
    """Judge Theorem 2: a channel with epsilon per distance has it per W-infinity.

    `growth` is that of one unit of distance; distances are whole. Published: (e W, d |Phi|).
    True: (e W, d).
    Raises InputError where no coupling inside the relation attains W-infinity.
    Source: distribution-privacy paper, Theorem 2; ledger row D16.
    """
    _checked(growth)
    reach = between(ground, pair)
    near = {(x, z) for x, z in related if _whole(ground.square(x, z)) <= reach}
    _relation(near, pair)
    delta = max(
        (excess(*_rows(channel, x, z), growth ** _whole(ground.square(x, z)))[0]
         for x, z in related),
    )  # fmt: skip
    grown = growth**reach
    return _judged(
        "Theorem 2", "D16", _released(channel, pair), channel.outputs,
        Guarantee(grown, delta * len(set(related))), Guarantee(grown, delta),
    )  # fmt: skip


def close_beliefs(
    channel: Channel,
    ground: Ground,
    growth: Fraction,
    promised: Sequence[Pair],
    pair: Pair,
    beliefs: Pair,
) -> Judgement:
    """Judge Proposition 1: beliefs about a pair, each at most c away from its law.

    The channel is private for the `promised` pairs with epsilon per unit of W-infinity. Published:
    epsilon (d + 2 c) for the beliefs, with d the distance of the pair. True where the beliefs are
    promised too: epsilon times their own distance, which is at most d + 2 c; else nothing.
    Raises InputError for a pair that is not promised, and a promise that does not hold.
    Source: distribution-privacy paper, Proposition 1; ledger row D07.
    """
    _checked(growth)
    if pair not in promised:
        raise InputError("pair: it is none of the promised pairs")
    for known in promised:
        found = largest_ratio(*_released(channel, known))
        if found is None or found > growth ** between(ground, known):
            raise InputError(f"promised: the ratio of a pair is {shorten(found or 'infinite')}")
    away = max(between(ground, (law, belief)) for law, belief in zip(pair, beliefs, strict=True))
    true = None
    if beliefs in promised:
        true = Guarantee(growth ** between(ground, beliefs), _NONE)
    return _judged(
        "Proposition 1", "D07", _released(channel, beliefs), channel.outputs,
        Guarantee(growth ** (between(ground, pair) + 2 * away), _NONE), true,
    )  # fmt: skip


def bayes_factor(channel: Channel, pair: Pair, chance: Fraction) -> Judgement:
    """Judge (3.3): the Bayes factor of P over Q, with `chance` of P before the output is seen.

    Published and true: at most e**epsilon, where the channel is epsilon-private for the pair. The
    posteriors are worked out from the joint law; they do not depend on `chance`.
    Raises InputError unless the chance is between 0 and 1, and where the loss is infinite.
    Source: distribution-privacy paper, section 3.3; ledger row D06.
    """
    if not 0 < chance < 1:
        raise InputError(f"chance: {shorten(chance)}, expected a number between 0 and 1")
    p, q = _released(channel, pair)
    promised = Guarantee(*_premise((p, q), None))
    factors = []
    for a, b in zip(p, q, strict=True):
        seen = chance * a + (1 - chance) * b
        if seen:
            posterior, other = chance * a / seen, (1 - chance) * b / seen
            if other:
                factors.append(posterior / other / (chance / (1 - chance)))
    found = _judged("(3.3), Bayes factor", "D06", (p, q), channel.outputs, promised, promised)
    return replace(found, ratio=max(factors))


def tupled(
    base: Channel,
    dummies: int,
    pair: Pair,
    alpha: Fraction,
    beta: Fraction,
    eta: Fraction = _NONE,
    reading: Reading = Reading.UNIFORM,
) -> Judgement:
    """Judge Theorem 3: the tupling mechanism with uniform dummies.

    Published: (epsilon_alpha, delta_alpha) for laws whose outputs have a mass of at most beta, but
    for a share eta of the outputs as they are drawn in a `reading`. True for eta = 0: the largest
    delta of all such pairs; for eta > 0, in the reading of released outputs and for small enough
    alpha: the same delta at a larger epsilon. `event` is empty: it is the tuples with P > growth Q.
    Raises InputError for a pair outside the class, and for an alpha of no theorem.
    Source: distribution-privacy paper, Theorem 3; ledger rows D22, D23 and D24.
    """
    laws = _released(base, pair)
    numbers = [Number.of_rational(value) for value in (beta, eta, alpha)]
    for law in laws:
        if not in_class(law, numbers[0], numbers[1], reading):
            raise InputError(f"pair: a law is not in the class of beta = {beta}, eta = {eta}")
    size = len(base.outputs)
    bound = published_bound(size, dummies, *numbers)
    above = dummies + (alpha + beta) * size
    growth, left = above / (dummies - alpha * size), dummies * (1 - eta) - alpha * size
    tuples = TupleLaws(*laws, [Fraction(1, size)] * size, dummies)
    true = None
    if not eta:
        true = Guarantee(growth, worst_delta(size, dummies, beta, growth))
    elif reading is Reading.RELEASED and left > 0:
        true = Guarantee(above / left, bound.delta)
    delta = _tuple_excess(tuples, growth)
    return Judgement(
        source="Theorem 3",
        proof="D22" if not eta else "D23" if reading is Reading.UNIFORM else "D24",
        published=Guarantee(growth, bound.delta),
        true=true,
        ratio=largest_ratio(*laws),
        delta=delta,
        event=(),
        holds=_at_most(delta, bound.delta),
        delta_at_true=None if true is None else _tuple_excess(tuples, true.growth),
    )


def between(ground: Ground, pair: Pair) -> int:
    """Return W-infinity of two laws over inputs with whole distances; InputError for others."""
    first, second = (_masses(law) for law in pair)
    found = w_infinity(first, second, PairCosts(ground.square)).distance.value
    if found is None:
        raise InputError("distance: W-infinity was not found")
    return _whole(found)


def _whole(square: Fraction) -> int:
    root = isqrt(square.numerator)
    if square.denominator != 1 or root * root != square.numerator:
        raise InputError(f"distance: the square root of {shorten(square)} is no whole number")
    return root


def _tuple_excess(laws: TupleLaws, growth: Fraction) -> Fraction:
    p, q = laws.event(growth, reverse=False)
    return p - growth * q


def _released(channel: Channel, pair: Pair) -> tuple[Law, Law]:
    first, second = (rational_release(channel, law.support) for law in pair)
    return first, second


def _rows(channel: Channel, x: str, z: str) -> tuple[Law, Law]:
    return rational_release(channel, {x: _ONE}), rational_release(channel, {z: _ONE})


def _premise(laws: tuple[Law, Law], growth: Fraction | None) -> Given:
    """What two laws have at a growth, or at their own largest ratio."""
    if growth is not None:
        return growth, excess(*laws, _checked(growth))[0]
    ratio = largest_ratio(*laws)
    if ratio is None:
        raise InputError("growth: missing, and the largest ratio is infinite")
    return ratio, _NONE


def _checked(growth: Fraction) -> Fraction:
    if growth < 1:
        raise InputError(f"growth: {shorten(growth)}, expected e**epsilon, a number >= 1")
    return growth


def _for_all(channel: Channel, related: Related, growth: Fraction | None) -> Given:
    return _for_each([_rows(channel, x, z) for x, z in related], growth)


def _for_each(laws: Sequence[tuple[Law, Law]], growth: Fraction | None) -> Given:
    """What several pairs of laws have, at one growth."""
    if not laws:
        raise InputError("related: the relation is empty, expected at least one pair of inputs")
    grown = max(_premise(pair, growth)[0] for pair in laws)
    return grown, max(excess(*pair, grown)[0] for pair in laws)


def _composed(parts: Sequence[Given], size: int) -> Guarantee:
    growth, delta = _ONE, _NONE
    for more, rest in parts:
        growth, delta = growth * more, delta + rest
    return Guarantee(growth, delta * size)


def _relation(related: Related | None, pair: Pair) -> Related:
    """The relation, or all pairs of inputs of the two laws; its lifting must have the pair."""
    if related is None:
        return set(product(pair[0].support, pair[1].support))
    names = {name for known in related for name in known}
    if lifting(_masses(pair[0]), _masses(pair[1]), related, names).coupling is None:
        raise InputError("related: the lifting of the relation does not have the pair of laws")
    return related


def _masses(law: Finite) -> dict[object, object]:
    return dict[object, object](law.support.items())


def _judged(
    source: str,
    proof: str,
    laws: tuple[Law, Law],
    outputs: Sequence[str],
    published: Guarantee,
    true: Guarantee | None,
) -> Judgement:
    delta, worst = excess(*laws, published.growth)
    return Judgement(
        source=source,
        proof=proof,
        published=published,
        true=true,
        ratio=largest_ratio(*laws),
        delta=delta,
        event=tuple(outputs[k] for k in worst),
        holds=_at_most(delta, published.delta),
        delta_at_true=None if true is None else excess(*laws, true.growth)[0],
    )


def _at_most(value: Fraction, bound: Entry) -> bool:
    """Whether value <= bound; UndecidedError where that is not decided."""
    sign = sign_of(difference(as_number(value), as_number(bound)))
    if sign is None:
        raise UndecidedError(f"delta: {value} is not told from {shorten(bound)}")
    return sign <= 0
