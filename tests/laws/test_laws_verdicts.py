"""Metamorphic laws: what must not change, and what may only change in one direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from support import oracles, problems

from pfverify import Discrete, Laplace, Problem
from pfverify.answers.outcome import CertifyResult

Case = tuple[oracles.Table, oracles.Table, Fraction, Fraction, Fraction, str, Fraction | None]


def cases(name: str, count: int = 30) -> Iterator[Case]:
    rng = Random(f"laws {name}")
    for k in range(count):
        p, q = oracles.random_pair(rng, ("lattice", "negative")[k % 2], 7)
        scale = Fraction(rng.randint(1, 60), 7)
        epsilon = Fraction(rng.randint(0, 40), 13)
        delta = Fraction(rng.choice([0, 0, rng.randint(1, 40)]), 100)
        form = rng.choice(["events", "pointwise"])
        step = rng.choice([None, None, Fraction(1)])
        yield p, q, scale, epsilon, delta, form, step


def decided(case: Case) -> CertifyResult:
    p, q, scale, epsilon, delta, form, step = case
    return problems.decided(problems.problem(p, q, scale, epsilon, delta, form, step))


def shown(result: CertifyResult, swapped: bool = False) -> dict[str, object]:
    names = {"a": "b", "b": "a"} if swapped else {"a": "a", "b": "b"}
    return {
        names[found.from_]: (found.verdict, found.loss, found.delta, found.tie)
        for found in result.pairs
    }


def both(counts: Counter[str]) -> None:
    assert counts["certified"] > 2
    assert counts["refuted"] > 2
    assert set(counts) == {"certified", "refuted"}


def test_translation_changes_nothing() -> None:
    counts: Counter[str] = Counter()
    for case in cases("translation"):
        p, q, *rest = case
        result = decided(case)
        for shift in (Fraction(17), Fraction(-22, 7)):
            moved = tuple({a + shift: m for a, m in t.items()} for t in (p, q))
            assert shown(decided((*moved, *rest))) == shown(result)  # type: ignore[arg-type]
        counts[result.verdict.value] += 1
    both(counts)


def test_scaling_atoms_with_the_scale() -> None:
    counts: Counter[str] = Counter()
    for case in cases("scaling"):
        p, q, scale, epsilon, delta, form, step = case
        result = decided(case)
        for factor in (Fraction(3), Fraction(2, 7)):
            bound = delta / factor if form == "pointwise" and step is None else delta
            if bound > 1:
                continue
            grown = decided((
                {a * factor: m for a, m in p.items()},
                {a * factor: m for a, m in q.items()},
                scale * factor, epsilon, bound, form, None if step is None else step * factor,
            ))  # fmt: skip
            assert grown.verdict is result.verdict
            for name in "ab":
                assert problems.order(grown, name).loss == problems.order(result, name).loss
        counts[result.verdict.value] += 1
    both(counts)


def test_mirror_images_and_swapped_secrets() -> None:
    counts: Counter[str] = Counter()
    for case in cases("swap"):
        p, q, *rest = case
        result = decided(case)
        assert shown(decided((q, p, *rest)), swapped=True) == shown(result)  # type: ignore[arg-type]
        mirrored = tuple({-a: m for a, m in t.items()} for t in (p, q))
        assert shown(decided((*mirrored, *rest))) == shown(result)  # type: ignore[arg-type]
        counts[result.verdict.value] += 1
    both(counts)


def test_relabelling_and_reordering_secrets() -> None:
    rng = Random("relabel")
    counts: Counter[str] = Counter()
    for _ in range(15):
        tables = [t for _ in range(2) for t in oracles.random_pair(rng, "lattice", 5)]
        epsilon, scale = Fraction(rng.randint(1, 6), 2), rng.randint(1, 8)
        seen = set()
        for _ in range(3):
            order = rng.sample(range(4), 4)
            priors = {f"secret {k * 7 % 5}": Discrete(tables[k]) for k in order}
            asked = Problem(priors=priors, noise=Laplace(scale), epsilon=epsilon)
            result = problems.decided(asked)
            assert len(result.pairs) == 12
            table = tuple(sorted((f.from_, f.to, f.verdict, f.loss.lower) for f in result.pairs))  # type: ignore[union-attr]
            seen.add((result.verdict, table))
        assert len(seen) == 1
        counts[result.verdict.value] += 1
    both(counts)


@pytest.mark.parametrize("which", ["scale", "epsilon", "delta"])
def test_more_noise_or_a_weaker_target_keeps_certified(which: str) -> None:
    counts: Counter[str] = Counter()
    for case in cases(which, 24):
        p, q, scale, epsilon, delta, form, step = case
        verdicts = []
        for factor in (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(4)):
            changed = {
                "scale": (scale * factor, epsilon, delta),
                "epsilon": (scale, epsilon * factor, delta),
                "delta": (scale, epsilon, min(delta * factor, Fraction(1))),
            }[which]
            verdicts.append(decided((p, q, *changed, form, step)).verdict.value)
        counts.update(verdicts)
        order = [v == "certified" for v in verdicts]
        assert order == sorted(order), verdicts
    both(counts)


def test_mixing_priors_with_a_common_part_keeps_certified() -> None:
    counts: Counter[str] = Counter()
    for case in cases("mixing"):
        p, q, *rest = case
        result = decided(case)
        counts[result.verdict.value] += 1
        common = {Fraction(2): Fraction(1, 2), Fraction(-3): Fraction(1, 2)}
        mixed = []
        for table in (p, q):
            total: oracles.Table = {}
            for part in (table, common):
                for a, m in part.items():
                    total[a] = total.get(a, Fraction(0)) + m / 2
            mixed.append(total)
        after = decided((*mixed, *rest)).verdict.value  # type: ignore[arg-type]
        if result.verdict.value == "certified":
            assert after == "certified"
    both(counts)


def test_convolving_independent_users_keeps_certified() -> None:
    counts: Counter[str] = Counter()
    for case in cases("convolve"):
        p, q, *rest = case
        result = decided(case)
        counts[result.verdict.value] += 1
        if result.verdict.value == "certified":
            user = {Fraction(0): Fraction(1, 3), Fraction(4): Fraction(2, 3)}
            wide = (oracles.convolved(p, user), oracles.convolved(q, user))
            assert decided((*wide, *rest)).verdict.value == "certified"  # type: ignore[arg-type]
    both(counts)


def merged_excess(
    first: oracles.Release, second: oracles.Release, growth: object, cuts: list[Fraction]
) -> object:
    """sup over events of the outputs merged into the cells between the cuts."""
    total, before = oracles.mpf(0), oracles.mpf(0)
    for cut in [*cuts, None]:
        up = oracles.mpf(1) if cut is None else first.below(cut)
        down = oracles.mpf(1) if cut is None else second.below(cut)
        here = up - growth * down
        total += max(here - before, oracles.mpf(0))
        before = here
    return total


def test_merging_or_clamping_outputs_never_exceeds_delta_for_events() -> None:
    """Cells, and clamping to [low, high] (two end cells): post-processing of the release."""
    rng = Random("post")
    counts: Counter[str] = Counter()
    for case in cases("post", 40):
        p, q, scale, epsilon, delta, _, _ = case
        result = problems.decided(problems.problem(p, q, scale, epsilon, delta))
        counts[result.verdict.value] += 1
        growth = oracles.ctx.exp(oracles.real(epsilon))
        for first, second in ((p, q), (q, p)):
            one, two = (oracles.Release(t, scale) for t in (first, second))
            for cells in (1, 3, 9):
                cuts = sorted({Fraction(rng.randint(-90, 90), 5) for _ in range(cells)})
                excess = merged_excess(one, two, growth, cuts)
                upper = oracles.hockey_stick(first, second, scale, epsilon)
                assert excess <= upper + oracles.CLOSE
                if result.verdict.value == "certified":
                    assert excess <= oracles.real(delta) + oracles.CLOSE
    both(counts)


def test_merging_outputs_may_exceed_delta_for_pointwise() -> None:
    """Two neighbouring outputs with an excess each: merged, the excess doubles."""
    p, q = {0: "1/2", 1: "1/2"}, {9: "1/2", 10: "1/2"}
    assert problems.verdict(p, q, 1, 1, "2/5", form="pointwise", step=1) == "certified"
    assert problems.verdict(p, q, 1, 1, "2/5", form="events", step=1) == "refuted"
