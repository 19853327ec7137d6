"""Channels of which one output decides a pair, and places whose symmetries take pairs to others."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernel_run import accepted_certificate, kernel_digest, reader

from pfverify import Problem, Protection, certify, check, loss
from pfverify.decide.channels.steepest import SteepestOutput
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.numbers import law_orders
from pfverify.decide.routes import comparison
from pfverify.decide.targets import target_of
from pfverify.exact.written import written
from pfverify.model.channels.entries import ball_of
from pfverify.model.channels.kinds import Channel
from pfverify.model.channels.released import output_law
from pfverify.model.channels.symmetry import pairs_up_to, symmetries
from pfverify.model.digest import problem_digest

Json = dict[str, Any]


def planar(rng: Random) -> Json:
    count, axes = rng.randint(2, 6), rng.randint(1, 3)
    points = {f"p{k}": [str(Fraction(rng.randint(0, 6), 2)) for _ in range(axes)]
              for k in range(count)}  # fmt: skip
    epsilon = rng.choice(["1", "1/3", "log(2)"])
    table: Json = {"kind": "planar", "points": points, "epsilon": epsilon}
    if rng.random() < 0.4:  # with the points among the outputs, or some of them
        more = {f"g{k}": [str(rng.randint(0, 3)) for _ in range(axes)] for k in range(2)}
        kept = list(points)[rng.randint(0, 1):]
        table["grid"] = {**more, **{name: points[name] for name in kept}}
    return table


def scored(rng: Random) -> Json:
    inputs, outputs = [f"x{k}" for k in range(rng.randint(2, 4))], ["u", "v", "w", "z"]
    scores = [[str(Fraction(rng.randint(-4, 4), 3)) for _ in outputs] for _ in inputs]
    return {"kind": "exponential", "inputs": inputs, "outputs": outputs, "scores": scores,
            "epsilon": rng.choice(["1", "2/3", "sqrt(2)"]), "sensitivity": "2"}  # fmt: skip


def geometric(rng: Random) -> Json:
    how = rng.choice([{"epsilon": "1/2"}, {"ratio": "sqrt(2)/2"}, {"epsilon": "2"}])
    return {"kind": "truncated-geometric", "size": rng.randint(2, 6), **how}


MAKERS = {"planar": planar, "exponential": scored, "truncated-geometric": geometric}


def by_all(channel: Channel, problem: Problem, names: tuple[str, str]) -> Any:
    """One order of two inputs by all outputs."""
    target = target_of(next(problem.questions()))
    one, other = (output_law(channel.row(name)) for name in names)
    return law_orders(one, other, NamedOutputs(channel.outputs), target)[0]


@pytest.mark.parametrize("kind", MAKERS)
@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**9))
def test_one_output_says_what_all_say(kind: str, seed: int) -> None:
    rng = Random(seed)
    channel = Channel.of(MAKERS[kind](rng))
    epsilon = rng.choice(["0", "1/3", "1/2", "1", "2", "log(2)", "sqrt(2)/3"])
    problem = Problem(channel=channel, epsilon=epsilon)
    for item in problem.questions():
        for found, names in zip(comparison(item), permutations((item.first, item.second)),
                                strict=True):  # fmt: skip
            whole = by_all(channel, problem, names)
            assert found.equal == whole.equal
            assert found.settled().sign == whole.settled().sign
            assert written(found.loss().value, 12) == written(whole.loss().value, 12)
            assert written(found.exceeding(), 9) == written(whole.exceeding(), 9)
            if isinstance(found, SteepestOutput):
                rows = [map(ball_of, channel.row(name)) for name in names]
                ratios = [float((p / q).mid()) for p, q in zip(*rows, strict=True)]
                place = channel.outputs.index(found.ratio.output)
                assert ratios[place] == pytest.approx(max(ratios), rel=1e-12)
                for name, mass in zip(names, found.ratio.masses(), strict=True):
                    assert ball_of(channel.row(name)[place]).overlaps(ball_of(mass))


@pytest.mark.parametrize("kind", MAKERS)
def test_it_is_how_irrational_rows_are_decided(kind: str) -> None:
    rng, seen = Random(f"steepest {kind}"), 0
    for _ in range(30):
        problem = Problem(channel=Channel.of(MAKERS[kind](rng)), epsilon=1)
        seen += any(isinstance(comparison(item)[0], SteepestOutput) for item in problem.questions())
    assert seen > 5


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_the_kernel_decides_so_too(kind: str, form: str) -> None:
    rng, words, facts = Random(f"kernel {kind}{form}"), set(), 0
    for k in range(40):
        epsilon, delta = rng.choice(["1/3", "1", "2", "4"]), "1/20" if k % 5 == 4 else "0"
        problem = Problem(channel=Channel.of(MAKERS[kind](rng)), epsilon=epsilon, delta=delta,
                          form=form)  # fmt: skip
        found = certify(problem)
        _, word, message = accepted_certificate(problem.to_table(), problem, found)
        assert word == found.verdict
        words.add(word)
        facts += "(F87)" in message
        assert delta == "0" or "(F87)" not in message
    assert words == {"certified", "refuted"}
    assert facts > 5


def test_ties_at_one_output_are_seen_exactly() -> None:
    """On two points the sums are the same: the loss is epsilon times the distance."""
    channel = Channel.of({"kind": "planar", "epsilon": "1/3", "points": {"a": [0, 0], "b": [1, 1]}})
    for epsilon, verdict in (("sqrt(2)/3", "certified"), ("sqrt(2)/3-1e-60", "refuted")):
        problem = Problem(channel=channel, epsilon=epsilon)
        found = certify(problem)
        assert found.verdict == verdict
        assert found.pairs[0].tie == (verdict == "certified")
        assert accepted_certificate(problem.to_table(), problem, found)[1] == verdict
    steps = Channel.of({"kind": "truncated-geometric", "size": 4, "epsilon": "1/2"})
    for epsilon, verdict in (("3/2", "certified"), ("3/2-1e-60", "refuted")):
        problem = Problem(channel=steps, epsilon=epsilon)
        found = certify(problem)
        assert found.verdict == verdict
        assert accepted_certificate(problem.to_table(), problem, found)[1] == verdict


def test_the_least_epsilon_with_a_delta_is_of_all_outputs() -> None:
    channel = Channel.of({"kind": "planar", "epsilon": 1,
                          "points": {"a": [0], "b": [1], "c": [3]}})  # fmt: skip
    with_delta = loss(Problem(channel=channel, epsilon=1, delta="1/10"))
    alone = loss(Problem(channel=channel, epsilon=1))
    assert with_delta.epsilon_star.upper == alone.epsilon_star.upper
    assert with_delta.epsilon_at_delta is not None
    assert with_delta.epsilon_at_delta.upper < alone.epsilon_star.lower


# ---------------------------------------------------------------- symmetries


def square(size: int, **more: Any) -> Json:
    points = {f"{i},{j}": [i, j] for i in range(size) for j in range(size)}
    return {"kind": "planar", "points": points, "epsilon": 1, **more}


def kept_apart(places: list[tuple[int, ...]], images: list[int]) -> bool:
    """Whether a map keeps all distances."""

    def far(p: tuple[int, ...], q: tuple[int, ...]) -> tuple[int, int]:
        gaps = [abs(x - y) for x, y in zip(p, q, strict=True)]
        return sum(gaps), sum(gap * gap for gap in gaps)

    return all(
        far(places[i], places[j]) == far(places[images[i]], places[images[j]])
        for i, j in combinations(range(len(places)), 2)
    )


@settings(deadline=None)
@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=7),
       st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=2))  # fmt: skip
def test_symmetries_are_all_maps_that_keep_both_distances(
    chosen: set[tuple[int, int]], more: set[tuple[int, int]]
) -> None:
    places = sorted(chosen)
    others = sorted(chosen | more)
    found = symmetries(places, others)
    assert len({tuple(images) for images in found}) <= 7
    for images in found:
        assert sorted(images) == [*range(len(places))]
        assert kept_apart(places, images)
    orbits = {frozenset(pair) for pair in pairs_up_to(found, len(places))}
    every = {frozenset(pair) for pair in combinations(range(len(places)), 2)}
    reached = {frozenset(images[k] for k in pair) for pair in orbits for images in found}
    assert orbits | reached == every
    group = {tuple(images) for images in found} | {tuple(range(len(places)))}
    assert all(tuple(a[b[k]] for k in range(len(places))) in group for a in group for b in group)


def test_a_square_has_seven_and_twice_the_same_place_none() -> None:
    places = [(i, j) for i in range(3) for j in range(3)]
    assert len({tuple(images) for images in symmetries(places, places)}) == 7
    assert symmetries([*places, (0, 0)], places) == []
    assert symmetries(places, [(0, 0), (2, 2), (2, 2)]) == []  # one of the ends counts twice
    assert symmetries(places, [(0, 1)]) == [[2, 1, 0, 5, 4, 3, 8, 7, 6]]
    assert symmetries([(0, 0, 0, 0), (1, 0, 0, 0)], []) == []


@pytest.mark.parametrize(("more", "pairs"), [
    ({}, 970), ({"notion": "xdp"}, 970), ({"notion": "xdp", "distance": "manhattan"}, 970),
    ({"notion": "xdp", "distance": "euclidean", "metric": "distance"}, 970),
    ({"inputs_related": "all"}, 970), ({"grid": {"g": [0, 0]}}, None),
    ({"grid": {"g": ["5", "0"], "h": [5, 10]}}, 1885),
])  # fmt: skip
def test_of_many_places_one_pair_of_each_orbit_is_decided(more: Json, pairs: int | None) -> None:
    table = {"schema": "pfverify/problem/1", "epsilon": 30, "channel": square(11, **more)}
    problem = Problem.from_table(table)
    value = json.loads(json.dumps(problem.to_table()))
    assert kernel_digest(value) == problem_digest(problem)
    theirs = reader.problem_of(value)
    assert theirs.pairs == [*problem.pairs]
    if pairs is None:  # a diagonal turn is left
        assert len(problem.pairs) < 7260
    else:
        assert len(problem.pairs) == pairs
    assert "stand for all 7260 by symmetry" in str(problem.source.pairs_stand_for)


def test_what_has_no_symmetry_is_compared_pair_by_pair() -> None:
    one_less = square(11)
    one_less["points"]["1,0"] = ["6/5", 0]
    twice = {"g": ["5", "0"], "h": [5, 10], "i": ["5", "10"]}
    for channel, protection in (
        (square(10), Protection("dp")), (square(11, grid=twice), Protection("dp")),
        (one_less, Protection("dp")),
        (square(11), Protection("dp", inputs=[*square(11)["points"]],
                                inputs_related=[["0,0", "0,1"]])),
    ):  # fmt: skip
        problem = Problem(channel=Channel.of(channel), epsilon=30, protection=protection)
        assert problem.source.pairs_stand_for is None
        assert reader.problem_of(json.loads(json.dumps(problem.to_table()))).pairs == [
            *problem.pairs
        ]  # fmt: skip


def test_pairs_of_one_orbit_have_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs of a 4 x 3 grid, and the first of each orbit."""
    points = {f"{i},{j}": [i, 2 * j] for i in range(4) for j in range(3)}
    channel = Channel.of({"kind": "planar", "points": points, "epsilon": "2/3"})
    every = certify(Problem(channel=channel, epsilon=2))
    monkeypatch.setattr("pfverify.model.channels.planar.MOST_LISTED", 5)
    few = certify(Problem(channel=channel, epsilon=2))
    assert len(few.pairs) < len(every.pairs) / 2
    assert {str(pair.loss) for pair in few.pairs} == {str(pair.loss) for pair in every.pairs}
    assert few.verdict == every.verdict
    assert not any("no pair" in assumption for assumption in few.assumed)


def test_certificates_of_orbits(tmp_path: Path) -> None:
    least = loss(Problem(channel=Channel.of(square(11)), epsilon=1)).epsilon_star
    for epsilon, verdict in ((least.upper, "certified"), (least.lower, "refuted")):
        problem = Problem(channel=Channel.of(square(11)), epsilon=str(epsilon))
        name = str(tmp_path / "a.json")
        Path(name).write_text(json.dumps(problem.to_table()))
        found = certify(name)
        assert found.verdict == verdict
        found.write(tmp_path / "a.cert")
        told = check(name, tmp_path / "a.cert")
        assert told.valid
        assert "(F87)" in told.message or verdict == "refuted"
        assert "pairs=7260, up to symmetry" in told.message
        value = json.loads((tmp_path / "a.cert").read_text("utf-8"))
        changes: list[Any] = [lambda c: c["steps"].pop(),
                              lambda c: c["steps"].append(c["steps"][0])]  # fmt: skip
        if verdict == "refuted":
            changes = [lambda c: c["steps"][0].update(output="5,5"),
                       lambda c: c["steps"][0].update({"from": "5,5"}),
                       lambda c: c["steps"][0].update(margin="1")]  # fmt: skip
        for change in changes:
            other = json.loads(json.dumps(value))
            change(other)
            (tmp_path / "b.cert").write_text(json.dumps(other))
            assert not check(name, tmp_path / "b.cert").valid
