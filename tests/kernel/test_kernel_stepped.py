"""The masses of what steps publish, in the kernel, against sums and distribution functions.

Each problem is asked at the divergence and at the largest ratio: a little more is accepted, a
little less is not.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import Any

import kernel_builder as kb
import pytest
import steps_truth as st
from core.grammar import Malformed
from mpmath import exp, inf, log, mpf, nstr

Json = dict[str, Any]
NEAR = mpf(10) ** -12
FAR, GRID = 40, 8  # of the line that is looked at, and its parts of 1: every cell ends at one
ATOMS = {"a": {"0": 1, "1": 2}, "b": {"1/2": 1, "2": 1}}
WHOLE = {"a": {"0": 1, "1": 2}, "b": {"1": 1, "2": 1}}
TRUNCATED = {"kind": "truncated-laplace", "scale": "1/2", "bound": "3/2"}
LATTICE = {"kind": "discrete-laplace", "scale": "1/2", "step": "1/2"}
LINE = {"kind": "laplace", "scale": "1/2"}
TABLE = {"kind": "table", "weights": {"-1": "1/4", "0": "1/4", "3/2": "1/2"}}
CASES: list[tuple[Json, list[Json], Json]] = [
    (LATTICE, [{"modulo": "3"}], ATOMS),
    (LATTICE, [{"modulo": "3/2"}, {"round": {"to": "1"}}], ATOMS),
    (LATTICE | {"step": "1"}, [{"modulo": "4"}, {"threshold": {"at": "2"}}], WHOLE),
    (LATTICE, [{"bins": {"edges": ["0", "1"]}}], ATOMS),
    (LATTICE, [{"threshold": {"at": "1"}}, {"floor": {"to": "1"}}], ATOMS),
    (LINE, [{"round": {"to": "1"}}], ATOMS),
    (LINE, [{"bins": {"edges": ["1/4", "3/2"]}}], ATOMS),
    (TRUNCATED, [{"round": {"to": "1"}}], ATOMS),
    (TRUNCATED, [{"bins": {"edges": ["-1", "2"]}}], ATOMS),
    (TRUNCATED | {"bound": "1/4"}, [{"ceil": {"to": "1/2"}}], ATOMS),
    (TRUNCATED | {"bound": "1"}, [{"floor": {"to": "1"}}, {"threshold": {"at": "1"}}], WHOLE),
    (TABLE, [{"round": {"to": "2"}}], ATOMS),
    (TABLE, [{"threshold": {"at": "1", "keep": "above"}}], ATOMS),
    (TABLE, [{"modulo": "2"}, {"clamp": ["1/2", "1"]}], ATOMS),
    ({"kind": "none"}, [{"round": {"to": "3"}}], ATOMS),
]


def drawn(k: int) -> tuple[Json, list[Json], Json]:
    """One of the cases, or another chain of steps."""
    if k < len(CASES):
        return CASES[k]
    rng = Random(f"stepped {k}")
    to = {"to": rng.choice(["1/2", "1", "2"])}
    steps: list[Json] = [
        {rng.choice(["floor", "ceil"]): to},
        {"round": {**to, "ties": rng.choice(["up", "down", "even"])}},
    ]
    steps.insert(rng.randrange(3), rng.choice([
        {"clamp": ["-1/2", "3/2"]}, {"threshold": {"at": "1/2", "keep": "above"}},
        {"threshold": {"at": "1"}},
    ]))  # fmt: skip
    return rng.choice([LATTICE, LINE, TRUNCATED, TABLE]), steps, ATOMS


def image(post: list[Json], x: Fraction) -> Any:
    y: Any = x
    for step in post:
        ((key, what),) = step.items()
        if key == "clamp":
            y = min(max(y, Fraction(what[0])), Fraction(what[1]))
        elif key == "threshold":
            at = Fraction(what["at"])
            if y < at or (y == at and what.get("keep") == "above"):
                return st.SUPPRESSED
        elif key == "bins":
            return sum(Fraction(edge) <= y for edge in what["edges"]), "a bin"
        elif key == "modulo":
            y %= Fraction(what)
        else:
            n = y / Fraction(what["to"])
            low = floor(n)
            if key == "round":
                ties, rest = what.get("ties", "up"), n - low
                up = ties == "up" or (ties == "even" and low % 2 == 1)
                low += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and up)
            y = Fraction(what["to"]) * (ceil(n) if key == "ceil" else low)
    return y


def spread(noise: Json, x: Fraction) -> list[tuple[Fraction, mpf]]:
    """Numbers that the noisy number is or lies about, each with its mass."""
    if noise["kind"] == "none":
        return [(x, mpf(1))]
    if noise["kind"] == "table":
        return [(x + Fraction(n), kb.real(w)) for n, w in noise["weights"].items()]
    if noise["kind"] == "discrete-laplace":
        step = Fraction(noise["step"])
        s = exp(-st.number(step) / kb.real(noise["scale"]))
        return [(x + k * step, (1 - s) / (1 + s) * s ** abs(k)) for k in range(-150, 151)]
    line = st.Line({"noise": noise})
    ends = [-inf, *(mpf(k) / GRID for k in range(-FAR * GRID, FAR * GRID + 1)), inf]
    below = [line.below({x: mpf(1)}, y) for y in ends]
    low = Fraction(-2 * FAR * GRID - 1, 2 * GRID)
    return [(low + Fraction(k, GRID), below[k + 1] - below[k]) for k in range(len(ends) - 1)]


@pytest.mark.parametrize("k", range(len(CASES) + 6))
def test_a_little_more_is_proved_and_a_little_less_is_not(k: int) -> None:
    noise, post, weights = drawn(k)
    priors = {name: {"kind": "discrete", "counts": of} for name, of in weights.items()}
    mass: dict[str, Any] = {name: defaultdict(mpf) for name in priors}
    for name, prior in priors.items():
        for x, m in st.law(prior).items():
            for y, w in spread(noise, x):
                mass[name][image(post, y)] += m * w

    def word(epsilon: Any, delta: Any) -> str:
        value = {"schema": "pfverify/problem/1", "epsilon": str(epsilon), "delta": str(delta),
                 "noise": noise, "post": post, "priors": priors}  # fmt: skip
        steps = [{"rule": "channel", "belief": "default", "from": a, "to": b}
                 for a, b in ("ab", "ba")]  # fmt: skip
        return kb.run(value, kb.certificate(value, "certified", steps))[0]

    growth, names = exp(mpf(1) / 4), mass["a"].keys() | mass["b"].keys()
    worst = max(
        sum((max(mass[a][y] - growth * mass[b][y], mpf(0)) for y in names), mpf(0))
        for a, b in ("ab", "ba")
    )
    # beyond all atoms the ratio is the same, and the sums end somewhere
    ratios = [mass[a][y] / mass[b][y] if mass[b][y] else inf for y in names
              for a, b in ("ab", "ba") if mass[a][y] > mpf(10) ** -20]  # fmt: skip
    top = max(ratios)
    if worst < 1:
        assert word("1/4", nstr(worst * (1 + NEAR), 40)) == "certified"
    if worst > 0:
        assert word("1/4", nstr(worst * (1 - NEAR), 40)) == "rejected"
    if top < inf:
        assert word(nstr(log(top) * (1 + NEAR), 40), 0) == "certified"
    assert word(nstr(log(top) * (1 - NEAR), 40) if top < inf else 20, 0) == "rejected"


def nothing(**more: Any) -> Json:
    return {"schema": "pfverify/problem/1", "epsilon": "1", "delta": "1", "noise": LINE,
            "post": [{"threshold": {"at": "1"}}, {"round": {"to": "1"}}],
            "priors": {"a": {"kind": "nothing", **more},
                       "b": {"kind": "discrete", "counts": {"0": 1}}}}  # fmt: skip


ROW = {"kind": "discrete", "counts": {"1": 1}}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"or": ROW}, "both or and chance"),
        ({"chance": "1/2"}, "both or and chance"),
        ({"or": ROW, "chance": "-1/2"}, "outside"),
        ({"or": ROW, "chance": "3/2"}, "outside"),
        ({"or": ROW, "chance": "1", "and": "1"}, "and"),
        ({"or": {"kind": "gaussian", "mean": "0", "variance": "1"}, "chance": "1"}, "atoms"),
    ],
)
def test_what_states_no_prior_of_no_row(more: Json, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        kb.digest(nothing(**more))


def test_a_row_that_exists_by_chance() -> None:
    seen = {kb.digest(nothing(**more)) for more in (
        {}, {"or": ROW, "chance": "0"}, {"or": ROW, "chance": "1/2"}, {"or": ROW, "chance": "1"},
    )}  # fmt: skip
    assert len(seen) == 3  # a row with chance 0 is none
