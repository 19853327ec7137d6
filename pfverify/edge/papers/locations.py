"""Mechanisms on a small grid of places, at equal privacy: what hiding a distribution costs.

Somebody is in the west or in the east of a grid, more likely near its edge, and sends a place. Each
mechanism hides which of the two laws the place came from; its cost is the expected quality loss,
the mean distance from the place to the nearest one that is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pfverify.answers.loss import loss
from pfverify.edge.papers.data import DIGITS, enclosed, paper
from pfverify.edge.progress import Report, each
from pfverify.errors import InputError
from pfverify.exact.argument import Number
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.model.channels.channel import Channel
from pfverify.model.places import Ground
from pfverify.model.priors.finite import Finite
from pfverify.model.problem import Problem
from pfverify.scales.quality import quality_loss

SIDES = (3, 4)
DELTA = "1/100"
_MOST = 9  # places on a side: names are two digits


@dataclass(frozen=True)
class LocationRow(NoTruth, ask="read .epsilon and .quality_loss"):
    """One mechanism on one grid: the least epsilon at the stated delta, and what it costs.

    `epsilon_star` is the least epsilon with delta = 0; `sent` how many places are sent.
    """

    side: int
    mechanism: str
    parameter: str
    sent: int
    epsilon: Enclosure
    epsilon_star: Enclosure
    quality_loss: Enclosure


@dataclass(frozen=True)
class LocationsResult(NoTruth, ask="read .rows"):
    """The mechanisms on all grids."""

    delta: str
    rows: list[LocationRow]


def compare_locations(
    progress: Report | None = None,
    *,
    sides: tuple[int, ...] = SIDES,
    delta: Number = DELTA,
) -> LocationsResult:
    """Compare randomized response, planar Laplace and tupling on square grids of places.

    All numbers are exact enclosures of 6 digits: epsilon at `delta`, for both orders.
    Raises InputError for a side that is not from 2 to 9.
    Example: ``compare_locations(sides=(3,)).rows[-1].mechanism``.
    Source: distribution-privacy paper, sections 6.3 and 7 (Definition 11); the grids are ours.
    """
    cases = [(side, case) for side in sides for case in paper("locations")["mechanisms"]]
    rows = [_row(side, delta, **case) for side, case in each(cases, progress)]
    return LocationsResult(str(delta), rows)


def _row(
    side: int, delta: Number, *, mechanism: str, parameter: str, channel: Mapping[str, Any]
) -> LocationRow:
    west, east = laws(side)
    points = _points(side)
    release = Channel.of(_placed(channel, points))
    problem = Problem({"west": west, "east": east}, channel=release, epsilon=0, delta=delta)
    found = loss(problem, digits=DIGITS)
    if found.epsilon_at_delta is None:
        raise InputError("delta: 0, expected a number above 0 at which epsilon is found")
    square = Ground.of(list(points), points, None).square
    cost = quality_loss(west.support, release, square)  # the same in the east, by symmetry
    return LocationRow(
        side=side,
        mechanism=mechanism,
        parameter=parameter,
        sent=channel.get("dummies", 0) + 1,
        epsilon=found.epsilon_at_delta,
        epsilon_star=found.epsilon_star,
        quality_loss=enclosed(cost),
    )


def laws(side: int) -> tuple[Finite, Finite]:
    """Return the laws of the place in the west and in the east: odd weights by column.

    Raises InputError for a side that is not from 2 to 9.
    """
    names = _points(side)
    weights = [2 * (side - x) - 1 for x in range(side)]
    west, east = (
        Finite(counts={name: column[int(name[0])] for name in names})
        for column in (weights, weights[::-1])
    )
    return west, east


def _points(side: int) -> dict[str, list[int]]:
    if not 2 <= side <= _MOST:
        raise InputError(f"side: {side}, expected a number from 2 to {_MOST}")
    return {f"{x}{y}": [x, y] for x in range(side) for y in range(side)}


def _placed(table: Mapping[str, Any], points: Mapping[str, object]) -> dict[str, Any]:
    """The table of a channel with the places of a grid."""
    match table["kind"]:
        case "tupling":
            return {**table, "base": _placed(table["base"], points)}
        case "planar":
            return {**table, "points": points}
        case "randomized-response":
            return {**table, "inputs": list(points)}
        case kind:
            raise ValueError(f"a channel of kind {kind} takes no places")
