"""The tables that a question goes through from its file to a verdict are few, and short."""

from __future__ import annotations

import pytest

from pfverify.decide.routes import REDUCTIONS, ROUTES
from pfverify.laws.kinds import ADDED, MADE, THROUGH
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.kinds import NOISES, PRIORS
from pfverify.model.notion import NOTIONS
from pfverify.model.protection import KINDS as PROTECTIONS
from pfverify.model.releases.kinds import OF_NOISE, RELEASES
from pfverify.model.sources.kinds import SOURCES
from pfverify.model.steps.kinds import BEFORE, STEPS

READ = [SOURCES, PRIORS, RELEASES, NOISES, OF_NOISE, CHANNELS, STEPS, BEFORE, NOTIONS, PROTECTIONS]
DECIDED = [ADDED, THROUGH, MADE, ROUTES, REDUCTIONS]
MOST = 20


@pytest.mark.parametrize("table", [*READ, *DECIDED], ids=lambda table: next(iter(table), ""))
def test_no_table_has_more_doors_than_a_reader_can_hold(table: dict[object, object]) -> None:
    assert 1 < len(table) <= MOST


def test_every_form_of_a_law_is_a_route_and_every_route_a_form() -> None:
    assert all(name == route.name for name, route in ROUTES.items())
    assert not set(ROUTES) & {reduction.name for reduction in REDUCTIONS.values()}
    assert not set(REDUCTIONS) & {*ADDED, *THROUGH, *MADE}
    tables = (ADDED, THROUGH, MADE)
    assert sum(map(len, tables)) == len({kind for table in tables for kind in table})
