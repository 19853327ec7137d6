"""Liftings against every event: a coupling exists iff no event violates the bound."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import transport_oracles as slow

from pfverify import InputError
from pfverify.transport.lifting import approximate_lifting, lifting
from pfverify.transport.validate import validate_plan


def worst(p, q, relation, factor):
    """max over events A of P(A) - factor * Q(N(A)), over all 2^n events."""
    return max(
        sum(p[x] for x in event)
        - factor * sum(m for y, m in q.items() if any((x, y) in relation for x in event))
        for event in slow.subsets(list(p))
    )


def random_case(rng):
    p = slow.random_table(rng, list("abcd")[: rng.randint(1, 4)])
    q = slow.random_table(rng, list("cdef")[: rng.randint(1, 4)])
    pairs = [(x, y) for x in p for y in q]
    return p, q, set(rng.sample(pairs, rng.randint(0, len(pairs))))


def test_a_coupling_exists_iff_no_event_forbids_it():
    rng = Random(7)
    answers = []
    for _ in range(300):
        p, q, relation = random_case(rng)
        found = lifting(p, q, relation)
        excess = worst(p, q, relation, Fraction(1))
        assert (found.coupling is None) != (found.hall is None)
        assert (found.coupling is not None) == (excess == 0)
        answers.append(excess == 0)
        if found.coupling is not None:
            assert set(found.coupling.masses()) <= relation
            assert found.coupling.row_sums() == p
            assert found.coupling.column_sums() == q
            assert validate_plan(found.coupling, p, q).holds("forest")
        else:
            assert found.hall.excess == excess
            found.hall.check(p, q, lambda x, y, r=relation: (x, y) in r)
    assert 30 < sum(answers) < 270


@pytest.mark.parametrize("factor", ["0", "1/3", "1", "3/2", "4"])
def test_approximate_liftings_against_all_events(factor):
    rng = Random(factor)
    e = Fraction(factor)
    answers = []
    for _ in range(120):
        p, q, relation = random_case(rng)
        excess = worst(p, q, relation, e)
        delta = rng.choice([excess, excess, excess / 2, excess * Fraction(999, 1000), Fraction(0)])
        found = approximate_lifting(p, q, relation, e, delta)
        assert found.shortfall == excess
        answers.append(excess <= delta)
        assert (found.coupling is not None) == (excess <= delta)
        assert (found.event is None) == (excess <= delta)
        if found.coupling is not None:
            plan = found.coupling
            assert set(plan.masses()) <= relation
            assert all(mass <= p[x] for x, mass in plan.row_sums().items())
            assert all(mass <= e * q[y] for y, mass in plan.column_sums().items())
            assert sum(plan.row_sums().values()) >= 1 - delta
        else:
            event = found.event
            assert (event.factor, event.slack) == (e, delta)
            mass = sum(p[x] for x in event.event)
            near = sum(m for y, m in q.items() if any((x, y) in relation for x in event.event))
            assert (mass, near) == (event.mass, event.reachable)
            assert mass > e * near + delta
            event.check(p, q, lambda x, y, r=relation: (x, y) in r)
    assert set(answers) == {True, False}


def test_randomized_response_needs_exactly_its_factor():
    p, q = {"a": "3/4", "b": "1/4"}, {"a": "1/4", "b": "3/4"}
    same = [("a", "a"), ("b", "b")]
    assert approximate_lifting(p, q, same, 3, 0).coupling is not None
    below = approximate_lifting(p, q, same, Fraction(3) - Fraction(1, 10**9), 0)
    assert below.event.event == ("a",)
    assert below.shortfall == Fraction(1, 4 * 10**9)
    assert approximate_lifting(p, q, same, 1, "1/2").coupling is not None
    assert approximate_lifting(p, q, same, 1, "499/1000").coupling is None


def test_hall_check_sees_each_defect():
    p, q = {"a": "1/2", "b": "1/2"}, {"c": "1/4", "d": "3/4"}
    relation = {("a", "c"), ("b", "d")}
    hall = lifting(p, q, relation).hall
    assert (hall.event, hall.neighbours) == (("a",), ("c",))

    def related(x, y):
        return (x, y) in relation

    hall.check(p, q, related)
    with pytest.raises(InputError, match="the mass is 1/3, not 1/2"):
        hall.check({"a": "1/3", "b": "2/3"}, q, related)
    with pytest.raises(InputError, match="the reachable mass is 1/3, not 1/4"):
        hall.check(p, {"c": "1/3", "d": "2/3"}, related)
    with pytest.raises(InputError, match="a is related to d, not listed"):
        hall.check(p, q, lambda x, y: True)
    with pytest.raises(InputError, match="a is no point of the first law"):
        hall.check({"b": 1}, q, related)
    with pytest.raises(InputError, match="c is no point of the second law"):
        hall.check(p, {"d": 1}, related)
    weak = type(hall)(hall.event, ("c", "d"), hall.mass, Fraction(1))
    with pytest.raises(InputError, match="excess -1/2"):
        weak.check(p, q, related)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lifting({"a": 1}, {"b": 1}, [("a", "z")]), "(a, z) names the unknown point z"),
        (lambda: lifting({"a": 1}, {"b": 1}, ["ab"]), "expected a pair of points"),
        (lambda: lifting({"a": 1}, {"b": "1/3"}, []), "difference 2/3, expected 0"),
        (lambda: approximate_lifting({"a": 1}, {"b": 1}, [], -1, 0), "the factor is -1"),
        (lambda: approximate_lifting({"a": 1}, {"b": 1}, [], 1, "-1/2"), "delta is -1/2"),
    ],
)
def test_bad_input_is_one_line(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_known_points_may_lack_mass():
    law = {"a": 1, "z": 0}
    assert lifting(law, {"b": 1}, [("a", "z"), ("a", "b")]).coupling.masses() == {("a", "b"): 1}
    other = lifting({"a": 1}, {"b": 1}, [("a", "w"), ("a", "b")], points=["w"])
    assert other.hall is None
