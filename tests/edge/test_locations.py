"""Mechanisms on a grid at equal privacy, against all outputs and all tuples one by one."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from itertools import product
from math import dist, exp, log

import pytest

from pfverify import InputError
from pfverify.edge.cli import main
from pfverify.edge.papers import locations
from pfverify.edge.papers.locations import (
    LocationRow,
    LocationsResult,
    compare_locations,
    laws,
)

Table = dict[tuple[str, ...], float]


@pytest.fixture(scope="module")
def found() -> LocationsResult:
    return compare_locations(sides=(2,), delta="1/20")


def chosen(found: LocationsResult, mechanism: str) -> list[LocationRow]:
    return [row for row in found.rows if row.mechanism == mechanism]


def sent(place: str, places: list[str], row: LocationRow) -> Table:
    """The law of what one place sends, in floats."""
    match row.mechanism.split(",")[0], row.parameter:
        case "randomized response", growth:
            base = response(place, places, float(growth[4:-1]))
        case "planar Laplace", epsilon:
            weights = [exp(-float(Fraction(epsilon.split()[0])) * apart(place, y)) for y in places]
            base = {(y,): w / sum(weights) for y, w in zip(places, weights, strict=True)}
        case _:
            noisy = "response" in row.mechanism
            base = response(place, places, 8.0) if noisy else {(place,): 1.0}
            table: Table = {}
            for (value,), mass in base.items():
                for dummies in product(places, repeat=row.sent - 1):
                    for k in range(row.sent):
                        shown = (*dummies[:k], value, *dummies[k:])
                        more = mass / len(places) ** (row.sent - 1) / row.sent
                        table[shown] = table.get(shown, 0.0) + more
            base = table
    return base


def response(place: str, places: list[str], growth: float) -> Table:
    whole = growth + len(places) - 1
    return {(y,): (growth if y == place else 1.0) / whole for y in places}


def apart(place: str, other: str) -> float:
    return dist([int(c) for c in place], [int(c) for c in other])


def test_epsilon_and_quality_are_those_of_every_output(found: LocationsResult) -> None:
    """Of the mechanisms that send at most 5 places."""
    west, east = laws(2)
    places, judged = list(west.mass), 0
    for row in found.rows:
        if row.sent > 5:
            continue
        tables = {place: sent(place, places, row) for place in places}
        outputs = {y for table in tables.values() for y in table}
        p, q = (
            {y: sum(float(m) * tables[x].get(y, 0.0) for x, m in prior.mass.items())
             for y in outputs} for prior in (west, east)
        )  # fmt: skip
        epsilon = float(row.epsilon.upper)
        excess = sum(max(0.0, p[y] - exp(epsilon) * q[y]) for y in outputs)
        assert excess == pytest.approx(0.05, abs=1e-5) or (excess < 0.05 and epsilon == 0)
        ratio = max(log(p[y] / q[y]) for y in outputs)
        assert ratio == pytest.approx(float(row.epsilon_star.upper), rel=1e-5)
        cost = sum(
            float(mass) * chance * min(apart(x, y) for y in shown)
            for x, mass in west.mass.items() for shown, chance in tables[x].items()
        )  # fmt: skip
        assert cost == pytest.approx(float(row.quality_loss.upper), rel=1e-5)
        judged += 1
    assert judged == 17


def test_more_dummies_hide_more_and_cost_less(found: LocationsResult) -> None:
    for mechanism in ("tupling, the place itself", "tupling, response log(8)"):
        rows = chosen(found, mechanism)
        epsilons = [float(row.epsilon.upper) for row in rows]
        costs = [float(row.quality_loss.upper) for row in rows]
        assert epsilons == sorted(epsilons, reverse=True)
        assert costs == sorted(costs, reverse=True)
        assert len({row.epsilon_star for row in rows}) == 1  # dummies do nothing at delta = 0


def test_noise_costs_less_the_less_it_hides(found: LocationsResult) -> None:
    for mechanism in ("randomized response", "planar Laplace"):
        rows = chosen(found, mechanism)
        epsilons = [float(row.epsilon.upper) for row in rows]
        costs = [float(row.quality_loss.upper) for row in rows]
        assert epsilons == sorted(epsilons)
        assert costs == sorted(costs, reverse=True)


def test_the_command_prints_words_and_csv(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, found: LocationsResult
) -> None:
    monkeypatch.setattr(locations, "compare_locations", lambda report: found)
    assert main(["demo", "--locations"]) == 0
    assert "2 x 2 places" in capsys.readouterr().out
    assert main(["demo", "--locations", "--csv"]) == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(table) == len(found.rows)
    assert table[0]["delta"] == "1/20"


def test_bad_input_is_one_line() -> None:
    with pytest.raises(InputError, match="side: 1, expected"):
        compare_locations(sides=(1,))
    with pytest.raises(InputError, match="delta: 0, expected"):
        compare_locations(sides=(2,), delta=0)
