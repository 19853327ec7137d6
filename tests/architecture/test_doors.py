"""The tables that a question goes through from its file to a verdict are few, and short."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from contract.contract_cases import terms

from pfverify import (
    Channel,
    Discrete,
    DiscreteGaussian,
    Finite,
    Gaussian,
    Joint,
    Laplace,
    NoNoise,
    Problem,
    WInfinityBall,
)
from pfverify.decide import routes
from pfverify.decide.routes import REDUCTIONS, ROUTES, VECTORS
from pfverify.laws.forms import SweptRecord
from pfverify.laws.kinds import ADDED, MADE, THROUGH, forms_of
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.kinds import NOISES, PRIORS
from pfverify.model.notion import NOTIONS
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import KINDS as PROTECTIONS
from pfverify.model.releases.kinds import OF_NOISE, RELEASES
from pfverify.model.releases.repeated import Repeated
from pfverify.model.sources.kinds import SOURCES
from pfverify.model.steps.kinds import BEFORE, STEPS

READ = [SOURCES, PRIORS, RELEASES, NOISES, OF_NOISE, CHANNELS, STEPS, BEFORE, NOTIONS, PROTECTIONS]
DECIDED = [ADDED, THROUGH, MADE, ROUTES, REDUCTIONS, VECTORS]
MOST = 20


@pytest.mark.parametrize("table", [*READ, *DECIDED], ids=lambda table: next(iter(table), ""))
def test_no_table_has_more_doors_than_a_reader_can_hold(table: dict[object, object]) -> None:
    assert 1 < len(table) <= MOST


def asked(noise: object, law: Prior, **more: Any) -> Iterator[str]:
    """The forms of the law in a question: two secrets have it."""
    (item,) = Problem({"a": law, "b": law}, noise=noise, epsilon=1, **more).questions()
    yield from forms_of(item)[0].forms


ATOMS, NORMAL = Discrete({0: "1/2", 1: "1/2"}), Gaussian(0, 1)
POINTS = Joint(["x", "y"], [[0, 1, "1/2"], [1, 0, "1/2"]])
CHANNEL = {"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"}
CLAMP, ROUND = {"clamp": [0, 3]}, {"round": {"to": "1/1000"}}
INPUTS = Finite({"a": 1, "b": 0})


def test_every_form_of_a_law_is_a_route_and_every_route_is_the_form_of_some_law() -> None:
    assert {
        *asked(NoNoise(), ATOMS), *asked(Laplace(1), ATOMS), *asked(DiscreteGaussian(1), ATOMS),
        *asked(NoNoise(), POINTS), *asked(Laplace(1), POINTS),
        *asked(Laplace(1), WInfinityBall({0: 1}, 1)),
        *asked(Laplace(1), ATOMS, post=[CLAMP]), *asked(Laplace(1), NORMAL, post=[CLAMP]),
        *asked(Laplace(1), ATOMS, post=[ROUND]),
        *asked(Laplace(1), ATOMS, post=[CLAMP, {"round": {"to": 1}}]),
        *asked(None, INPUTS, channel=Channel.of(CHANNEL)),
        *asked(None, INPUTS, channel=Channel.of({"kind": "tupling", "base": CHANNEL,
                                                 "dummies": 2})),
        *SweptRecord.forms,  # of chains that are too long for exact laws
    } == set(ROUTES)  # fmt: skip
    reductions = [*REDUCTIONS.values(), *VECTORS.values()]
    assert not set(ROUTES) & {reduction.name for reduction in reductions}


def test_a_kind_of_release_stands_in_one_table() -> None:
    tables = (ADDED, THROUGH, MADE, REDUCTIONS)
    assert sum(map(len, tables)) == len({kind for table in tables for kind in table})


def test_a_refusal_names_whatever_is_searched_at_any_scale() -> None:
    """The sentence is written, not made of the tables: it may leave out none of them."""
    assert REDUCTIONS[Repeated].scaled is not None
    named = {(noise, prior) for part in routes._AT_ANY_SCALE.split("; ")
             for noises, priors in [part.removesuffix(" priors").split(" noise with ")]
             for noise, prior in product(noises.split("/"), priors.split("/"))}  # fmt: skip
    searched = {name for name, route in ROUTES.items() if route.scaled is not None}
    for name, found in terms().items():
        if name in searched | {REDUCTIONS[Repeated].name}:
            kinds = [(noise, prior) for noise, prior, bare in found if not bare]
            assert {(noise.__name__, prior.__name__) for noise, prior in kinds} <= named, name
    assert ("Laplace", "WInfinityBall") in named  # which has no maker
    assert len(named) > 15
