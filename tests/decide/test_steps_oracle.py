"""Steps after the noise against brute force on random chains, and the kernel on every answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from support import tally
from support.kernel_run import accepted_certificate
from support.oracles import ctx, mpf, real
from support.problems import limited
from support.steps_cases import NOISES, Case, case
from support.steps_oracle import (
    NO_ROW,
    Released,
    excess,
    exponential,
    inputs,
    mixed,
    published,
    ratio,
    release,
)
from support.tally import Record

from pfverify import InputError, Problem, certify, loss
from pfverify.exact.enclosure import Enclosure

Json = dict[str, Any]
ISSUE = 3000
BLOCKS, EACH = 20, 160
FAST, FEW = 16, 2  # blocks by default, and problems in each
NEAR = Fraction(1, 10**9)
SHOWN = ("problems", "verdicts", "ties", "kernel")
KEYS = ("clamp", "round", "floor", "ceil", "threshold", "bins", "modulo")
REACHED = (
    *KEYS, *NOISES, "1 steps", "2 steps", "3 steps", "a half",
    "at-least an atom", "above an atom", "clamp lo = hi", "cell of several atoms",
    "nothing changes", "off the lattice of rounding", "nothing", "nothing or", "certain after all",
    "several beliefs", "many cells in a gap", "coarse", "fine", "all hidden", "certified",
    "refuted", "ties", "epsilon* infinite", "epsilon* 0", "densities kept", "fractions",
    "60 digits",
)  # fmt: skip


class Truth:
    """What brute force says of one problem, for every belief and ordered pair."""

    def __init__(self, found: Case) -> None:
        self.exact = isinstance(found.base, Fraction)
        self.released: Released = release(found.table, found.base, found.beyond)
        self.pairs = {
            (belief, a, b): (self._of(laws[a]), self._of(laws[b]))
            for belief, laws in inputs(found.table).items()
            for x, y in combinations(laws, 2)
            for a, b in ((x, y), (y, x))
        }

    def _of(self, law: dict[Any, Fraction]) -> dict[Any, Any]:
        return mixed(self.released.of, law, self.exact)

    def deltas(self, growth: Any) -> dict[tuple[str, str, str], Any]:
        return {key: excess(p, q, growth) for key, (p, q) in self.pairs.items()}

    def ratios(self) -> dict[tuple[str, str, str], Any]:
        return {key: ratio(p, q) for key, (p, q) in self.pairs.items()}


def problem_of(table: Json, epsilon: Any, delta: Any) -> Problem:
    value = table | {"epsilon": str(epsilon), "delta": str(delta)}
    return Problem.from_text(json.dumps(value), json_format=True)


def encloses(found: Enclosure, truth: Any) -> bool:
    """Whether a printed enclosure holds a number known exactly or to 60 digits."""
    if str(found.upper) == "inf":
        return truth is None
    if truth is None:
        return False
    low, high = (real(Fraction(str(x))) for x in (found.lower, found.upper))
    value = real(truth)
    slack = mpf(10) ** -50
    width = max(abs(value), mpf(10) ** -40) * mpf(10) ** -10
    return bool(low - slack <= value <= high + slack and high - low <= width)


def measured(table: Json, truth: Truth, epsilon: str, growth: Any) -> None:
    """Every enclosure of loss, in both orders."""
    ratios, deltas = truth.ratios(), truth.deltas(growth)
    for pair in loss(problem_of(table, epsilon, "1/10")).pairs:
        key = pair.belief, pair.from_, pair.to
        assert encloses(pair.delta, deltas[key]), (key, pair.delta, deltas[key])
        star = ratios[key] and max(ctx.log(real(ratios[key])), mpf(0))
        assert encloses(pair.epsilon_star, star), (key, pair.epsilon_star, star)


def largest(found: Any) -> Any:
    """The largest, as a fraction where all are."""
    values = list(found)
    exact = not any(isinstance(x, mpf) for x in values)
    return max(values if exact else map(real, values), default=1)


def decimal(x: Any) -> Fraction:
    """40 digits of a number >= 0, or 0 for what is next to nothing."""
    return Fraction(str(ctx.nstr(x, 40))) if x > real(NEAR) else Fraction(0)


def questions(truth: Truth, epsilon: str, growth: Any) -> Iterator[tuple[Any, Any, str, bool]]:
    """Epsilon, delta, the verdict, whether it is met exactly: at the truth and on both sides."""
    delta = largest(truth.deltas(growth).values())
    exact = isinstance(delta, Fraction)
    if exact:
        yield epsilon, delta, "certified", delta > 0
    else:
        delta = decimal(delta)
    if delta > NEAR:
        yield epsilon, delta * (1 - NEAR), "refuted", False
    if NEAR < delta * (1 + NEAR) < 1:
        yield epsilon, delta * (1 + NEAR), "certified", False
    every = list(truth.ratios().values())
    if None in every:
        yield 20, 0, "refuted", False
        return
    top = largest(every)
    if not isinstance(top, mpf):
        yield f"log({top})", 0, "certified", top > 1
        if top * (1 - NEAR) > 1:
            yield f"log({top * (1 - NEAR)})", 0, "refuted", False
        return
    star = decimal(ctx.log(top))
    if star > NEAR:
        yield star * (1 - NEAR), 0, "refuted", False
        yield star * (1 + NEAR), 0, "certified", False


def decided(table: Json, truth: Truth, epsilon: str, growth: Any, counts: Counter[str]) -> None:
    """The verdicts, and the kernel's answer to their certificates."""
    for at, delta, word, tie in questions(truth, epsilon, growth):
        problem = problem_of(table, at, delta)
        found = certify(problem)
        assert found.verdict == word, (str(at), str(delta), word, found)
        assert not tie or any(pair.tie for pair in found.pairs), (at, delta, found)
        _, said, message = accepted_certificate(problem.to_table(), problem, found)
        assert said == word, (str(at), str(delta), message)
        counts.update(["verdicts", "kernel", word, *(["ties"] if tie else [])])


def seen(found: Case, truth: Truth, counts: Counter[str]) -> None:
    """Which cases a problem is one of."""
    table = found.table
    post, noise = table["post"], table["noise"]
    laws = [law for belief in inputs(table).values() for law in belief.values()]
    atoms = sorted({x for law in laws for x in law if x != NO_ROW})
    counts.update([noise["kind"], f"{len(post)} steps"])
    counts["fractions" if truth.exact else "60 digits"] += 1
    counts["several beliefs"] += "beliefs" in table
    priors = [p for b in table.get("beliefs", {"": table}).values() for p in b["priors"].values()]
    for prior in priors:
        if prior["kind"] == "nothing":
            chance = prior.get("chance")
            counts["nothing" if chance is None else "nothing or"] += 1
            counts["certain after all"] += chance == "1"
    for k, step in enumerate(post):
        ((key, value),) = step.items()
        counts[key] += 1
        if key == "threshold" and not k:
            keep = value.get("keep", "at-least")
            counts[f"{keep} an atom"] += Fraction(value["at"]) in atoms
        elif key == "clamp":
            counts["clamp lo = hi"] += value[0] == value[1]
        elif key in ("round", "floor", "ceil") and not k and atoms:
            to, gaps = Fraction(value["to"]), [b - a for a, b in pairwise(atoms)]
            counts["coarse"] += bool(gaps) and to > 2 * (atoms[-1] - atoms[0])
            counts["fine"] += bool(gaps) and to * 4 <= min(gaps)
            counts["off the lattice of rounding"] += any(x % to for x in atoms)
            if key == "round":
                half = any(2 * (x % to) == to for x in atoms)
                counts.update({"a half": half, f"halves {value['ties']}": half})
    outputs = [published(post, x) for x in atoms]
    counts["cell of several atoms"] += len(set(outputs)) < len(outputs)
    counts["nothing changes"] += outputs == atoms
    counts["many cells in a gap"] += any(
        len({published(post, a + (b - a) * k / 48) for k in range(48)}) >= 12
        for a, b in pairwise(atoms)
    )
    counts["all hidden"] += all(set(row) == {"suppressed"} for row in truth.released.of.values())
    ratios = list(truth.ratios().values())
    counts["epsilon* infinite"] += None in ratios
    counts["epsilon* 0"] += all(r == 1 for r in ratios)


def battery(seed: str, count: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for k in range(count):
        rng = Random(f"{seed} {k}")
        found = case(rng, NOISES[(0, 1, 3, 1, 2, 0)[k % 6]], exact=rng.random() < 0.6)
        truth = Truth(found)
        if truth.exact:
            growth: Any = Fraction(rng.randint(8, 24), 8)
            epsilon = f"log({growth})"
        else:
            epsilon = rng.choice(["0", "1/10", "1/2", "2"])
            growth = exponential(Fraction(epsilon))
        try:
            with limited(30):
                measured(found.table, truth, epsilon, growth)
                decided(found.table, truth, epsilon, growth, counts)
        except InputError as refused:
            if "always told apart" not in str(refused):
                raise AssertionError(f"{json.dumps(found.table)}: {refused}") from None
            ends = published(found.table["post"], Fraction(-999))
            assert ends != "suppressed", found.table
            counts["no row told apart"] += 1
            continue
        except AssertionError as reason:
            raise AssertionError(f"{json.dumps(found.table)}: {reason}") from None
        counts["densities kept"] += truth.released.keeps_density
        counts["problems"] += 1
        seen(found, truth, counts)
    return counts


@pytest.mark.parametrize("block", range(FAST))
def test_steps(block: int, record_property: Record) -> None:
    counts = battery(f"default {block}", FEW)
    tally.report("steps after the noise against the oracle", counts, SHOWN, record_property)
    assert counts["problems"] + counts["no row told apart"] == FEW


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_steps_long(block: int, record_property: Record) -> None:
    assert BLOCKS * EACH >= ISSUE
    counts = battery(f"block {block}", EACH)
    tally.report("steps after the noise against the oracle", counts, SHOWN, record_property)
    tally.reached(counts, *REACHED)


# ---------------------------------------------------------------- output by output


def endless(table: Json) -> bool:
    """Whether outputs go on without end, as two numbers far out tell."""
    if table["noise"]["kind"] in ("none", "truncated-laplace") or "modulo" in table["post"][0]:
        return False
    far = Fraction(10**6)
    return any(published(table["post"], side * far) != published(table["post"], side * far * 3)
               for side in (1, -1))  # fmt: skip


def single_excess(truth: Truth, growth: Any) -> dict[tuple[str, str, str], Any]:
    """The largest p - e**epsilon q of a single output."""
    return {key: max([p.get(y, 0) - growth * q.get(y, 0) for y in {*p, *q}])
            for key, (p, q) in truth.pairs.items()}  # fmt: skip


REFUSALS = ("densities beside", "outputs without end")


def pointwise_battery(seed: str, count: int) -> Counter[str]:
    """The same problems in the pointwise form: decided where outputs are finitely many masses."""
    counts: Counter[str] = Counter()
    for k in range(count):
        rng = Random(f"{seed} {k}")
        found = case(rng, NOISES[(0, 1, 0, 1, 2)[k % 5]], exact=True)
        table, truth, growth = found.table | {"form": "pointwise"}, Truth(found), Fraction(5, 4)
        if truth.released.keeps_density or endless(table):
            with pytest.raises(InputError, match=r"form: |always told apart") as refused:
                certify(problem_of(table, "log(5/4)", "1/2"))
            counts.update(words for words in REFUSALS if words in str(refused.value))
            continue
        each = single_excess(truth, growth)
        try:
            pairs = loss(problem_of(table, "log(5/4)", "1/10")).pairs
        except InputError as refusal:
            if "always told apart" not in str(refusal) and REFUSALS[0] not in str(refusal):
                raise AssertionError(f"{json.dumps(table)}: {refusal}") from None
            continue
        for pair in pairs:
            key = pair.belief, pair.from_, pair.to
            assert encloses(pair.delta, max(each[key], 0)), (table, key, pair.delta, each[key])
        delta = max(max(each.values()), Fraction(0))
        for asked, word in [(delta, "certified"), (delta * (1 - NEAR), "refuted")]:
            if delta:
                problem = problem_of(table, "log(5/4)", asked)
                answer = certify(problem)
                assert answer.verdict == word, (table, asked, answer)
                _, said, message = accepted_certificate(problem.to_table(), problem, answer)
                assert said == word, (table, message)
                counts.update([word, table["noise"]["kind"]])
        total = max(truth.deltas(growth).values())
        counts["below the divergence"] += delta < total
        counts["problems"] += 1
    return counts


POINTWISE = ("certified", "refuted", "below the divergence", "laplace", "discrete-laplace", "none",
             *REFUSALS)  # fmt: skip


def test_single_outputs(record_property: Record) -> None:
    counts = pointwise_battery("single", 40)
    tally.report("single outputs of steps", counts, ("problems",), record_property)
    tally.reached(counts, *POINTWISE)


@pytest.mark.long
def test_single_outputs_long(record_property: Record) -> None:
    counts = pointwise_battery("single long", 2000)
    tally.report("single outputs of steps", counts, ("problems",), record_property)
    tally.reached(counts, *POINTWISE)
