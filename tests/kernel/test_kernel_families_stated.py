"""Families as they are stated: what each of their tables says, and what none does."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from core.grammar import Malformed
from core.spread import Spread
from reader import families_stated
from reader.coverage import UNIT, interval
from reader.families_stated import FAMILY_KINDS, Stated, known, laid_out, own_places, rows_of
from reader.priors import FAMILIES
from reader.regions import Box, Listed, Moved, Near

F = Fraction
Table = dict[str, Any]
HALF = F(1, 2)
LEVEL = F(1, 20)


def refusal(read: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(Malformed) as refused:
        read(*arguments)
    return str(refused.value)


def family(kind: str, **stated: Any) -> Stated:
    return Stated({"kind": kind, **stated}, None, "it", False)


def inputs(kind: str, **stated: Any) -> Stated:
    return Stated({"kind": kind, **stated}, None, "it", True)


def law(masses: dict[Any, Fraction], **stated: Any) -> Stated:
    return Stated({"kind": "discrete", **stated}, masses, "it", False)


def region(one: Stated, *every: int, share: Fraction = LEVEL) -> Any:
    places = laid_out(one, [F(x) for x in every])
    return FAMILY_KINDS[one.kind].region(one, places, share)


def test_every_kind_is_read() -> None:
    assert FAMILY_KINDS.keys() == FAMILIES


# ---------------------------------------------------------------- the tables


def test_places_are_numbers_or_inputs() -> None:
    assert family("polytope").places(["1/2", 3, "0.25"]) == [HALF, 3, F(1, 4)]
    assert inputs("polytope").places(["b", "a", "1"]) == ["b", "a", "1"]
    different = "it: atoms must be different ones"
    assert refusal(family("polytope").places, ["1/2", "0.5"]) == different
    assert refusal(family("polytope").places, []) == different
    assert refusal(inputs("polytope").places, ["a", "b", "a"]) == different
    assert inputs("polytope").places(["1", "1.0"]) == ["1", "1.0"]
    assert refusal(family("polytope").places, ["exp(1)"]) == "it: an atom must be rational"
    assert refusal(inputs("polytope").places, [1]) == "it: an atom must be a string"


def test_tables_of_places() -> None:
    one = family("confidence", counts={"0": 2, "1/2": "3"}, level="0.9")
    assert one.counts() == {0: 2, HALF: 3}
    assert one.masses() == {0: F(2, 5), HALF: F(3, 5)}
    assert refusal(one.by_place, [1]) == "it: it must be a table of places"
    assert refusal(one.by_place, {"1": 1, "1.0": 2}) == "it: atoms must be different ones"
    assert family("tv-ball", mass={"1": 1, "2": 0}).masses() == {1: 1, 2: 0}
    both = family("tv-ball", mass={"1": 1}, counts={"1": 1})
    assert refusal(both.masses) == "it must have either counts or mass"
    assert refusal(family("tv-ball").masses) == "it must have either counts or mass"
    long = family("confidence", counts={"0": "exp(1)"})
    assert refusal(long.counts) == "it: a count must be rational"


def test_intervals() -> None:
    one = family("intervals", mass={"0": "1/3", "1": [0, 1], "2": ["1/4", "1/4"], "3": 0, "4": 1})
    assert one.spans() == {
        0: (F(1, 3), F(1, 3)), 1: (0, 1), 2: (F(1, 4), F(1, 4)), 3: (0, 0), 4: (1, 1)
    }  # fmt: skip
    for ends, said in (
        (["1/3"], "it: an interval has two ends"),
        ([0, 0, 1], "it: an interval has two ends"),
        ([], "it: an interval has two ends"),
        (["1/3", "1/4"], "it: an interval is not in [0, 1]"),
        (["-1/9", "1/4"], "it: an interval is not in [0, 1]"),
        (["0", "10/9"], "it: an interval is not in [0, 1]"),
        ("10/9", "it: an interval is not in [0, 1]"),
        (["exp(-1)", 1], "it: an end must be rational"),
    ):
        assert refusal(family("intervals", mass={"0": ends}).spans) == said


def test_constraints() -> None:
    weights = {"0": 1, "1/2": "-2/3"}
    rows = [
        {"weights": weights, side: k} for k, side in enumerate(("at-most", "at-least", "equal"))
    ]
    assert family("polytope", constraints=rows).constraints() == [
        (side, k, {0: 1, HALF: F(-2, 3)}) for k, side in enumerate(("at-most", "at-least", "equal"))
    ]
    for row, said in (
        ({"weights": weights}, "it: a constraint has weights and one side"),
        ({"weights": weights, "equal": 1, "at-most": 1},
         "it: a constraint has weights and one side"),
        ({"equal": 1}, 'it: a constraint lacks "weights"'),
        ({"weights": weights, "less": 1},
         'it: a constraint has the key "less", not supported by this kernel'),
        ({"weights": {"0": "exp(1)"}, "equal": 1}, "it: a weight must be rational"),
        ({"weights": weights, "equal": "exp(1)"}, "it: equal must be rational"),
        ({"weights": [1], "equal": 1}, "it: it must be a table of places"),
    ):  # fmt: skip
        assert refusal(family("polytope", constraints=[row]).constraints) == said
    assert refusal(family("polytope", constraints={}).constraints) == "constraints must be an array"


def test_alphabets_and_listed_laws() -> None:
    assert family("tv-ball").alphabet is None
    assert family("tv-ball", alphabet=["2", 1]).alphabet == [2, 1]
    with pytest.raises(Malformed, match=r"^it: alphabet must be an array$"):
        _ = family("tv-ball", alphabet={"1": 1}).alphabet
    with pytest.raises(Malformed, match=r"^it: atoms must be different ones$"):
        _ = family("tv-ball", alphabet=[]).alphabet
    laws = family("any-of", laws=[{"0": 1}, {"1": "1/2", "2": "1/2"}])
    assert laws.laws() == [{0: 1}, {1: HALF, 2: HALF}]
    assert own_places(laws) == [0, 1, 2]
    assert refusal(family("any-of", laws={}).laws) == "it: laws must be an array"
    assert refusal(family("any-of", laws=[{"0": "1/2"}]).laws) == (
        'it: a law: the weights sum to "1/2"'
    )


# ---------------------------------------------------------------- places


def test_the_places_of_a_law_are_those_that_are_written() -> None:
    """In order, with those of mass 0."""
    some = {F(1): HALF, F(3): HALF}
    assert own_places(law(some, mass={"3": "1/2", "1": "1/2"})) == [1, 3]
    more = law(some, mass={"3": "1/2", "2": 0, "1": "1/2", "-1": 0})
    assert own_places(more) == [-1, 1, 2, 3]
    assert families_stated.written(more) == {-1: 0, 1: HALF, 2: 0, 3: HALF}
    assert [*families_stated.written(more)] == [-1, 1, 2, 3]
    assert rows_of(more) == [["-1", "0"], ["1", "1/2"], ["2", "0"], ["3", "1/2"]]
    counted = law(some, counts={"3": 5, "2": 0, "1": 5})
    assert families_stated.written(counted) == {1: HALF, 2: 0, 3: HALF}
    assert families_stated.written(law(some)) == some
    assert law(some).kind == ""
    named = Stated({"kind": "finite", "mass": {"b": 1, "a": 0}}, {"a": F(0), "b": F(1)}, "it", True)
    assert rows_of(named) == [["a", "0"], ["b", "1"]]


def test_the_places_of_families() -> None:
    every = [F(x) for x in (0, 1, 2, 3)]
    spans = family("intervals", mass={"3": [0, 1], "1": [0, 1]})
    assert own_places(spans) == [3, 1]
    assert laid_out(spans, every) == [1, 3]
    ball = family("tv-ball", mass={"1": 1}, radius="1/2")
    assert own_places(ball) == [1]
    assert laid_out(ball, every) == every
    around = family("tv-ball", mass={"1": 1}, radius="1/2", alphabet=[2, 1])
    assert own_places(around) == [2, 1]
    assert laid_out(around, every) == [1, 2]
    outside = family("tv-ball", mass={"1": 1}, radius="1/2", alphabet=[2, 3])
    assert refusal(laid_out, outside, every) == "it: an atom is not in the alphabet"
    zero = family("tv-ball", mass={"1": 1, "0": 0}, radius="1/2", alphabet=[1, 3])
    assert refusal(laid_out, zero, every) == "it: an atom is not in the alphabet"
    cut = family("polytope", alphabet=["3", "0"], constraints=[])
    assert own_places(cut) == [3, 0]
    assert laid_out(cut, every) == [0, 3]


# ---------------------------------------------------------------- regions


def test_a_box_of_intervals_has_a_law() -> None:
    no_law = "it: no masses in the intervals sum to 1"
    for first, second, said in (
        (["1/4", "1/2"], ["1/2", "3/4"], None),
        (["1/4", "1/2"], ["1/3", "1/2"], None),  # at most 1 exactly
        (["1/2", "3/4"], ["1/2", "2/3"], None),  # at least 1 exactly
        (["1/4", "1/2"], ["1/3", "49/100"], no_law),
        (["1/2", "3/4"], ["51/100", "2/3"], no_law),
    ):
        one = family("intervals", mass={"0": first, "1": second})
        if said:
            assert refusal(region, one, 0, 1) == said
        else:
            box = region(one, 0, 1)
            assert [F(m, box.whole) for m in box.low] == [F(first[0]), F(second[0])]
            assert [F(m, box.whole) for m in box.high] == [F(first[1]), F(second[1])]


def test_the_intervals_of_counted_places() -> None:
    """Of two places that of the second one, and its complement; of more one of each."""
    share = F(1, 7)
    one = family("confidence", counts={"0": 3, "1": 17}, level="0.9")
    low, high = interval(20, 17, share)
    assert region(one, 0, 1, share=share) == Box([UNIT - high, low], [UNIT - low, high], UNIT)
    found = region(one, 0, 1, 2, share=share)
    ends = [interval(20, k, share) for k in (3, 17, 0)]
    assert found == Box([low for low, _ in ends], [high for _, high in ends], UNIT)
    assert region(family("confidence", counts={"4": 9}, level=0), 4) == Box([UNIT], [UNIT], UNIT)
    (second,) = [interval(9, 0, share)]
    one = family("confidence", counts={"4": 9}, level="0.9")  # beside a place without records
    assert region(one, 4, 5, share=share) == Box(
        [UNIT - second[1], second[0]], [UNIT - second[0], second[1]], UNIT
    )


def test_balls() -> None:
    mass = {"0": "1/2", "3": "1/2"}
    assert region(family("tv-ball", mass=mass, radius="1/3"), 0, 1, 3) == Near((3, 0, 3), 2, 6)
    for radius in ("1", "11/10", 5):  # no two laws are further from each other
        assert region(family("tv-ball", mass=mass, radius=radius), 0, 3) == Near((1, 1), 2, 2)
    assert region(family("tv-ball", mass=mass, radius=0), 0, 3) == Near((1, 1), 0, 2)
    moved = family("winf-ball", mass=mass, radius=2, alphabet=[0, 1, 2, 3, 6])
    near = [[0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3], [1, 2, 3], [4]]
    assert region(moved, 0, 1, 2, 3, 6) == Moved((1, 0, 0, 1, 0), near, 2)
    for kind in ("tv-ball", "winf-ball"):
        negative = family(kind, mass=mass, radius="-1/9")
        assert refusal(region, negative, 0, 3) == "it: a negative radius"
        assert refusal(region, family(kind, mass=mass, radius="exp(1)"), 0, 3) == (
            "it: radius must be rational"
        )
    no_line = "inputs have no distance on the line"
    for pair in (("a", F(1)), (F(1), "a"), ("a", "a")):
        assert refusal(families_stated.far, *pair) == no_line
    assert families_stated.far(F(1), F(3)) == families_stated.far(F(3), F(1)) == 2


def test_listed_laws_and_polytopes() -> None:
    two = family("any-of", laws=[{"0": "1/2", "1": "1/2"}, {"2": 1}])
    assert region(two, 0, 1, 2) == Listed([(1, 1, 0), (0, 0, 2)], 2)
    one = family("any-of", laws=[{"0": "1/3", "1": "2/3"}])
    assert region(one, 0, 1) == Box((1, 2), (1, 2), 3)
    weights = {"1": 1}
    for side, laws in (
        ("at-most", {(1, 0), (F(3, 4), F(1, 4))}),
        ("at-least", {(0, 1), (F(3, 4), F(1, 4))}),
        ("equal", {(F(3, 4), F(1, 4))}),
    ):
        cut = family("polytope", alphabet=[0, 1], constraints=[{"weights": weights, side: "1/4"}])
        found = region(cut, 0, 1)
        corners = found.laws if isinstance(found, Listed) else [found.low]
        assert {tuple(F(m, found.whole) for m in corner) for corner in corners} == laws
    bad = family("polytope", alphabet=[0, 1], constraints=[{"weights": {"2": 1}, "equal": 1}])
    assert refusal(region, bad, 0, 1) == "it: a weight of no atom of the alphabet"


# ---------------------------------------------------------------- one law, digests


def test_a_ball_on_the_whole_line() -> None:
    stated = {"mass": {"3": "1/2", "2": 0, "-1": "1/2"}, "radius": "1/4"}
    found = known(family("winf-ball", **stated))
    assert isinstance(found, Spread)
    assert found == Spread({F(-1): HALF, F(3): HALF}, F(1, 4))
    law = known(family("winf-ball", **{**stated, "radius": 0}))
    assert law == {-1: HALF, 3: HALF}
    assert [*law] == [-1, 3]
    assert known(family("winf-ball", **stated, alphabet=[-1, 2, 3])) is None
    assert known(family("tv-ball", **stated)) is None
    assert known(Stated({"kind": "discrete"}, {F(1): F(1)}, "it", False)) == {1: 1}
    assert refusal(known, family("winf-ball", **{**stated, "radius": "-1/4"})) == (
        "it: a negative radius"
    )
    assert refusal(known, inputs("winf-ball", mass={"a": 1}, radius=1)) == (
        "inputs have no distance on the line"
    )


def test_rows_of_a_digest() -> None:
    for one, rows in (
        (family("intervals", mass={"1": ["0.5", 1], "0": "1/3"}),
         [["intervals"], ["1", "1/2", "1"], ["0", "1/3", "1/3"]]),
        (family("any-of", laws=[{"1": 1}, {"0": "0.5", "2": "1/2"}]),
         [["any-of"], ["1", "1"], ["0", "1/2", "2", "1/2"]]),
        (family("polytope", alphabet=[1, "0"], constraints=[{"weights": {"0": 2}, "equal": "0.5"}]),
         [["polytope", "1", "0"], ["equal", "1/2", "0", "2"]]),
        (family("confidence", counts={"1": 3, "0": 4}, level="0.95", alphabet=[0, 1, 2]),
         [["confidence", "19/20"], ["1", "3"], ["0", "4"], ["0"], ["1"], ["2"]]),
        (family("confidence", counts={"1": 3}, level=0), [["confidence", "0"], ["1", "3"]]),
        (family("tv-ball", counts={"1": 3, "0": 1}, radius="0.1"),
         [["tv-ball", "1/10"], ["1", "3/4"], ["0", "1/4"]]),
        (family("winf-ball", mass={"1": 1}, radius=2, alphabet=[1, 2]),
         [["winf-ball", "2"], ["1", "1"], ["1"], ["2"]]),
        (inputs("tv-ball", mass={"a": 1}, radius=0, alphabet=["b", "a"]),
         [["tv-ball", "0"], ["a", "1"], ["b"], ["a"]]),
    ):  # fmt: skip
        assert rows_of(one) == rows


def test_the_prior_of_a_table() -> None:
    """A family by its kind; all else is a law, as the release reads it."""
    laws: dict[str, Any] = {"discrete": {F(1): F(1)}, "finite": {"a": F(1)}, "gaussian": object()}
    release: Any = SimpleNamespace(law=lambda value, what: laws[value["kind"]])

    def read(value: Any, *names: str) -> Stated:
        return families_stated.stated_prior(value, release, "it", names)

    ball = {"kind": "tv-ball", "mass": {"1": 1}, "radius": 0}
    assert read(ball) == Stated(ball, None, "it", False)
    assert read(ball, "a") == Stated(ball, None, "it", True)
    assert read({"kind": "discrete"}) == Stated({"kind": "discrete"}, {1: 1}, "it", False)
    assert read({"kind": "finite"}, "a") == Stated({"kind": "finite"}, {"a": 1}, "it", True)
    only_atoms = "it: beside families priors are of atoms"
    assert refusal(read, {"kind": "finite"}) == only_atoms
    assert refusal(read, {"kind": "discrete"}, "a") == only_atoms
    assert refusal(read, {"kind": "gaussian"}) == only_atoms
    assert (
        refusal(read, {**ball, "more": 1}) == 'it has the key "more", not supported by this kernel'
    )
    assert refusal(read, {"kind": "tv-ball"}) == 'it lacks "radius"'
    laws["any-of"] = {F(1): F(1)}
    keys = {"intervals": "mass", "confidence": "counts level", "polytope": "alphabet constraints",
            "tv-ball": "radius", "winf-ball": "radius", "any-of": "laws"}  # fmt: skip
    for kind, required in keys.items():
        assert FAMILY_KINDS[kind].required == {"kind", *required.split()}


def test_places_in_order() -> None:
    assert families_stated.in_order({F(3), F(-1, 2), F(1)}) == [F(-1, 2), 1, 3]
    assert families_stated.in_order({"a", F(3), "b", F(1)}) == [1, 3]
