"""Steps with a modulo anywhere, against sums over every small interval, or point, of a window."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support import tally
from support.kernel_run import accepted_certificate, kernel_said
from support.oracles import ctx, mpf, real
from support.problems import limited
from support.steps_cases import law
from support.steps_oracle import inputs, published
from support.tally import Record

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    GaussianNoise,
    InputError,
    Laplace,
    Problem,
    TruncatedLaplace,
    certify,
    loss,
)

Json = dict[str, Any]
GRID = Fraction(1, 4)  # all that steps jump at are multiples of it
NEAR = Fraction(1, 10**9)
REFUSED = ("published as they are", "not worked out", "must never decrease", "never decreases")
BLOCKS, EACH = 8, 80
SHOWN = ("problems", "verdicts", "kernel")
REACHED = (
    "laplace", "discrete-laplace", "truncated-laplace", "refused", "modulo first", "modulo last",
    "modulo between", "after a clamp", "certified", "refuted",
)  # fmt: skip


def chain(rng: Random) -> list[Json]:
    found: list[Json] = []
    for _ in range(rng.randint(0, 3)):
        key = rng.choice(["round", "round", "floor", "ceil", "clamp", "threshold"])
        if key == "clamp":
            low = rng.randint(-6, 4)
            found.append({key: [f"{low}/2", f"{low + rng.randint(0, 12)}/2"]})
        elif key == "threshold":
            keep = rng.choice(["at-least", "above"])
            found.append({key: {"at": f"{rng.randint(-4, 6)}/2", "keep": keep}})
        else:
            found.append({key: {"to": rng.choice(["1/2", "1", "3/2", "2"])}})
            if key == "round":
                found[-1][key]["ties"] = rng.choice(["up", "down", "even"])
    where = rng.choice([0, len(found), rng.randint(0, len(found))])
    found.insert(where, {"modulo": rng.choice(["1", "3/2", "2", "3", "5"])})
    if rng.random() < 0.2:
        found.append({"bins": {"edges": ["1/2", "1"]}})
    return found


def case(rng: Random) -> Json:
    kind = rng.choice(["laplace", "discrete-laplace", "truncated-laplace"])
    noise: Json = {"kind": kind, "scale": rng.choice(["1/3", "1/2", "1"])}
    unit = Fraction(1, 2)
    if kind == "discrete-laplace":
        noise["step"] = str(unit := Fraction(rng.choice(["1/2", "1", "3/2"])))
    elif kind == "truncated-laplace":
        noise["bound"] = rng.choice(["1/2", "2", "7/2"])
    atoms = sorted(unit * k for k in rng.sample(range(-3, 6), rng.randint(1, 3)))
    laws = {name: law(rng, atoms) for name in "ab"}
    return {"schema": "pfverify/problem/1", "noise": noise, "post": chain(rng), "priors": laws}


class Truth:
    """The masses of all outputs to 50 digits."""

    def __init__(self, table: Json) -> None:
        noise, self.masses = table["noise"], dict[str, dict[Any, Any]]()
        self.scale, step = real(noise["scale"]), Fraction(noise.get("step", 0))
        (laws,) = inputs(table).values()
        atoms = sorted({x for prior in laws.values() for x in prior})
        far = Fraction(noise["bound"]) if "bound" in noise else 125 * Fraction(noise["scale"])
        self.bound = far if "bound" in noise else None
        grid = step or GRID
        count = int((atoms[-1] - atoms[0] + 2 * far) / grid) + 2
        start = atoms[0] - (far // grid + 1) * grid
        for k in range(count + 1):
            a = start + k * grid
            output = published(table["post"], a if step else a + grid / 3)
            for name, prior in laws.items():
                found = sum((real(m) * self._mass(a - x, grid, bool(step))
                             for x, m in prior.items()), mpf(0))  # fmt: skip
                row = self.masses.setdefault(name, {})
                if found > mpf(10) ** -58:
                    row[output] = row.get(output, 0) + found
        assert all(abs(sum(row.values()) - 1) < mpf(10) ** -50 for row in self.masses.values())

    def _mass(self, d: Fraction, grid: Fraction, point: bool) -> Any:
        if point:
            s = ctx.exp(-real(grid) / self.scale)
            return ctx.exp(-real(abs(d)) / self.scale) * (1 - s) / (1 + s)
        return self._below(d + grid) - self._below(d)

    def _below(self, d: Fraction) -> Any:
        if self.bound is not None and abs(d) >= self.bound:
            return mpf(d > 0)
        far = 0 if self.bound is None else ctx.exp(-real(self.bound) / self.scale)
        half = (ctx.exp(-real(abs(d)) / self.scale) - far) / (2 * (1 - far))
        return half if d < 0 else 1 - half

    def delta(self, a: str, b: str, growth: Any) -> Any:
        p, q = self.masses[a], self.masses[b]
        return sum((max(m - growth * q.get(y, 0), mpf(0)) for y, m in p.items()), mpf(0))

    def star(self, a: str, b: str) -> Any:
        p, q = self.masses[a], self.masses[b]
        return None if p.keys() - q.keys() else max(ctx.log(m / q[y]) for y, m in p.items())


def problem_of(table: Json, epsilon: Any, delta: Any) -> Problem:
    value = table | {"epsilon": str(epsilon), "delta": str(delta)}
    return Problem.from_text(json.dumps(value), json_format=True)


def close(found: Any, value: Any) -> bool:
    if value is None or str(found.upper) == "inf":
        return value is None and str(found.upper) == "inf"
    slack = max(abs(value), mpf(10) ** -20) * mpf(10) ** -10 + mpf(10) ** -45
    low, high = (real(Fraction(str(x))) for x in (found.lower, found.upper))
    return bool(low - slack <= max(value, 0) <= high + slack)


def checked(table: Json, epsilon: str, counts: Counter[str]) -> None:
    try:
        pairs = loss(problem_of(table, epsilon, "1/10")).pairs
    except InputError as refused:
        if not any(words in str(refused) for words in REFUSED):
            raise
        counts["refused"] += 1
        return
    truth, growth, deltas = Truth(table), ctx.exp(real(Fraction(epsilon))), []
    for pair in pairs:
        deltas.append(truth.delta(pair.from_, pair.to, growth))
        star = truth.star(pair.from_, pair.to)
        assert close(pair.delta, deltas[-1]), (pair.delta, deltas[-1])
        # outputs of next to no mass are left out of the sums: on a line all turns have some
        assert close(pair.epsilon_star, star), (pair.epsilon_star, star)
        counts["epsilon* infinite"] += star is None
    if (delta := max(deltas)) > real(NEAR):
        near = Fraction(ctx.nstr(delta, 40))
        for asked, word in ((near * (1 - NEAR), "refuted"), (near * (1 + NEAR), "certified")):
            if asked < 1:
                problem = problem_of(table, epsilon, asked)
                answer = certify(problem)
                assert answer.verdict == word, (asked, answer)
                said = accepted_certificate(problem.to_table(), problem, answer)
                assert said[1] == word, said[2]
                counts.update(["verdicts", "kernel", word])
    keys = [key for step in table["post"] for key in step]
    at = keys.index("modulo")
    counts["modulo first" if not at else "modulo last" if at == len(keys) - 1 else
           "modulo between"] += 1  # fmt: skip
    counts["after a clamp"] += "clamp" in keys[:at]
    counts.update(["problems", table["noise"]["kind"]])


def battery(seed: str, count: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for k in range(count):
        rng = Random(f"{seed} {k}")
        table = case(rng)
        try:
            with limited(30):
                checked(table, rng.choice(["0", "1/10", "1/2"]), counts)
        except AssertionError as reason:
            raise AssertionError(f"{json.dumps(table)}: {reason}") from None
    return counts


def test_turns(record_property: Record) -> None:
    counts = battery("default 0", 16)
    tally.report("steps with a modulo", counts, SHOWN, record_property)
    assert counts["verdicts"] == counts["kernel"] > 3


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_turns_long(block: int, record_property: Record) -> None:
    counts = battery(f"block {block}", EACH)
    tally.report("steps with a modulo", counts, SHOWN, record_property)
    tally.reached(counts, *REACHED)


@pytest.mark.parametrize(("block", "k"), [(0, 64), (1, 19), (1, 33)])
def test_a_loss_may_be_infinite(block: int, k: int) -> None:
    """The rarest case, which few blocks draw."""
    rng, counts = Random(f"block {block} {k}"), Counter[str]()
    checked(case(rng), rng.choice(["0", "1/10", "1/2"]), counts)
    assert (counts["epsilon* infinite"], counts["kernel"]) == (1, 2)


# ---------------------------------------------------------------- by hand

POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def word(problem: Problem) -> str:
    found: str = accepted_certificate(problem.to_table(), problem, certify(problem))[1]
    return found


def test_laplace_noise_that_is_wrapped_and_rounded() -> None:
    """Down to 0 or 1 either has 1/2, as N and -N are alike; the nearest one has not: 1 comes of
    [1/2, 3/2) and all that is 2 further, to both sides."""
    half = Problem(POINTS, noise=Laplace(1), post=[{"modulo": 2}, {"floor": {"to": 1}}], epsilon=0)
    assert word(half) == "certified"
    assert str(loss(half).epsilon_star.upper) == "0"
    tie = Problem(POINTS, noise=Laplace(1), post=[{"round": {"to": 1}}, {"modulo": 2}],
                  epsilon=0, delta="1 - 2*exp(-1/2)/(1+exp(-1))")  # fmt: skip
    assert [pair.tie for pair in certify(tie).pairs] == [True, True]
    assert word(tie) == "certified"
    assert word(tie.replaced(delta="1 - 2*exp(-1/2)/(1+exp(-1)) - 1e-30")) == "refuted"


def test_a_modulus_that_the_step_does_not_divide() -> None:
    """Multiples of 2 modulo 3 are all three residues: they come again after 6."""
    laws = {"a": Discrete({0: 1}), "b": Discrete({2: 1})}
    one = loss(Problem(laws, noise=DiscreteLaplace(2, 2), post=[{"modulo": 3}], epsilon=1))
    other = loss(Problem(laws, noise=DiscreteLaplace(2, 2), post=[{"modulo": 6}], epsilon=1))
    assert (one.epsilon_star, one.delta) == (other.epsilon_star, other.delta)


@pytest.mark.parametrize(
    ("noise", "post", "message"),
    [
        (Laplace(1), [{"modulo": 2}], "published as they are"),
        (Laplace(1), [{"threshold": {"at": 0}}, {"round": {"to": 1}}, {"modulo": 2}],
         "modulo follows a threshold, which is not worked out"),
        (DiscreteLaplace(1), [{"threshold": {"at": 0}}, {"modulo": 2}], "follows a threshold"),
        (DiscreteLaplace(1), [{"modulo": 10**9}], "modulo leaves 1000000000 outputs"),
        (DiscreteGaussian(1), [{"modulo": 2}], "modulo after discrete-gaussian noise is not"),
        (GaussianNoise(1), [{"round": {"to": 1}}, {"modulo": 2}], "modulo after a normal law"),
        (TruncatedLaplace(1, 2), [{"modulo": 2}, {"round": {"to": 1}}], "published as they are"),
        (Laplace(1), [{"modulo": 2}, {"modulo": 1}, {"round": {"to": 1}}], "never decrease"),
    ],
)  # fmt: skip
def test_what_is_not_worked_out(noise: Any, post: Any, message: str) -> None:
    problem = Problem(POINTS, noise=noise, post=post, epsilon=1)
    with pytest.raises(InputError, match=message):
        certify(problem)


@pytest.mark.parametrize(
    ("noise", "post", "epsilon", "delta", "said"),
    [
        (Laplace(1), [{"round": {"to": 1}}, {"modulo": 4}], "1", "0", "certified"),
        (Laplace(1), [{"round": {"to": 1}}, {"modulo": 4}], "1/4", "0", "rejected"),
        (Laplace(1), [{"round": {"to": 1}}, {"modulo": 4}], "1/4", "1/100", "rejected"),
        (Laplace(1), [{"modulo": 4}, {"ceil": {"to": 2}}], "1/4", "1/100", "rejected"),
        (DiscreteLaplace(1), [{"clamp": [0, 5]}, {"modulo": 4}], "1/4", "0", "rejected"),
        (TruncatedLaplace(1, 2), [{"round": {"to": 1}}, {"modulo": 3}], "1/4", "0", "rejected"),
        (Laplace(1), [{"threshold": {"at": 0}}, {"modulo": 2}], "9", "0", "malformed"),
        (DiscreteGaussian(1), [{"modulo": 2}], "9", "1/2", "malformed"),
    ],
)  # fmt: skip
def test_the_kernel_takes_no_proof_of_what_is_false(
    noise: Any, post: Any, epsilon: str, delta: str, said: str
) -> None:
    rule = "kept" if isinstance(noise, DiscreteGaussian) else "channel"
    steps = [{"rule": rule, "belief": "default", "from": a, "to": b} for a, b in ("ab", "ba")]
    problem = Problem(POINTS, noise=noise, post=post, epsilon=epsilon, delta=delta)
    assert kernel_said(problem, "certified", steps)[0] == said
