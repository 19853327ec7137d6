"""Whether priors over the inputs of a channel are related: by a coupling, or a Hall set forbids it.

The relation is a table of inputs, all inputs within a distance, or (without one) the W-infinity
distance of the priors over the distance of inputs that the problem states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from pfverify.answers.coupling import hall_data, plan_rows
from pfverify.errors import InputError, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number, rational
from pfverify.model.channels.channel import Channel
from pfverify.model.names import unknown_name
from pfverify.model.places import Ground
from pfverify.model.priors.finite import Finite
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.transport.flow import w_infinity
from pfverify.transport.lifting import lifting
from pfverify.transport.metric import PairCosts
from pfverify.transport.plan import exact_text
from pfverify.transport.plan_file import headed_rows

Relation = list[tuple[str, str]]


@dataclass(frozen=True)
class LiftedPair(NoTruth, ask="compare .related with True"):
    """One ordered pair of priors and the relation.

    `plan` is a coupling inside the relation (or one that attains `w_infinity`), None where there
    is none; `hall` an event with more mass than all that is related to it (or nearer than
    `w_infinity`) has under the other prior. `related` is None where no relation was asked about.
    """

    belief: str
    from_: str
    to: str
    related: bool | None
    w_infinity: str | None
    plan: list[dict[str, str]] | None
    hall: dict[str, Any] | None


@dataclass(frozen=True)
class Liftings(NoTruth, ask="read .pairs"):
    """The pairs of a channel problem and what they were held to, in words."""

    relation: str
    pairs: list[LiftedPair]


def liftings(
    problem: Problem,
    items: Sequence[Question],
    relation: Path | None,
    within: str | None,
    report: Callable[[int, int], None],
) -> Liftings:
    """Return for each pair, in both orders, whether the lifted relation has it, with the proof.

    `relation` is a CSV file with the header from,to of inputs; `within` a distance of inputs.
    Raises InputError for a problem without a channel, both of them, and neither where the problem
    states no distance of inputs.
    Source: distribution-privacy paper, Definitions 6 and 7; design facts F10 and F11.
    """
    channel = problem.release
    if not isinstance(channel, Channel):
        raise InputError("coupling: missing channel, this is about priors over its inputs")
    if relation is not None and within is not None:
        raise InputError("--within: not with --relation, each says which inputs are related")
    ground = problem.protection.ground
    if relation is not None:
        words, related = f"the relation of {relation.name}", _read_inputs(relation, channel)
    elif within is not None:
        words, related = f"inputs at most {within} apart", _near(channel, ground, within)
    else:
        words, related = "the distance of inputs", None
        _required(ground)
    pairs = []
    for done, item in enumerate(items, 1):
        for way in (item, item.turned()):
            pairs.append(_nearest(way, _required(ground)) if related is None
                         else _lifted(way, related, channel))  # fmt: skip
        report(done, len(items))
    return Liftings(words, pairs)


def _read_inputs(path: Path, channel: Channel) -> Relation:
    """Read a relation of the inputs of a channel: CSV with the header from,to.

    Raises InputError naming the line with another number of cells, or an unknown input.
    """
    known, found = set(channel.inputs), []
    for number, (x, y) in headed_rows(path, ("from", "to")):
        for name in (x, y):
            if name not in known:
                why = unknown_name(name, channel.inputs, "input")
                raise InputError(f"{path}, line {number}: {why}")
        found.append((x, y))
    return found


def _required(ground: Ground | None) -> Ground:
    if ground is None:
        raise InputError(
            "coupling: the problem states no distance of inputs; say which are related with "
            "--relation FILE (header from,to), or give points or distance with notion xdistp"
        )
    return ground


def _near(channel: Channel, ground: Ground | None, within: str) -> Relation:
    limit = rational(within, "--within")
    if limit < 0:
        raise InputError(f"--within: {shorten(within)}, expected a number >= 0")
    distance = _required(ground)
    return [
        (x, y) for x, y in product(channel.inputs, repeat=2)
        if distance.square(x, y) <= limit * limit
    ]  # fmt: skip


def _masses(prior: object) -> dict[object, object]:
    if not isinstance(prior, Finite):
        raise InputError("coupling: a channel takes priors over its named inputs, of kind finite")
    return dict[object, object](prior.support.items())


def _lifted(item: Question, related: Relation, channel: Channel) -> LiftedPair:
    found = lifting(
        _masses(item.first_prior), _masses(item.second_prior), related, channel.inputs
    )
    return LiftedPair(
        item.belief, item.first, item.second, found.coupling is not None, None,
        None if found.coupling is None else plan_rows(found.coupling), hall_data(found.hall),
    )  # fmt: skip


def _nearest(item: Question, ground: Ground) -> LiftedPair:
    found = w_infinity(
        _masses(item.first_prior), _masses(item.second_prior), PairCosts(ground.square)
    )
    square = found.distance.value
    if square is None:  # it is one of the squares
        raise InputError("coupling: the distance between two priors was not found")
    return LiftedPair(
        item.belief, item.first, item.second, None, _root_text(square),
        plan_rows(found.plan), hall_data(found.hall),
    )  # fmt: skip


def _root_text(square: Fraction) -> str:
    root = Number.of_rational(square).sqrt()
    return root.text if root.fraction is None else exact_text(root.fraction)
