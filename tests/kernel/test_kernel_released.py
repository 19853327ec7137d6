"""What the kernel reads of a channel that releases: dummies, laws of inputs, and refusals."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.grammar import Malformed
from reader import combined, released

HALF = Fraction(1, 2)
MATRIX = {
    "kind": "matrix", "inputs": ["a", "b"], "outputs": ["x", "y", "z"],
    "rows": [["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]],
}  # fmt: skip


def tupling(**more: Any) -> dict[str, Any]:
    return {"channel": {"kind": "tupling", "base": MATRIX, "dummies": 3, **more}}


def test_an_output_that_the_dummies_leave_out_has_mass_0() -> None:
    found = released.release(tupling(dummy={"x": "1/3", "z": "2/3"}))
    assert found.hidden == (3, (Fraction(1, 3), Fraction(0), Fraction(2, 3)))
    assert released.release(tupling()).hidden == (3, (Fraction(1, 3),) * 3)


@pytest.mark.parametrize("dummies", [0, 10_001])
def test_a_number_of_dummies_that_there_is_not(dummies: int) -> None:
    with pytest.raises(Malformed, match="dummies"):
        released.release(tupling(dummies=dummies))


def test_so_many_dummies_there_may_be() -> None:
    for dummies in (1, 10_000):
        found = released.release(tupling(dummies=dummies)).hidden
        assert found is not None
        assert found[0] == dummies


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"kind": "discrete", "mass": {"a": 1}}, "needs priors of kind finite"),
        ({"mass": {"a": 1}}, "needs priors of kind finite"),
        (["finite"], "needs priors of kind finite"),
        ("finite", "needs priors of kind finite"),
        ({"kind": "finite", "mass": {"c": 1}}, "no input 'c'|no input \"c\""),
    ],
)
def test_what_is_no_law_of_an_input(value: Any, said: str) -> None:
    channel = released.release({"channel": MATRIX})
    with pytest.raises(Malformed, match=said):
        channel.law(value, "here")


def test_the_law_of_an_input_is_in_the_order_of_the_inputs() -> None:
    channel = released.release({"channel": MATRIX})
    found = channel.law({"kind": "finite", "mass": {"b": "1/2", "a": "1/2"}}, "here")
    assert list(found.items()) == [("a", HALF), ("b", HALF)]


def test_every_input_is_in_some_prior() -> None:
    channel = released.release({"channel": MATRIX})
    only_a = {"s": {"a": Fraction(1)}}
    with pytest.raises(Malformed, match=r"the input .b. is in no prior"):
        channel.laws({"one": only_a, "two": only_a}, [])
    both = channel.laws({"one": only_a, "two": {"t": {"b": Fraction(1)}}}, [])
    assert [list(laws) for laws in both.values()] == [["s"], ["t"]]
    assert both["two"]["t"].names == ("x", "y", "z")


@pytest.mark.parametrize("pairs", [[["a", "c"]], [["a", "b"], ["c", "b"]], [["a", 1]], [3], "a"])
def test_pairs_of_inputs_that_there_are_not(pairs: Any) -> None:
    channel = released.release({"channel": MATRIX})
    with pytest.raises(Malformed):
        released.source({"channel": {"inputs_related": pairs}}, channel)


def test_laws_are_the_same_whether_they_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    channel = released.release({"channel": MATRIX})
    priors = {"s": {"a": HALF, "b": HALF}, "t": {"a": Fraction(1)}, "u": {"b": Fraction(1)}}
    rows = dict(zip(channel.channel.inputs, channel.channel.laws, strict=True))
    whole = combined.lifted(rows, channel.channel.outputs, priors)
    first = {name: whole[name] for name in priors}
    assert all(whole[name] is first[name] for name in priors)
    monkeypatch.setattr(combined, "KEPT", 6)  # two laws of three outputs
    few = combined.lifted(rows, channel.channel.outputs, priors)
    kept = {name: few[name] for name in ("s", "t")}
    assert all(few[name] is kept[name] for name in kept)
    assert few["u"] == first["u"]
    assert few["s"] is not kept["s"]
    assert few["s"] == first["s"]


def test_the_words_of_a_channel() -> None:
    notion: Any = SimpleNamespace(words=lambda: "the notion")
    found = released.release({"channel": MATRIX})
    assert found.words(notion) == "channel=matrix the notion"
    steps = ({"round": "1"}, {"clip": ["0", "1"]})
    assert found._replace(post=steps).words(notion) == "channel=matrix the notion post=round,clip"
