"""Systems that release a histogram, or several numbers: joint laws against all outcomes."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Laplace, Problem, calibrate, certify
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.repeated import Repeated
from pfverify.model.systems.points import PointCrowd, added_points
from pfverify.model.systems.system import System

CELLS = ["a", "b", "c"]
THREE = {"mass": {"a": "1/2", "b": "3/10", "c": "1/5"}}
TWO = {"x": {"point": "a"}, "y": {"point": "b"}}
HISTOGRAM: dict[str, Any] = {"release": "histogram", "categories": CELLS}
VALUES = {"u": {"point": 1}, "v": "absent"}


def problem(system: System, **more: Any) -> Problem:
    return Problem(system=system, **{"noise": Laplace(1), "epsilon": 1, **more})


def law(system: System, secret: str) -> Joint:
    found = problem(system).beliefs["default"][secret]
    assert isinstance(found, Joint)
    return found


@st.composite
def users(draw: Any, values: list[Any]) -> dict[Any, Fraction]:
    atoms = draw(st.lists(st.sampled_from(values), min_size=1, max_size=3, unique=True))
    weights = [draw(st.integers(1, 5)) for _ in atoms]
    return {x: Fraction(w, sum(weights)) for x, w in zip(atoms, weights, strict=True)}


RELEASES: list[Any] = ["histogram", ["sum", "count"], ["count", "mean"], ["mean", "sum", "count"]]
NUMBERS = [Fraction(x) for x in ("-2", "-1/3", "0", "1/2", "3")]
SEEN = {"mixed": 0, "any": 0, "histogram": 0, "list": 0}


def added(release: Any, value: Any, size: int) -> tuple[Fraction, ...]:
    """What somebody who is there adds."""
    if release == "histogram":
        return tuple(Fraction(value == cell) for cell in CELLS)
    each = {"sum": value, "mean": value and value / size, "count": Fraction(1)}
    return tuple(each[name] for name in release)


@settings(deadline=None, max_examples=40, derandomize=True, database=None)
@given(st.data(), st.sampled_from(RELEASES), st.booleans(), st.booleans())
def priors_are_those_of_all_outcomes(data: Any, release: Any, mixed: bool, unknown: bool) -> None:
    values = CELLS if release == "histogram" else NUMBERS
    crowd = data.draw(st.lists(
        st.tuples(users(values), st.sampled_from([Fraction(1), Fraction(2, 3)])), max_size=3
    ))  # fmt: skip
    user = data.draw(users(values))
    cells = {"categories": CELLS} if release == "histogram" else {}
    system = System(
        others=[{"mass": {str(x): str(m) for x, m in own.items()}, "presence": str(z)}
                for own, z in crowd],
        user={"P": {"mass": {str(x): str(m) for x, m in user.items()}}, "absent": "absent"},
        presence_model="independent" if mixed else "all", rest="any" if unknown else "known",
        release=release, **cells,
    )  # fmt: skip
    names = tuple(CELLS) if cells else tuple(release)
    nothing, size = tuple([Fraction(0)] * len(names)), len(crowd) + 1
    choices = [[(added(release, x, size), m * (z if mixed else 1)) for x, m in own.items()]
               + [(nothing, 1 - z)] * mixed for own, z in crowd]  # fmt: skip
    protected = {"P": [(added(release, x, size), m) for x, m in user.items()],
                 "absent": [(nothing, Fraction(1))]}  # fmt: skip
    for name, own in protected.items():
        table: dict[tuple[Fraction, ...], Fraction] = {}
        for outcome in product(own, *([] if unknown else choices)):
            point = tuple(map(sum, zip(*(x for x, _ in outcome), strict=True)))
            chance = Fraction(1)
            for _, m in outcome:
                chance *= m
            table[point] = table.get(point, Fraction(0)) + chance
        found = law(system, name)
        assert found.names == names
        assert found.mass == {x: m for x, m in sorted(table.items()) if m}
    assert Problem.from_text(problem(system).to_toml()) == problem(system)
    for key, case in (("mixed", mixed), ("any", unknown), ("histogram", bool(cells)),
                      ("list", not cells)):  # fmt: skip
        SEEN[key] += case


def test_priors_are_those_of_all_outcomes() -> None:
    SEEN.update(dict.fromkeys(SEEN, 0))
    priors_are_those_of_all_outcomes()
    assert min(SEEN.values()) >= 2


def test_many_alike_are_multinomial() -> None:
    system = System(others=[THREE | {"count": 19}], user=TWO, **HISTOGRAM)
    p, q, r = Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)
    assert law(system, "x").mass == {
        (Fraction(i + 1), Fraction(j), Fraction(19 - i - j)):
            comb(19, i) * comb(19 - i, j) * p**i * q**j * r ** (19 - i - j)
        for i in range(20) for j in range(20 - i)
    }  # fmt: skip
    assert law(system, "x").one(1) == Discrete({
        j: comb(19, j) * q**j * (1 - q) ** (19 - j) for j in range(20)
    })  # fmt: skip


def test_each_user_in_turn() -> None:
    """As that user before the others, whoever it is; who leaves is divided out."""
    crowd = [THREE | {"count": 2}, {"counts": {"c": 1, "a": 3}, "presence": "1/2"}]
    for model in ("all", "independent"):
        each = System(others=crowd, protect="each", pair_set="values-absent",
                      presence_model=model, **HISTOGRAM)  # fmt: skip
        found = problem(each)
        assert [a for a, _ in found.pairs] == [
            *(f"users 1 to 2 = {x}" for x in CELLS), "user 3 = a", "user 3 = c",
        ]  # fmt: skip
        alone = System(others=[THREE, crowd[1]], presence_model=model,
                       user={"b": {"point": "b"}, "no": "absent"}, **HISTOGRAM)  # fmt: skip
        for mine, theirs in (("= b", "b"), ("absent", "no")):
            assert found.beliefs["default"][f"users 1 to 2 {mine}"] == law(alone, theirs)
    with pytest.raises(InputError, match="no user"):
        PointCrowd([], [added_points(Finite({"a": 1}), CELLS, 1)]).sum(
            without=added_points(Finite({"a": 1}), CELLS, 1)
        )


def test_who_adds_0_is_counted_and_who_is_absent_is_not() -> None:
    """Also after a copy: nothing goes by which object a law is."""
    system = System(user={"zero": {"point": 0}, "no": "absent"}, release=["sum", "count"])
    for one in (system, pickle.loads(pickle.dumps(system))):
        assert [*law(one, "zero").mass] == [(0, 1)]
        assert [*law(one, "no").mass] == [(0, 0)]


def test_a_move_between_cells_costs_both_and_absence_one() -> None:
    system = System(others=[THREE | {"count": 7}], user=TWO | {"no": "absent"}, **HISTOGRAM)
    for rest in (system, system.for_any_rest()):
        found = certify(problem(rest, noise=Laplace(2)))
        assert found.certified
        losses = {(one.from_, one.to): one.loss.upper for one in found.pairs}
        assert losses["x", "y"] == 1
        assert losses["x", "no"] - Fraction(1, 2) <= Fraction(1, 10**12)
        assert calibrate(problem(system.for_any_rest()), digits=3).minimum.upper == 2
    assert certify(problem(system, noise=DiscreteLaplace("3/2", 1), epsilon="1/2")).refuted


def test_values_far_apart_and_certain_ones() -> None:
    far = System(others=[{"mass": {0: "1/2", 10**30: "1/2"}, "count": 2}], user=VALUES,
                 release=["sum", "count"])  # fmt: skip
    assert [*law(far, "u").mass] == [(1 + k * 10**30, 3) for k in range(3)]
    sure = System(others=[{"point": "1/3", "count": 10**8}], user=VALUES, release=["count", "mean"])
    assert [*law(sure, "v").mass] == [(10**8, Fraction(10**8, 3 * (10**8 + 1)))]


def test_the_digest_is_of_what_is_released() -> None:
    base: dict[str, Any] = {"others": [THREE], "user": TWO, **HISTOGRAM}
    changes: list[dict[str, Any]] = [{}, {"categories": [*CELLS, "d"]}, {"others": []}]
    found = {problem_digest(problem(System(**(base | change)))) for change in changes}
    values: dict[str, Any] = {"user": VALUES, "others": [{"point": 0}]}
    lists = (["sum", "count"], ["count", "sum"], ["mean", "count"])
    found |= {problem_digest(problem(System(release=x, **values))) for x in lists}
    assert len(found) == 6
    given = Finite(counts={"c": 2, "b": 3, "a": 5})
    same = System(others=[given], **{k: v for k, v in base.items() if k != "others"})
    assert problem(same) == problem(System(**base))


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"user": TWO, "release": "histogram"}, "categories: they are the cells"),
        ({"user": VALUES, "categories": CELLS}, "categories: they are the cells"),
        ({"user": TWO, **HISTOGRAM, "categories": ["a", "b", "a"]}, "categories: a name occurs"),
        ({"user": TWO, **HISTOGRAM, "categories": [*map(str, range(1001))]},
         "categories: 1001 of them, expected 1 to 1000"),
        ({"user": TWO | {"z": {"point": "z"}}, **HISTOGRAM}, "user.z: 'z' is none of the cat"),
        ({"user": TWO | {"z": {"bernoulli": "1/2"}}, **HISTOGRAM}, "z: a law over categories is"),
        ({"user": TWO | {"z": {"point": "a", "mass": {}}}, **HISTOGRAM}, "got point and mass"),
        ({"user": TWO | {"z": {"mass": {"a": "1/2"}}}, **HISTOGRAM}, "z: the masses sum to 1/2"),
        ({"user": TWO | {"z": Discrete({0: 1})}, **HISTOGRAM}, "user.z: unknown key 'law'"),
        ({"user": VALUES, "release": ["sum"]}, "release: a list of one"),
        ({"user": VALUES, "release": ["sum", "sum"]}, "release: a name occurs twice"),
        ({"user": VALUES, "release": ["sum", "max"]}, "release: 'max' in a list is unknown"),
        ({"user": VALUES, "release": ["sum", "histogram"]}, "'histogram' in a list is unknown"),
        ({"user": VALUES, "release": 3}, "'3' is unknown, expected sum or mean or histogram"),
        ({"user": VALUES | {"z": {"mean": 0, "sd": 1}}, "release": ["sum", "count"]},
         "user.z: the law has a density"),
        ({"others": [THREE | {"count": 400}], "user": TWO, **HISTOGRAM},
         "the joint law of a, b, c over 401 users has up to 81003 points, more than 65536; rest ="),
        ({"others": [{"mass": {0: "1/2", 1: "1/2"}, "count": 50000, "presence": "1/2"}],
          "presence_model": "independent", "user": VALUES, "release": ["sum", "count"]},
         "has up to 1250125003 points"),
    ],
)  # fmt: skip
def test_what_is_refused(table: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError) as caught:
        next(problem(System(**table)).questions())
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"noise": Laplace(1), "post": [{"clamp": [0, 1]}]}, "coordinate: missing"),
        ({"noise": Laplace(1), "pre": [{"clamp": [0, 1]}]}, "several: sum, count"),
        ({"noise": Laplace(1), "form": "pointwise", "delta": "1/9"}, "not closed under post-proc"),
    ],
)
def test_what_does_not_go_with_several_numbers(more: dict[str, Any], why: str) -> None:
    system = System(user=VALUES, release=["sum", "count"])
    with pytest.raises(InputError, match=why):
        problem(system, **more)


@pytest.mark.parametrize("noise", [
    Coordinates(Laplace(1), [2, 4]), Repeated(Laplace(4), count=2), Laplace("4/3"),
])  # fmt: skip
def test_an_unknown_rest_decides_by_the_user_alone(noise: Any) -> None:
    """Also under scales by coordinate and many releases, which are X + noise each."""
    user = {"a": {"mass": {0: "1/2", 2: "1/2"}}, "b": "absent"}
    system = System(others=[{"bernoulli": "1/3"}], user=user, release=["sum", "count"])
    known, unknown = (certify(problem(s, noise=noise)) for s in (system, system.for_any_rest()))
    alone = certify(problem(System(user=user, release=["sum", "count"]), noise=noise))
    for one, other, most in zip(*(x.pairs for x in (known, alone, unknown)), strict=True):
        assert other.loss == most.loss
        assert one.loss.lower <= most.loss.upper
