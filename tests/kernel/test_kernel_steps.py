"""Steps after the noise in the kernel: forged certificates, hostile files, every step's words."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from itertools import pairwise
from typing import Any

import kernel_builder as kb
import pytest
from core.grammar import Malformed
from reader import cells, steps

from pfverify.model.steps.cells import every_cell
from pfverify.model.steps.kinds import steps_of as steps_of_package

Json = dict[str, Any]
HALF = {"a": {"kind": "discrete", "mass": {"0": 1}}, "b": {"kind": "discrete", "mass": {"1/2": 1}}}
COUNT = {"a": {"kind": "discrete", "mass": {"1": 1}}, "b": {"kind": "nothing"}}
LINE, LATTICE = {"kind": "laplace", "scale": 1}, {"kind": "discrete-laplace", "scale": 1, "step": 1}
ROUND, KEPT = [{"round": {"to": 1}}], [{"threshold": {"at": 5}}]
DELTA = "exp(-4)/(1+exp(-1))"
WAYS = ("ab", "ba")


def problem(priors: Json, noise: Json, post: Any, epsilon: Any = 5, delta: Any = 0) -> Json:
    return {"schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": noise,
            "post": post, "priors": priors}  # fmt: skip


def proved(value: Json, rule: str = "channel", ways: Any = WAYS) -> str:
    found = [{"rule": rule, "belief": "default", "from": a, "to": b} for a, b in ways]
    return kb.run(value, kb.certificate(value, "certified", found))[0]


def test_a_proof_of_what_is_true() -> None:
    assert proved(problem(COUNT, LATTICE, KEPT, 5, DELTA)) == "certified"
    assert proved(problem(HALF, LINE, ROUND, "1/2")) == "certified"
    assert proved(problem(HALF, LINE, [{"clamp": [0, 9]}], "1/2"), "kept") == "certified"
    assert proved(problem(HALF, LATTICE | {"step": "1/2"}, [{"modulo": 4}], "1/2")) == "certified"


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        (problem(COUNT, LATTICE, KEPT, 5, f"{DELTA} - 1e-30"), "channel"),
        (problem(COUNT, LATTICE, KEPT, 5, "exp(-5)/(1+exp(-1))"), "channel"),
        (problem(COUNT, LATTICE, [{"threshold": {"at": 4}}], 5, DELTA), "channel"),
        (problem(COUNT, LATTICE, [{"threshold": {"at": 4, "keep": "above"}}, *KEPT], 5,
                 "exp(-5)/(1+exp(-1))"), "channel"),
        (problem(HALF, LINE, ROUND, "1/2 - 1e-30"), "channel"),
        (problem(HALF, LINE, [{"clamp": [0, 9]}], "1/2 - 1e-30"), "kept"),
        (problem(HALF, LINE, [{"floor": {"to": "1/2"}}], "1/2 - 1e-30"), "channel"),
        # of the two thresholds the higher one hides more, whatever their order
        (problem(COUNT, LATTICE, [{"threshold": {"at": 5}}, {"threshold": {"at": 4}}], 5,
                 f"{DELTA} - 1e-30"), "channel"),
        # in the other order rounding goes to 0 before the threshold, and hides less
        (problem(COUNT, LATTICE, [{"ceil": {"to": 4}}, *KEPT], 5, f"{DELTA} - 1e-30"), "channel"),
    ],
)  # fmt: skip
def test_a_proof_of_what_is_false(value: Json, rule: str) -> None:
    assert proved(value, rule) == "rejected"


@pytest.mark.parametrize("ways", [("ba", "ab"), ("ab",), ("ab", "ab"), ("ab", "ba", "ab")])
def test_each_order_is_due_once(ways: Any) -> None:
    assert proved(problem(HALF, LINE, ROUND, "1/2"), ways=ways) == "rejected"


@pytest.mark.parametrize(
    "post",
    [
        [{"round": {"to": 1, "ties": "down"}}],
        [{"round": {"to": 2}}],
        [*ROUND, {"clamp": [0, 1]}],
        [{"floor": {"to": 1}}],
        [],
        None,
    ],
)
def test_a_certificate_of_other_steps(post: Any) -> None:
    """Their digest is another one; without steps the file is none, or of another release."""
    value, other = problem(HALF, LINE, ROUND, "1/2"), problem(HALF, LINE, post, "1/2")
    if post is None:
        del other["post"]
    found = [{"rule": "channel", "belief": "default", "from": a, "to": b} for a, b in WAYS]
    word = kb.run(other, kb.certificate(value, "certified", found))[0]
    assert word == ("malformed" if post == [] else "rejected")


def refuted(value: Json, outputs: Any, way: str = "ba", margin: str = "0.001") -> tuple[str, str]:
    found = {"rule": "outputs-refuted", "belief": "default", "from": way[0], "to": way[1],
             "bits": 64, "outputs": outputs, "margin": margin}  # fmt: skip
    return kb.run(value, kb.certificate(value, "refuted", [found]))


def test_a_refutation_names_outputs() -> None:
    value = problem(HALF, LINE, ROUND, "1/4", "1/10")
    assert refuted(value, ["1", "2 and more"])[0] == "refuted"
    assert refuted(value, ["1", "2 and more"], "ab")[0] == "rejected"
    assert refuted(value, ["1", "2 and more"], margin="0.1")[0] == "rejected"
    for others in (["1 and more"], ["3 and more"], ["0"], ["0", "less than 0"]):
        assert refuted(value, others)[0] == "rejected"


LONG = "9" * 5000
DEEP: Any = 1
for _ in range(150):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("post", "message"),
    [
        ({}, ""), ("round", ""), (1, ""), (None, ""), ([[]], "a step of post"), ([1], "a step of"),
        ([{}], "a step of post"), ([{"round": {"to": 1}, "floor": {"to": 1}}], "a step of post"),
        ([{"sort": {}}], "a step of post"), ([{"round": 1}], ""), ([{"round": {}}], ""),
        ([{"round": {"to": 1, "at": 1}}], ""), ([{"round": {"to": "NaN"}}], ""),
        ([{"round": {"to": "inf"}}], ""), ([{"round": {"to": True}}], ""),
        ([{"round": {"to": -1}}], "not positive"),
        ([{"round": {"to": 1, "ties": "odd"}}], "ties"), ([{"round": {"to": 1, "ties": 1}}], ""),
        ([{"round": {"to": LONG}}], ""), ([{"round": {"to": DEEP}}], ""), ([DEEP], ""),
        ([{"clamp": [2, 1]}], "lower end"), ([{"clamp": [1]}], "two ends"),
        ([{"clamp": {}}], ""), ([{"threshold": {"at": 1, "keep": "some"}}], "keep"),
        ([{"threshold": {}}], ""), ([{"bins": {"edges": []}}], "increase"),
        ([{"bins": {"edges": [1, 1]}}], "increase"), ([{"bins": {"edges": [2, 1]}}], "increase"),
        ([{"bins": {"edges": [1]}}, {"round": {"to": 1}}], "nothing follows bins"),
        ([{"round": {"to": 1}}, {"modulo": 2}], "first"), ([{"modulo": 0}], "not positive"),
        ([{"modulo": "1/3"}], "multiple"), ([{"modulo": 10**30}], "multiple"),
        pytest.param([{"round": {"to": "1e-300"}}], "", id="endless"),
    ],
)  # fmt: skip
def test_hostile_steps_are_one_line_at_once(post: Any, message: str) -> None:
    mass = {"kind": "discrete", "mass": {"0": "1/2", "1000000": "1/2"}}
    far = HALF if "modulo" in str(post) else {"a": mass, "b": HALF["a"]}
    data = json.dumps(problem(far, LINE if far is not HALF else LATTICE | {"step": "1/2"}, post))
    certificate = kb.certificate(problem(HALF, LINE, ROUND), "certified", [])
    start = time.process_time()
    word, said = kb.run(data, certificate)
    assert word in ("malformed", "rejected")
    assert "\n" not in said
    assert len(said) < 500
    assert message in said or word == "rejected"
    assert time.process_time() - start < 10


BINS, EACH = [{"bins": {"edges": [-10, 0, 8]}}], "(1-exp(-1))/2*(1-exp(-1/25))"


@pytest.mark.parametrize(
    ("post", "delta", "form", "word"),
    [
        (BINS, EACH, "pointwise", "certified"), (BINS, f"{EACH}-1e-30", "pointwise", "rejected"),
        (BINS, EACH, "events", "rejected"),
        ([*ROUND, {"clamp": [0, 1]}], 1, "pointwise", "certified"),
    ],
)  # fmt: skip
def test_single_outputs(post: Any, delta: Any, form: str, word: str) -> None:
    value = problem(HALF, LINE | {"scale": 10}, post, "1/100", delta) | {"form": form}
    assert proved(value) == word


@pytest.mark.parametrize("post", [ROUND, [*ROUND, *KEPT], KEPT, [{"clamp": [0, 1]}]])
def test_outputs_without_end_and_densities_are_no_single_outputs(post: Any) -> None:
    value = problem(HALF, LINE, post, 1, 1)
    claims = kb.certificate(value, "certified", [])
    assert kb.run(value | {"form": "pointwise"}, claims)[0] in ("malformed", "rejected")
    with pytest.raises(Malformed, match="judged by events"):
        proved(value | {"form": "pointwise"})


@pytest.mark.parametrize(
    ("post", "lattice", "names"),
    [
        (BINS, None, ["(-inf, -10)", "[-10, 0)", "[0, 8)", "[8, inf)"]),
        ([*ROUND, {"clamp": [-1, 3]}], None, ["-1", "0", "1", "2", "3"]),
        ([{"clamp": [-1, 3]}, {"round": {"to": 2}}], None, ["0", "2", "4"]),
        ([{"threshold": {"at": 7}}, {"clamp": [0, 9]}], 1, ["suppressed", "7", "8", "9"]),
        ([{"clamp": ["-1/2", "5/2"]}], 1, ["-1/2", "0", "1", "2", "5/2"]),
        ([{"clamp": [30, 30]}, {"threshold": {"at": 40}}], 1, ["suppressed"]),
    ],
)  # fmt: skip
def test_every_cell_of_the_line(post: Any, lattice: int | None, names: list[str]) -> None:
    """They follow each other, cover the line, and none stands for several outputs."""
    whole = cells.CutLine(
        steps.steps_of(post), Fraction(0), Fraction(1), None if not lattice else Fraction(lattice)
    )
    found = whole.every(1000)
    assert [cell.output for cell in found] == names
    assert found[0].low is found[-1].high is None
    ours = every_cell(steps_of_package(post), Fraction(0), Fraction(1), whole.lattice, 1000)
    assert [cell.output for cell in ours] == names


@pytest.mark.parametrize(
    "more",
    [
        {"channel": {"kind": "matrix", "inputs": ["a"], "outputs": ["x"], "rows": [[1]]}},
        {"system": {"others": []}},
        {"form": "pointwise"},
        {"notion": "xdp"},
    ],
)
def test_steps_stand_behind_noise_alone(more: Json) -> None:
    value = problem(HALF, LINE, ROUND) | more
    certificate = kb.certificate(problem(HALF, LINE, ROUND), "certified", [])
    assert kb.run(value, certificate)[0] in ("malformed", "rejected")


def line(post: Any, first: Any, last: Any, lattice: Any = None) -> list[tuple[Any, Any, str]]:
    found = cells.CutLine(
        steps.steps_of(post), Fraction(first), Fraction(last),
        None if lattice is None else Fraction(lattice),
    )  # fmt: skip
    return [tuple(cell) for cell in found.cells(1000)]


@pytest.mark.parametrize(
    ("post", "first", "last", "lattice", "names"),
    [
        (ROUND, 0, 1, None, ["less than 0", "0", "1", "2 and more"]),
        ([*ROUND, {"clamp": [0, 1]}], 0, 1, None, ["0", "1"]),
        ([{"round": {"to": 2, "ties": "even"}}], 1, 3, 1,
         ["less than 0", "0", "2", "4", "6 and more"]),
        ([{"round": {"to": 2, "ties": "up"}}], 1, 3, 1, ["less than 2", "2", "4", "6 and more"]),
        ([{"round": {"to": 2, "ties": "down"}}], 1, 3, 1,
         ["less than 0", "0", "2", "4 and more"]),
        ([{"bins": {"edges": [0, 2]}}], 0, 1, 1, ["less than [0, 2)", "[0, 2)", "[2, inf)"]),
        (KEPT, 1, 2, 1, ["suppressed", "5 and more"]),
        (KEPT, 6, 7, 1, ["suppressed", "less than 6", "6", "7", "8 and more"]),
        ([{"threshold": {"at": 5, "keep": "above"}}], 1, 6, 1, ["suppressed", "6", "7 and more"]),
        ([{"clamp": [3, 3]}], 0, 9, 1, ["3"]),
        ([{"clamp": [0, 3]}, *KEPT], 0, 9, 1, ["suppressed"]),
        ([{"clamp": [6, 9]}, *KEPT], 0, 9, 1, ["6", "7", "8", "9"]),
        ([*KEPT, {"clamp": [10, 20]}], 7, 12, 1, ["suppressed", "10", "11", "12", "13 and more"]),
        ([*KEPT, {"clamp": [0, 5]}, {"ceil": {"to": 2}}], 7, 7, 1, ["suppressed", "6"]),
    ],
)  # fmt: skip
def test_the_cells_of_the_line(
    post: Any, first: int, last: int, lattice: Any, names: list[str]
) -> None:
    """They follow each other, cover the line, and bear these names."""
    found = line(post, first, last, lattice)
    assert [name for _, _, name in found] == names
    assert found[0][0] is found[-1][1] is None
    if lattice is None:
        assert all(a[1] == b[0] for a, b in pairwise(found))
        return
    for a, b in pairwise(found):  # the first points behind the cuts are one
        places = [cells.count(cut, Fraction(first), Fraction(1)) for cut in (a[1], b[0])]
        assert places[0] == places[1]


def test_what_leaves_numbers_as_they_are_on_a_line() -> None:
    with pytest.raises(Malformed, match="as they are"):
        line([{"clamp": [0, 9]}], 1, 2)
    with pytest.raises(Malformed, match="too many outputs"):
        line([{"floor": {"to": "1/1000"}}], 0, 2)


@pytest.mark.parametrize(
    "pre",
    [
        {}, None, 1, "round", [[]], [{}], [1], DEEP, [{"round": 1}], [{"round": {"to": LONG}}],
        [{"threshold": {"at": 1}}], [{"bins": {"edges": [0, 1]}}], [{"bins": {"at": "lower"}}],
        [{"bins": {"edges": [0, 1], "at": 1}}], [{"bins": {"edges": [1, 1], "at": "lower"}}],
        [{"bins": {"edges": [0, "1/2"], "at": "upper"}}], [{"modulo": 0}], [{"clamp": [2, 1]}],
        [{"round": {"to": "1e-300"}}, {"modulo": "1e-299"}, {"ceil": {"to": "1e300"}}] * 40,
    ],
)  # fmt: skip
def test_hostile_steps_before_the_noise_are_one_line_at_once(pre: Any) -> None:
    value = problem(HALF, LINE, ROUND)
    del value["post"]
    certificate = kb.certificate(value, "certified", [])
    start = time.process_time()
    word, said = kb.run(json.dumps(value | {"pre": pre}), certificate)
    assert word == ("rejected" if "1e300" in str(pre) else "malformed")
    assert "\n" not in said
    assert time.process_time() - start < 5
    system = {"user": {"a": {"point": 0}, "b": {"point": 1}}, "rest": "any"}
    anyone = {key: x for key, x in value.items() if key != "priors"} | {"system": system}
    assert kb.run(anyone | {"pre": [{"clamp": [0, 9]}]}, certificate)[0] == "malformed"
    assert kb.run(anyone, certificate)[0] == "rejected"


@pytest.mark.parametrize(
    ("post", "message"),
    [
        ([{"round": {"to": 0}}], "not positive"), ([{"floor": {"to": "-1/2"}}], "not positive"),
        ([{"ceil": {"to": 0}}], "not positive"), ([{"modulo": "-1/2"}], "not positive"),
        ([{"bins": {"edges": [1, 1]}}], "increase"), ([{"bins": {"edges": []}}], "increase"),
        ([{"bins": {"edges": [1]}}, {"clamp": [0, 1]}], "nothing follows bins"),
        ([{"bins": {"edges": [1]}}, {"clamp": [0, 1]}, {"clamp": [0, 1]}], "nothing follows bins"),
    ],
)  # fmt: skip
def test_steps_that_make_no_sense_are_refused_as_they_are_read(post: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        steps.steps_of(post)
