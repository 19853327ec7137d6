"""The hockey-stick divergence, pointwise excess and verdicts with delta > 0 against oracles."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from support import oracles, problems

from pfverify.answers.outcome import Directed

LAWS = [
    pytest.param(kind, lattice, id=f"{kind}-{'discrete-laplace' if lattice else 'laplace'}")
    for kind in oracles.KINDS
    for lattice in (False, True)
    if not (lattice and kind == "rational")  # whose atoms are on no lattice
]
FACTORS = ("0.4", "0.95", "0.999999999", "1.000000001", "1.05", "2")


def drawn(rng: Random, kind: str, lattice: bool) -> tuple[oracles.Table, oracles.Table, Fraction]:
    p, q = oracles.random_pair(rng, kind, 8)
    atoms = oracles.support(p, q)
    width = max(atoms[-1] - atoms[0], Fraction(1))
    widest = Fraction(12) if lattice else Fraction(400)
    scale = min(width, widest) * Fraction(rng.randint(4, 40), 40)
    return p, q, max(scale, Fraction(2, 5)) if lattice else scale


def event_mass(release: oracles.Release, event: list[list[str]], atoms: list[Fraction]) -> object:
    """P(Y in B) for a union of intervals; on a lattice by a brute sum over its points."""
    mpf, real = oracles.mpf, oracles.real
    total = mpf(0)
    if release.step is None:
        for low, high in event:
            top = mpf(1) if high == "inf" else release.below(Fraction(high))
            total += top - (mpf(0) if low == "-inf" else release.below(Fraction(low)))
        return total
    step = release.step
    t = oracles.ctx.exp(-real(step) / release.scale)
    for low, high in event:
        start = atoms[0] if low == "-inf" else Fraction(low)
        stop = atoms[-1] if high == "inf" else Fraction(high)
        if low == "-inf":
            start = min(start, stop)
            total += release.at(start - step) / (1 - t)
        if high == "inf":
            stop = max(start, stop)
            total += release.at(stop + step) / (1 - t)
        first = -((atoms[0] - start) / step).__floor__()
        last = ((stop - atoms[0]) / step).__floor__()
        total += sum((release.at(atoms[0] + k * step) for k in range(first, last + 1)), mpf(0))
    return total


def check(
    found: Directed, value: object, delta: Fraction, counts: Counter[str], tolerance: object
) -> None:
    assert found.delta is not None
    assert oracles.encloses(found.delta.lower, found.delta.upper, value, tolerance)
    assert oracles.units_wide(found.delta.lower, found.delta.upper, 12) <= 2
    gap = value - oracles.real(delta)
    assert abs(gap) > oracles.CLOSE
    expected = "refuted" if gap > 0 else "certified"
    assert found.verdict.value == expected
    counts[expected] += 1


@pytest.mark.parametrize("cases", [6, pytest.param(14, marks=pytest.mark.long)])
@pytest.mark.parametrize(("kind", "lattice"), LAWS)
def test_events_verdict_enclosure_and_witness(kind: str, lattice: bool, cases: int) -> None:
    rng = Random(f"events {kind} {lattice}")
    counts: Counter[str] = Counter()
    for _ in range(cases):
        p, q, scale = drawn(rng, kind, lattice)
        step = Fraction(rng.choice(["1", "1/2"])) if lattice else None
        loss = max(oracles.pure_loss(p, q, scale), oracles.pure_loss(q, p, scale))
        epsilon = oracles.near(rng, loss, ("0", "0.1", "0.4", "0.8"))
        values = {
            "a": oracles.hockey_stick(p, q, scale, epsilon, step),
            "b": oracles.hockey_stick(q, p, scale, epsilon, step),
        }
        top = max(values.values())
        if top == 0:
            continue
        delta = min(oracles.near(rng, top, FACTORS), Fraction(1))
        result = problems.decided(problems.problem(p, q, scale, epsilon, delta, step=step))
        for name, value in values.items():
            found = problems.order(result, name)
            check(found, value, delta, counts, None)
            if found.witness is None:
                assert found.verdict.value == "certified"
                continue
            first, second = (p, q) if name == "a" else (q, p)
            atoms = oracles.support(p, q)
            assert found.witness.event is not None
            excess = event_mass(oracles.Release(first, scale, step), found.witness.event, atoms)
            excess -= oracles.ctx.exp(oracles.real(epsilon)) * event_mass(
                oracles.Release(second, scale, step), found.witness.event, atoms
            )
            margin = oracles.real(Fraction(found.witness.margin))
            assert 0 < margin <= excess - oracles.real(delta) + oracles.CLOSE
    assert counts["certified"] > cases // 13
    assert counts["refuted"] > cases // 13


@pytest.mark.parametrize("cases", [12, pytest.param(25, marks=pytest.mark.long)])
@pytest.mark.parametrize(("kind", "lattice"), LAWS)
def test_pointwise_verdict_and_enclosure(kind: str, lattice: bool, cases: int) -> None:
    rng = Random(f"pointwise {kind} {lattice}")
    counts: Counter[str] = Counter()
    for _ in range(cases):
        p, q, scale = drawn(rng, kind, lattice)
        step = Fraction(1) if lattice else None
        epsilon = Fraction(rng.randint(0, 30), 20)
        values = {
            "a": oracles.largest_excess(p, q, scale, epsilon, step),
            "b": oracles.largest_excess(q, p, scale, epsilon, step),
        }
        top = max(values.values())
        if top == 0:
            continue
        delta = min(oracles.near(rng, top, FACTORS), Fraction(1))
        result = problems.decided(
            problems.problem(p, q, scale, epsilon, delta, form="pointwise", step=step)
        )
        for name, value in values.items():
            check(problems.order(result, name), value, delta, counts, None)
    assert counts["certified"] > cases // 13
    assert counts["refuted"] > cases // 13


def test_two_oracles_agree() -> None:
    rng = Random("quadrature")
    checked = 0
    for kind in ("lattice", "rational", "negative"):
        p, q = oracles.random_pair(rng, kind, 4)
        scale, epsilon = Fraction(3, 2), Fraction(1, 4)
        fine = oracles.quadrature(p, q, scale, epsilon)
        assert abs(fine - oracles.hockey_stick(p, q, scale, epsilon)) < 1e-12
        checked += 1
    assert checked == 3


def test_the_two_forms_do_not_imply_each_other() -> None:
    def both(scale: str, delta: str) -> tuple[str, str]:
        return tuple(  # type: ignore[return-value]
            problems.verdict({0: 1}, {1: 1}, scale, "1/2", delta, form=form)
            for form in ("events", "pointwise")
        )

    # a wide noise makes densities small, a narrow one makes them large
    assert both("1/10", "999/1000") == ("certified", "refuted")
    assert both("10/6", "1/1000") == ("refuted", "refuted")
    assert problems.verdict({0: 1}, {100: 1}, 100, "1/2", "1/100") == "refuted"
    assert (
        problems.verdict({0: 1}, {100: 1}, 100, "1/2", "1/100", form="pointwise") == "certified"
    )


@pytest.mark.parametrize("form", ["events", "pointwise"])
@pytest.mark.parametrize(("near", "delta"), [("1e-30", "1e-70"), ("1e-150", "1e-310")])
def test_tiny_delta_near_the_loss_is_decided_and_enclosed(form: str, near: str, delta: str) -> None:
    """Point masses at distance 1, scale 1: epsilon = 1 - near leaves a very small excess."""
    small = Fraction(near)
    result = problems.decided(problems.problem({0: 1}, {1: 1}, 1, 1 - small, delta, form=form))
    assert result.verdict.value == "refuted"
    for found in result.pairs:
        assert found.delta is not None
        assert oracles.units_wide(found.delta.lower, found.delta.upper, 12) <= 2


@pytest.mark.parametrize("step", [None, 1], ids=["laplace", "discrete-laplace"])
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_far_atoms_with_delta(step: int | None, form: str) -> None:
    for distance in ("1e6", "1e12", "1e30"):
        if step is None and form == "pointwise":
            sides = ("1/3", "refuted"), ("51/100", "certified")  # density at 0 is 1/2
        elif form == "pointwise":
            sides = ("1/3", "refuted"), ("1/2", "certified")  # (1-t)/(1+t) = 0.462...
        else:
            # delta = 1 binds nothing, however near 1 the divergence is
            sides = ("1/10", "refuted"), ("1", "certified")
        for delta, expected in sides:
            found = problems.verdict({0: 1}, {distance: 1}, 1, 1, delta, form=form, step=step)
            assert found == expected


@pytest.mark.parametrize(
    ("atom", "scale", "epsilon"), [("2", "7/20", "13/20"), ("1", "1", "1/2"), ("6", "39/8", "1/20")]
)
def test_event_whose_end_is_a_short_decimal(atom: str, scale: str, epsilon: str) -> None:
    """Two point masses: the sign changes exactly at a decimal, where no ball has a floor."""
    result = problems.decided(problems.problem({0: 1}, {atom: 1}, scale, epsilon, "1/1000"))
    assert result.verdict.value == "refuted"
    assert all(found.witness is not None for found in result.pairs)
