"""What is stated of several releases: their one release, their words, and what stands for them."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import kernel_builder as kb  # noqa: F401  (the kernel's path)
import pytest
from core.grammar import Malformed, canonical, shown
from core.rules import Rejected
from reader import several
from reader.noise import Noise
from reader.several import Several, release

F = Fraction
USUAL: Any = SimpleNamespace(name="distp")
OTHER: Any = SimpleNamespace(name="xdistp", words=lambda: "notion=xdistp metric=winf")


def of(noise: dict[str, Any], **more: Any) -> Several:
    return release({"noise": {"kind": "laplace", **noise}, **more})


SAME, FRESH = {"scale": 2, "releases": 3}, {"scale": 2, "releases": 3, "draws": "fresh"}
LISTED, EACH = {"scales": [1, 2, 1]}, {"scale": [3, 1, 2]}


@pytest.mark.parametrize("scales", [[1, 2], [1, 2, 3], [1, 2, 3, 5], [7, 1, 2, 3, 5], [2, 2, 3],
                                    [1, 2, 3, 4, 5, 6, 7]])  # fmt: skip
def test_the_one_release_of_all(scales: list[int]) -> None:
    assert of({"scales": scales}).one.amount == 1 / sum(F(1, x) for x in scales)
    assert of({"scales": scales}).size == len(scales)
    assert of({"scales": scales}).first.amount == scales[0]


def test_one_release_is_that_one() -> None:
    assert canonical(of({"scale": "exp(1)", "releases": 1}).one.amount or F(0)) == "exp(1)"


def test_what_is_not_stated() -> None:
    found: Any = of(SAME)
    assert (found.delta, found.total, found.amount) == (0, 0, 2)
    assert of(SAME, delta="1/4").delta == F(1, 4)
    assert of({"total": 3}).total == 3


def test_scales_of_coordinates() -> None:
    found: Any = of(EACH)
    assert (found.first.amount, found.each) == (3, (3, 1, 2))
    assert found.one.amount == 3
    for places, each in (([1], ()), ([2, 0], (2, 3)), ([0, 1, 2], (3, 1, 2))):
        some = found.coordinates(places, F(1, 2))
        first = found.each[places[0]]
        assert (some.amount, some.first.amount, some.each) == (first, first, each)
        assert (some.size, some.delta) == (1, F(1, 2))
    moved = found.at(F(6))
    assert isinstance(moved, Noise)
    assert (moved.amount, moved.each) == (F(6), (F(6), F(2), F(4)))


def test_other_amounts_keep_the_ratios() -> None:
    found = of({"scales": ["exp(1)", "2*exp(1)"], "draws": "fresh"}).at(F(3))
    assert isinstance(found, Several)
    assert [noise.amount for noise, _ in found.parts] == [3, 6]
    with pytest.raises(Rejected, match="no rational ratio"):
        of({"scales": ["exp(1)", 2], "draws": "fresh"}).at(F(3))


def test_a_list_is_not_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several, "MOST", 3)
    assert of(LISTED).size == 3
    with pytest.raises(Malformed, match="scales must be 1 to 3"):
        of({"scales": [1] * 4})
    with pytest.raises(Malformed, match="scales must be 1 to 3"):
        of({"scales": []})


@pytest.mark.parametrize(
    ("noise", "delta", "facts"),
    [
        (EACH, 0, {"F44"}), (SAME, 0, set()), (SAME, "1/2", {"F44"}), (FRESH, 0, {"F44"}),
        ({"total": 2}, "1/2", set()), ({"total": 2}, 0, set()),
        ({"scale": [1]}, "1/2", {"F44"}),
    ],
)  # fmt: skip
def test_where_more_of_all_noise_is_as_private(noise: Any, delta: Any, facts: set[str]) -> None:
    assert of(noise, delta=delta).rises == facts


@pytest.mark.parametrize(
    ("noise", "result", "words", "facts"),
    [
        (SAME, "certified", "3 releases, all of one X", {"F40"}),
        ({"scale": 0, "releases": 3}, "certified", "3 releases, all of one X", set()),
        (SAME, "scales", "3 releases, all of one X", {"F40"}),
        ({"scales": [2, 2]}, "scales", "2 releases, all of one X", {"F40"}),
        ({"scale": 1, "releases": 1}, "scales", "1 release, all of one X", {"F40"}),
        (FRESH, "refuted", "3 releases, each of a fresh draw of X", set()),
        (LISTED, "certified", "3 releases, all of one X", {"F40"}),
        (LISTED, "scales",
         "3 releases, all of one X, the other scales in proportion to the first", {"F40"}),
        (EACH, "scales", "one release, the other scales in proportion to the first", set()),
        (EACH, "refuted", "one release", set()),
        ({"total": 2}, "certified",
         "releases of one X, for every way to spend a total of 2", {"F40"}),
        ({"total": 2}, "refuted",
         "releases of one X, for the worst way to spend a total of 2", {"F40"}),
        ({"total": 2}, "scales",
         "releases of one X, for every way to spend a total of 1/scale", {"F40"}),
    ],
)  # fmt: skip
def test_how_many_there_are_in_words(noise: Any, result: str, words: str, facts: Any) -> None:
    assert of(noise).seen(result) == (words, facts)


def test_long_totals_are_cut() -> None:
    total = "1" * 80
    end = f"a total of {shown(total, 60)[1:-1]}"
    assert of({"total": total}).seen("certified")[0].endswith(end)


def test_whose_scale_is_sought() -> None:
    along = " for the first scale, the scales of all in the ratios "
    long = ["1" * 60, "2" * 60]
    for noise, ratios in (
        (LISTED, "1 : 2 : 1"), (EACH, "3 : 1 : 2"), ({"scales": long},
                                                     shown(" : ".join(long), 100)[1:-1]),
    ):  # fmt: skip
        assert of(noise).along == along + ratios
    assert of({"scales": [2, 2]}).along == ""
    assert of(SAME).along == ""


def test_the_words_of_releases() -> None:
    long = ["1" * 60, "2" * 60]
    for noise, words in (
        (SAME, "releases=3 draws=same"), (FRESH, "releases=3 draws=fresh"),
        (LISTED, "scales=1,2,1 draws=same"), (EACH, "by-coordinate=3,1,2"),
        ({"scales": long}, shown(f"scales={','.join(long)} draws=same", 100)[1:-1]),
        ({"total": 2}, "total=2"),
    ):  # fmt: skip
        assert of(noise).words(USUAL) == f"noise=laplace {words}"
        assert of(noise).words(OTHER) == f"noise=laplace {words} notion=xdistp metric=winf"
    gaussian = of({"kind": "gaussian", "scales": [1, 2]})
    assert gaussian.words(USUAL) == "noise=gaussian variances=1,4 draws=same"


# ---------------------------------------------------------------- noise of which none is for all


GAUSS: dict[str, Any] = {"kind": "discrete-gaussian", "step": 1}
CUT: dict[str, Any] = {"kind": "truncated-laplace", "bound": 3}
TABLE: dict[str, Any] = {"kind": "table", "weights": {"0": "1/2", "1": "1/2"}}
APART = [{**GAUSS, "scale": 2}, {**GAUSS, "variance": 4}, {**CUT, "scale": 2}, TABLE]


@pytest.mark.parametrize("noise", APART, ids=str)
@pytest.mark.parametrize("delta", [0, "1/2"])
def test_no_one_release_stands_for_these(noise: dict[str, Any], delta: Any) -> None:
    for draws, kind in (("same", "repeated"), ("fresh", "fresh")):
        found = of({**noise, "releases": 3, "draws": draws}, delta=delta)
        table = noise["kind"] == "table"
        at = found.at(found.amount)
        assert isinstance(at, Several)
        assert at.kind == ("drawn" if table and draws == "fresh" else kind)
        assert (at.size, len(at.parts), at.step) == (3, 1, found.step)
        assert at.first.kind == noise["kind"]
        of_draws = {"same": "all of one X", "fresh": "each of a fresh draw of X"}[draws]
        assert found.seen("certified") == (f"3 releases, {of_draws}", set())
        with pytest.raises(Malformed, match="no one release stands for several with such noise"):
            assert found.by
        with pytest.raises(Malformed, match="no other amount"):
            found.at(F(17))
        if table:
            assert (found.amount, found.also) == (None, found.first.also)
            assert found.also.startswith("exact draws")
        else:
            without = found.at(None)
            assert without.kind == ("drawn" if draws == "fresh" else "none")
            assert found.also == ""


def test_lists_of_their_scales() -> None:
    found = of({**GAUSS, "scales": [1, 2, 1]})
    at = found.at(found.amount)
    assert isinstance(at, Several)
    assert [(noise.amount, n) for noise, n in at.parts] == [(1, 2), (4, 1)]
    assert at.listed == (0, 1, 0)
    assert found.words(USUAL) == "noise=discrete-gaussian variances=1,4,1 draws=same"
    assert found.canonical(USUAL)["noise"]["scales"] == ["1", "4", "1"]
    found = of({**CUT, "scales": [1, 2]})
    assert found.words(USUAL) == "noise=truncated-laplace scales=1,2 draws=same"
    at = found.at(F(1))
    assert isinstance(at, Several)
    assert [noise.amount for noise, _ in at.parts] == [1, 2]
    assert found.canonical(USUAL)["noise"]["bound"] == "3"
    assert of({**TABLE, "releases": 2}).words(USUAL) == "noise=table releases=2 draws=same"


def test_laws_of_x_are_left_to_each_release() -> None:
    laws = {"b": {"s": {F(0): F(1)}}}
    for noise in (TABLE, {**CUT, "scale": 1}):
        assert of({**noise, "releases": 2}).laws(laws, []) is laws
    apart = {"b": {"s": {F(0): F(1, 2), F(1, 2): F(1, 2)}, "t": {F(0): F(1)}}}
    with pytest.raises(Malformed, match="multiples of the step"):
        of({**GAUSS, "scale": 1, "releases": 2}).laws(apart, [("s", "t")])


def test_noise_that_is_not_the_same_for_every_x() -> None:
    by = {"kind": "table", "by": {"0": {"0": 1}, "1": {"1": 1}}, "releases": 2}
    assert not of(by).first.same_for_all
    assert of({**TABLE, "releases": 2}).first.same_for_all
    assert of(SAME).first.same_for_all
    with pytest.raises(Malformed, match="does not depend on X"):
        of(by, system={"rest": "any"})
