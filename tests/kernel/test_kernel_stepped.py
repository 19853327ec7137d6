"""The masses of what steps publish, in the kernel, against sums and distribution functions.

Each problem is asked at the divergence and at the largest ratio: a little more is accepted, a
little less is not.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import ceil, floor
from random import Random
from types import SimpleNamespace
from typing import Any

import kernel_builder as kb
import pytest
import steps_truth as st
from core.grammar import Malformed, shown
from core.kinds import Mixture
from core.smooth import Smooth
from mpmath import exp, inf, log, mpf, nstr
from reader.noise import Noise
from reader.stepped import Stepped, after, release
from reader.steps import steps_of

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


# ---------------------------------------------------------------- which way the outputs are taken

FLOOR: Json = {"floor": {"to": "1"}}
LOW: Json = {"threshold": {"at": "1"}}
HIDES_NONE: list[Json] = [{"clamp": ["6", "9"]}, {"threshold": {"at": "3"}}, FLOOR]
HALF = Fraction(1, 2)
WHOLE_LATTICE = Noise("discrete-laplace", Fraction(1), Fraction(1))


def stepped(noise: Noise, post: list[Json], *, single: bool = False) -> Stepped:
    return after(noise, steps_of(post), single)


def test_the_line_has_parts_where_no_row_is_among_them() -> None:
    """Else the outputs are listed, with one for no row."""
    laplace, atoms = Noise("laplace", Fraction(1), None), [Fraction(0), Fraction(2)]
    for post, no_row, parts in (
        ([LOW, FLOOR], True, True), ([LOW, FLOOR], False, True), (HIDES_NONE, False, True),
        (HIDES_NONE, True, False), ([FLOOR], False, True), ([FLOOR], True, False),
    ):  # fmt: skip
        for noise in (laplace, WHOLE_LATTICE):
            found = stepped(noise, post)._parts(noise, atoms, no_row)
            assert (found is not None) == parts, (post, no_row)
    clamped: list[Json] = [{"clamp": ["0", "9"]}, FLOOR]
    assert stepped(laplace, clamped, single=True)._parts(laplace, atoms, no_row=False) is None
    assert stepped(laplace, clamped)._parts(laplace, [], no_row=True) is None
    assert stepped(laplace, [{"modulo": "2"}])._parts(laplace, atoms, no_row=False) is None


def test_no_noise_keeps_no_density() -> None:
    assert stepped(Noise("laplace", Fraction(1), None), [LOW]).kind == "kept"
    assert stepped(Noise("laplace", Fraction(0), None), [LOW]).kind == "channel"
    gaussian = stepped(Noise("gaussian", Fraction(0), None), [FLOOR])
    law = {Fraction(3, 2): Fraction(1)}
    found = gaussian.laws({"default": {"a": law, "b": law}}, [("a", "b")])
    assert not isinstance(found["default"]["a"], Smooth)


def test_a_normal_law_needs_noise_with_a_density() -> None:
    table = {"kind": "gaussian", "mean": "0", "variance": "1"}
    for kind, amount, step, taken in (
        ("laplace", 1, None, True), ("gaussian", 1, None, True), ("gaussian", 0, None, False),
        ("laplace", 0, None, False), ("discrete-laplace", 1, Fraction(1), False),
    ):  # fmt: skip
        one = stepped(Noise(kind, Fraction(amount), step), [FLOOR])
        if taken:
            assert isinstance(one.law(table, "a"), Mixture)
        else:
            with pytest.raises(Malformed, match="a: steps need priors of atoms"):
                one.law(table, "a")
        assert one.law({"kind": "discrete", "counts": {"1": 1}}, "a") == {Fraction(1): Fraction(1)}


@pytest.mark.parametrize("amount", [0, 1])
def test_atoms_are_on_one_lattice_where_there_is_noise(amount: int) -> None:
    noise = Noise("discrete-laplace", Fraction(amount), Fraction(1))
    for atoms, alike in (
        ([HALF / 2], True), ([HALF / 2, 5 * HALF / 2], True), ([Fraction(0), HALF], False),
        ([Fraction(0), HALF, Fraction(1)], False),
    ):  # fmt: skip
        law = {x: Fraction(1, len(atoms)) for x in atoms}
        beliefs: Any = {"default": {"a": law, "b": law}}
        if alike or not amount:
            stepped(noise, [FLOOR]).laws(beliefs, [("a", "b")])
        else:
            with pytest.raises(Malformed, match="differ by multiples of the step"):
                stepped(noise, [FLOOR]).laws(beliefs, [("a", "b")])


def test_the_words_of_steps() -> None:
    usual: Any = SimpleNamespace(name="distp")
    long = Fraction(10**70 + 1, 3)
    for noise, words in (
        (Noise("laplace", Fraction(5, 2), None), "noise=laplace scale=5/2 post=threshold,floor"),
        (Noise("none", None, None), "noise=none post=threshold,floor"),
        (Noise("laplace", long, None),
         f"noise=laplace {shown(f' scale={long}', 60)[2:-1]} post=threshold,floor"),
    ):  # fmt: skip
        found = stepped(noise, [LOW, FLOOR]).words(usual)
        assert found == words


def test_a_scale_is_positive_or_written_as_0() -> None:
    for scale in ("log(1/2)", "log(1)", "-1"):
        noise = {"kind": "laplace", "scale": scale}
        with pytest.raises(Malformed, match="the scale must be positive, or written as 0"):
            release({"noise": noise, "post": [FLOOR]})
