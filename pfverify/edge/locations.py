"""Mechanisms on a small grid of places, at equal privacy: what hiding a distribution costs.

Somebody is in the west or in the east of a grid, more likely near its edge, and sends a place. Each
mechanism hides which of the two laws the place came from; its cost is the expected quality loss,
the mean distance from the place to the nearest one that is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pfverify.answers.loss import loss
from pfverify.decide.excess import by_balls
from pfverify.errors import InputError
from pfverify.exact.argument import Number
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.refined import exactly
from pfverify.exact.written import written
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import as_number
from pfverify.model.priors.finite import Finite
from pfverify.model.problem import Problem
from pfverify.scales.quality import quality_loss

SIDES = (3, 4)
DELTA = "1/100"
_DIGITS = 6
_MOST = 9  # places on a side: names are two digits
RESPONSES, PLANES = ("2", "4", "8", "16", "32", "64"), ("1/4", "1/2", "1", "2", "4")
DUMMIES, NOISY = (1, 2, 4, 8, 16, 32), "8"


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
    progress: Callable[[int, int], None] | None = None,
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
    cases = [(side, *case) for side in sides for case in _mechanisms(side)]
    rows = []
    for done, (side, mechanism, parameter, sent, channel) in enumerate(cases, 1):
        rows.append(_row(side, mechanism, parameter, sent, channel, delta))
        if progress:
            progress(done, len(cases))
    return LocationsResult(str(delta), rows)


def _row(
    side: int, mechanism: str, parameter: str, sent: int, channel: Channel, delta: Number
) -> LocationRow:
    west, east = laws(side)
    problem = Problem({"west": west, "east": east}, channel=channel, epsilon=0, delta=delta)
    found = loss(problem, digits=_DIGITS)
    if found.epsilon_at_delta is None:
        raise InputError("delta: 0, expected a number above 0 at which epsilon is found")
    cost = quality_loss(west.support, channel, _square)  # the same in the east, by symmetry
    return LocationRow(
        side=side,
        mechanism=mechanism,
        parameter=parameter,
        sent=sent,
        epsilon=found.epsilon_at_delta,
        epsilon_star=found.epsilon_star,
        quality_loss=written(
            exactly(cost)
            if isinstance(cost, Fraction)
            else by_balls(lambda: as_number(cost).ball().raw),
            _DIGITS,
        ),
    )  # fmt: skip


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


def _square(place: str, other: str) -> Fraction:
    return Fraction(sum((int(a) - int(b)) ** 2 for a, b in zip(place, other, strict=True)))


def _mechanisms(side: int) -> list[tuple[str, str, int, Channel]]:
    """Name, parameter, how many places are sent, and the channel."""
    points = _points(side)
    names = list(points)
    shown = [[int(name == other) for other in names] for name in names]
    itself = {"kind": "matrix", "inputs": names, "outputs": names, "rows": shown}

    def response(growth: str) -> dict[str, Any]:
        return {"kind": "randomized-response", "inputs": names, "epsilon": f"log({growth})"}

    def hidden(base: Mapping[str, Any], dummies: int) -> Channel:
        return Channel.of({"kind": "tupling", "base": base, "dummies": dummies})

    found: list[tuple[str, str, int, Channel]] = []
    for growth in RESPONSES:
        found.append(("randomized response", f"log({growth})", 1, Channel.of(response(growth))))
    for epsilon in PLANES:
        planar = Channel.of({"kind": "planar", "points": points, "epsilon": epsilon})
        found.append(("planar Laplace", f"{epsilon} per unit", 1, planar))
    bases = ("the place itself", itself), (f"response log({NOISY})", response(NOISY))
    for name, base in bases:
        for k in DUMMIES:
            words = "1 dummy" if k == 1 else f"{k} dummies"
            found.append((f"tupling, {name}", words, k + 1, hidden(base, k)))
    return found
