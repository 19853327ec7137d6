"""Many single outputs after the noise, decided in arrays: held to the matrix of exact masses."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support.kernel_run import accepted_certificate, checker

from pfverify import InputError, Problem, certify, loss
from pfverify.certificate.statement import canonical_text
from pfverify.decide import routes
from pfverify.decide.cells.line import CellLine
from pfverify.model.digest import problem_digest
from pfverify.model.releases import stepped
from pfverify.model.releases.stepped import ManyCells
from pfverify.model.steps.cells import cells, steps_to
from pfverify.model.steps.kinds import steps_of

Json = dict[str, Any]
STEPS = ("1", "2", "1/2", "3/2", "1/3")
LATTICES = (None, None, "1", "1/2", "1/3", "2")
SCALES = ("1", "2", "1/3", "5", "1/log(3)", "log(2)", "exp(1)", "1/40", "300")
EPSILONS = ("0", "1/2", "1", "1/10", "log(2)", "log(3)", "2", "1/3", "3/2")


def number(random: Random) -> Fraction:
    return Fraction(random.randint(-8, 8), random.choice([1, 1, 1, 2, 3]))


def a_step(random: Random, key: str) -> Json:
    match key:
        case "clamp":
            return {key: [str(x) for x in sorted([number(random), number(random)])]}
        case "round":
            ties = random.choice(["up", "down", "even"])
            return {key: {"to": random.choice(STEPS), "ties": ties}}
        case "floor" | "ceil":
            return {key: {"to": random.choice(STEPS)}}
        case _:
            keep = random.choice(["at-least", "above"])
            return {"threshold": {"at": str(number(random)), "keep": keep}}


def chain(random: Random, lattice: str | None) -> list[Json]:
    keys = ["clamp", "round", "round", "floor", "ceil", "threshold"]
    found = [a_step(random, random.choice(keys)) for _ in range(random.randint(1, 3))]
    if lattice is None and not any({"round", "floor", "ceil"} & step.keys() for step in found):
        found.append(a_step(random, "round"))
    if random.random() < 0.2:
        edges = sorted({number(random) for _ in range(random.randint(1, 4))})
        found.append({"bins": {"edges": [str(x) for x in edges]}})
    return found


def atoms(random: Random, lattice: str | None) -> Json:
    grid = Fraction(lattice or random.choice(["1", "1/2", "1/3"]))
    found = {grid * random.randint(-6, 6) for _ in range(random.choice([1, 1, 2, 3, 5]))}
    weights = {x: random.choice([1, 1, 1, 2, 5]) for x in found}
    total = sum(weights.values())
    return {"kind": "discrete", "mass": {str(x): f"{w}/{total}" for x, w in weights.items()}}


def a_case(random: Random) -> Json:
    lattice = random.choice(LATTICES)
    post = chain(random, lattice)
    priors = {"a": atoms(random, lattice), "b": atoms(random, lattice)}
    hides = any("threshold" in step for step in post)
    if hides and random.random() < 0.5:
        other = random.choice([priors["a"], priors["b"]])
        chance = random.choice(["1/2", "1/3", "9/10"])
        priors["b"] = random.choice([
            {"kind": "nothing"}, {"kind": "nothing", "or": other, "chance": chance}
        ])  # fmt: skip
    elif lattice is None and random.random() < 0.4:
        apart = random.choice(["1", "1/2", "1/4"])
        points = ({"0": "1"}, {apart: "1"})
        priors = {k: {"kind": "discrete", "mass": m} for k, m in zip("ab", points, strict=True)}
    noise = {"kind": "laplace" if lattice is None else "discrete-laplace"}
    noise |= {"scale": random.choice(SCALES)} | ({} if lattice is None else {"step": lattice})
    epsilon, deltas = random.choice(EPSILONS), ["0", "0", "1/10", "1/1000", "1/2", "1/4"]
    if lattice is None and {len(prior.get("mass", "12")) for prior in priors.values()} == {1}:
        (x,), (y,) = (map(Fraction, prior["mass"]) for prior in priors.values())
        noise["scale"], epsilon, deltas = "2", str(abs(x - y) / 2), ["0"]
    return {
        "schema": "pfverify/problem/1", "epsilon": epsilon,
        "delta": random.choice(deltas),
        "noise": noise, "post": post, "priors": priors,
    }  # fmt: skip


def ends(found: Any) -> tuple[Fraction, Fraction] | str | None:
    if found is None or "inf" in (found.lower, found.upper):
        return None if found is None else f"{found.lower} {found.upper}"
    return Fraction(found.lower), Fraction(found.upper)


def agree(one: Any, other: Any) -> bool:
    a, b = ends(one), ends(other)
    if not (isinstance(a, tuple) and isinstance(b, tuple)):
        return a == b
    near = Fraction(1, 10**9)
    narrow = all(x[1] - x[0] <= near * max(1, x[1]) for x in (a, b))
    return a[0] <= b[1] and b[0] <= a[1] and narrow


def answers(problem: Problem) -> tuple[Any, dict[tuple[str, str], Any], dict[Any, Any]]:
    found, lost = certify(problem), loss(problem)
    pairs = {(p.from_, p.to): p for p in found.pairs}
    return found, pairs, {(p.from_, p.to): p for p in lost.pairs}


@pytest.mark.parametrize("seed", [
    0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 30))
])  # fmt: skip
def test_the_route_in_arrays_says_what_the_matrix_says(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, seen = Random(seed), Counter[str]()
    for _ in range(30 if seed else 16):
        table = a_case(random)
        try:
            problem = Problem.from_text(json.dumps(table), json_format=True)
        except InputError:
            continue
        monkeypatch.setattr(stepped, "FEW_MASSES", 10**9)
        _, old, old_losses = answers(problem)
        monkeypatch.setattr(stepped, "FEW_MASSES", -1)
        item = next(iter(problem.questions()))
        if type(item.release) is not ManyCells:
            seen["matrix"] += 1
            continue
        assert next(routes.routes_for(item)).name == "cells"
        result, new, new_losses = answers(problem)
        for key, mine in new.items():
            theirs = old[key]
            seen[str(mine.verdict)] += 1
            seen["tie"] += mine.tie
            assert mine.verdict == theirs.verdict, table
            assert agree(mine.loss, theirs.loss), table
            assert agree(mine.delta, theirs.delta), table
            assert (mine.witness is None) == (theirs.witness is None), table
        for key, lost in new_losses.items():
            assert agree(lost.epsilon_star, old_losses[key].epsilon_star), table
            assert agree(lost.epsilon_at_delta, old_losses[key].epsilon_at_delta), table
        _, word, message = accepted_certificate(table, problem, result)
        assert word == str(result.verdict), (table, message)
        seen["kernel"] += 1
    assert min(seen[x] for x in ("certified", "refuted", "kernel")) >= 5
    assert seen["tie"] or seed  # some of the others have none


def test_the_cells_in_arrays_are_those_of_the_walk() -> None:
    random, reached = Random(5), 0
    for _ in range(150):
        lattice = random.choice(LATTICES)
        steps = steps_of(chain(random, lattice))
        step = None if lattice is None else Fraction(lattice)
        first = number(random)
        width = abs(number(random)) if step is None else step * random.randint(0, 10)
        try:
            walked = cells(steps, first, first + width, step, 1000)
        except InputError:
            continue
        found = CellLine(steps, first, first + width, step, 1000)

        def place(
            cut: Any, first: Fraction = first, step: Fraction | None = step
        ) -> Fraction:
            if step is None:
                return Fraction(cut.at)
            return first + (steps_to(cut, first, step) - Fraction(1, 2)) * step

        walked = [
            cell for cell in walked
            if cell.low is None or cell.high is None or place(cell.low) < place(cell.high)
        ]  # fmt: skip
        assert [found.name(k) for k in range(len(found))] == [cell.output for cell in walked]
        cuts = [Fraction(int(x), found.unit) for x in found.cuts]
        assert cuts == [place(cell.high) for cell in walked[:-1]]
        reached += len(walked) > 2
    assert reached > 60


def many(size: int, epsilon: str, delta: str, post: list[Json]) -> Json:
    random = Random(size)
    law = {k: {str(x): random.randint(1, 1000) for x in range(size)} for k in "ab"}
    return {
        "schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "post": post,
        "noise": {"kind": "laplace", "scale": "10"},
        "priors": {k: {"kind": "discrete", "counts": counts} for k, counts in law.items()},
    }  # fmt: skip


@pytest.mark.parametrize(("epsilon", "delta", "verdict"), [
    ("1", "0", "certified"), ("1/10", "0", "refuted"), ("1/10", "1/10", "certified"),
    ("1/10", "1/100", "refuted"),
])  # fmt: skip
def test_hundreds_of_outputs_and_their_certificates(
    epsilon: str, delta: str, verdict: str
) -> None:
    table = many(600, epsilon, delta, [{"round": {"to": "1"}}])
    problem = Problem.from_text(json.dumps(table), json_format=True)
    assert type(next(iter(problem.questions())).release) is ManyCells
    found = certify(problem)
    certificate, word, _ = accepted_certificate(table, problem, found)
    assert str(found.verdict) == verdict == word
    kept = [step["rule"] for step in certificate["steps"]]
    assert set(kept) <= {"channel", "output-refuted", "outputs-refuted"}


def test_a_certificate_of_other_steps_or_targets_is_rejected() -> None:
    table = many(100, "1", "0", [{"round": {"to": "1"}}])
    problem = Problem.from_text(json.dumps(table), json_format=True)
    certificate, word, _ = accepted_certificate(table, problem, certify(problem))
    assert word == "certified"
    changed = [
        table | {"epsilon": "1/10"}, table | {"epsilon": "1/10", "delta": "1/1000"},
        table | {"noise": {"kind": "laplace", "scale": "1/10"}},
        table | {"epsilon": "1/10", "post": [{"round": {"to": "2"}}]},
    ]  # fmt: skip
    for other in changed:
        stated = Problem.from_text(json.dumps(other), json_format=True)
        assert certify(stated).refuted
        forged = certificate | {"problem": problem_digest(stated)}
        said, _ = checker.check_bytes(
            json.dumps(other).encode(), True, canonical_text(forged).encode()
        )
        assert said == "rejected"


def test_a_point_beyond_every_scale_of_floats_is_decided() -> None:
    table = many(200, "1/2", "0", [{"round": {"to": "1/1000"}}])
    table["priors"]["b"] = {"kind": "discrete", "mass": {"100000/7": "1"}}
    table["noise"]["scale"] = "1/100"
    problem = Problem.from_text(json.dumps(table), json_format=True)
    with pytest.raises(InputError, match="more than 1000000 outputs"):
        certify(problem)
    table["post"] = [{"round": {"to": "1"}}]
    found = certify(Problem.from_text(json.dumps(table), json_format=True))
    assert found.refuted
    assert all(1408000 < Fraction(p.loss.upper) < 1429000 for p in found.pairs)
