"""The kernel's own number of a divergence of several outputs of one X, and what it refuses."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import kernel_builder as kb
import mpmath as mp
import pytest
from checker import check_bytes
from core import renyi_cells, renyi_outputs
from core.enclose import Arithmetic, Undecided
from core.grammar import Malformed
from core.work import checking
from core.zero import enclose_sum
from hypothesis import given, settings
from hypothesis import strategies as st
from reader import reader
from reader.goals import goals_of

Json = dict[str, Any]
LAWS = {"a": [[0, 0, "1/2"], [1, 2, "1/2"]], "b": [[0, 1, 1]]}
JOINT: Json = {
    name: {"kind": "joint", "names": ["x", "y"], "rows": rows} for name, rows in LAWS.items()
}
UNIFORM: Json = {str(k): "1/5" for k in range(5)}


def word(value: Json, result: str = "certified", steps: Any = None) -> tuple[str, str]:
    found = [kb.step("renyi"), kb.step("renyi", "b", "a")] if steps is None else steps
    certificate = json.dumps(
        kb.certificate(value, result, found), sort_keys=True, separators=(",", ":")
    )
    return check_bytes(json.dumps(value).encode(), True, certificate.encode())


def moments(value: Json) -> list[Any]:
    problem = reader.problem_of(value)
    with checking(10**6) as check:
        goals = [*goals_of(problem, problem.release.at(problem.release.amount), check)]
    return [goal.kind.load_moment()(goal) for goal in goals]


def ends(x: Any) -> tuple[Fraction, Fraction]:
    low, high, e = x
    return Fraction(low) * Fraction(2) ** e, Fraction(high) * Fraction(2) ** e


def stated(noise: Json, epsilon: str = "1", order: str = "2", priors: Json = JOINT) -> Json:
    return {"schema": "pfverify/problem/1", "form": "renyi", "order": order, "epsilon": epsilon,
            "noise": noise, "priors": priors}  # fmt: skip


def atoms(p: Json, q: Json) -> Json:
    return {"a": {"kind": "discrete", "mass": p}, "b": {"kind": "discrete", "mass": q}}


whole_powers = st.dictionaries(st.integers(-4, 4), st.integers(1, 3), min_size=1, max_size=3)


@settings(max_examples=25, deadline=None)
@given(whole_powers, st.sampled_from(["1/2", "1", "3"]), st.booleans())
def test_what_an_output_tells_of_points_by_quadrature(
    powers: Any, scale: str, on_lattice: bool
) -> None:
    """Of K_x to its power for each x, and K_0 to 1 - a."""
    a, width = sum(powers.values()), mp.mpf(Fraction(scale).numerator) / Fraction(scale).denominator
    rate = frozenset({(("one",), 1 / Fraction(scale))})
    output = renyi_outputs.Laplace(0, 1, rate, Fraction(1) if on_lattice else None)
    at = {Fraction(x): Fraction(w) for x, w in powers.items()}
    with checking(10**6):
        low, high = ends(output.enclosed(at, Arithmetic(96)))
        slopes = [Fraction(s) for s in range(3, 2 * a, 2)]
        top, bottom = output.exact(at, slopes)
        ar = Arithmetic(192)
        one, other = ends(ar.div(enclose_sum(top, ar), enclose_sum(bottom, ar)))

    def h(y: Any) -> Any:
        far = sum(w * abs(y - x) for x, w in powers.items())
        return mp.exp(((a - 1) * abs(y) - far) / width)

    if on_lattice:
        t = mp.exp(-1 / width)
        value = mp.fsum(h(y) for y in range(-160, 161)) * (1 - t) / (1 + t)
    else:
        cuts = sorted({-40 * width - 4, *map(mp.mpf, {0, *powers}), 40 * width + 4})
        value = mp.quad(h, cuts) / (2 * width)
    assert abs(mp.mpf(low.numerator) / low.denominator - value) < mp.mpf("1e-10") * value
    assert low <= high
    assert one <= high
    assert low <= other
    assert (high - low) * 10**20 < low


def test_normal_outputs_tell_what_is_in_closed_form() -> None:
    output = renyi_outputs.Normal(0, 1, Fraction(2))
    with checking(10**6):
        low, high = ends(output.enclosed({Fraction(1): Fraction(2), Fraction(3): Fraction(1)},
                                         Arithmetic(96)))  # fmt: skip
    assert low < Fraction(str(mp.exp(mp.mpf(25 - 11) / 4))) + Fraction(1, 10**9)
    assert high > Fraction(str(mp.exp(mp.mpf(25 - 11) / 4))) - Fraction(1, 10**9)


@pytest.mark.parametrize("kind", ["laplace", "gaussian", "discrete-laplace"])
@pytest.mark.parametrize("order", ["2", "3"])
def test_an_exact_sum_is_within_its_enclosure(kind: str, order: str) -> None:
    noise = {"kind": kind, "scale": ["1", "2"]} | ({"step": 1} if "-" in kind else {})
    of, back = moments(stated(noise, order=order))
    ar = Arithmetic(192)
    with checking(10**7):
        top, bottom = of.exact()
        one, other = ends(ar.div(enclose_sum(top, ar), enclose_sum(bottom, ar)))
        low, high = ends(of.enclosed(Arithmetic(96)))
        wide = ends(back.enclosed(Arithmetic(96)))
    assert low <= other
    assert one <= high
    assert 1 <= wide[0] < wide[1]  # of the other order, both bounds
    with pytest.raises(Undecided, match="a tie of several outputs"):
        back.exact()


def test_what_is_between_the_bounds_is_neither() -> None:
    noise = {"kind": "laplace", "scale": "1", "releases": 2, "draws": "same"}
    value = stated(noise, priors=atoms(UNIFORM, {"2": 1}))
    with checking(10**7):
        low, high = ends(moments(value)[1].enclosed(Arithmetic(96)))
    middle = mp.nstr((mp.log(float(low)) + mp.log(float(high))) / 2, 6)
    back = [kb.step("renyi"), kb.step("renyi", "b", "a")]
    found, message = word(value | {"epsilon": middle}, steps=back)
    assert (found, "is not bounded" in message or "above" in message) == ("rejected", True)
    step = [kb.step("renyi-refuted", "b", "a", margin="1/1000000")]
    assert word(value | {"epsilon": middle}, "refuted", step)[0] in ("rejected", "malformed")
    step = [kb.step("renyi-refuted", "b", "a", margin="0.000001")]
    assert word(value | {"epsilon": middle}, "refuted", step)[0] == "rejected"


@pytest.mark.parametrize("kind", ["laplace", "discrete-laplace"])
def test_cells_bound_a_number_that_is_known(kind: str) -> None:
    """Of a law against a point, where it is a sum; and few cells bound it less closely."""
    noise = {"kind": kind, "scale": ["1", "2"]} | ({"step": 1} if "-" in kind else {})
    of, _ = moments(stated(noise))
    with checking(10**7):
        one, other = ends(of.enclosed(Arithmetic(96)))
        last = None
        for parts in (1, 2, 8):
            axes = [
                renyi_cells.Axis(out, renyi_cells._cut(of.p, of.q, out, parts))
                for out in of.outputs
            ]
            low, high = renyi_cells.bounds(of.p, of.q, axes, of.order, Arithmetic(64))
            least, most = ends(low)[0], ends(high)[1]
            assert least <= other
            assert one <= most
            if last is not None and kind == "laplace":
                assert most - least < last
            last = most - least
    assert kind != "laplace" or last < Fraction(1, 50) * one


def test_many_outputs_have_no_cells() -> None:
    noise = {"kind": "laplace", "scale": "1", "releases": 4, "draws": "same"}
    of = moments(stated(noise, priors=atoms(UNIFORM, {"2": 1})))[1]
    assert renyi_cells.axes_of(of.p, of.q, of.outputs) is None
    fewer = moments(stated({**noise, "releases": 3}, priors=atoms(UNIFORM, {"2": 1})))[1]
    axes = renyi_cells.axes_of(fewer.p, fewer.q, fewer.outputs)
    assert axes is not None
    assert [len(axis.values) for axis in axes] == [9, 9, 9]


def test_one_release_of_the_sum_bounds_close_laws_better_than_a_coupling() -> None:
    """Masses that differ by 1/1000: the coupling is linear in that, the divergence is not."""
    close = atoms({"0": "1/2", "1": "1/2"}, {"0": "501/1000", "1": "499/1000"})
    noise = {"kind": "laplace", "scale": "1", "releases": 2, "draws": "same"}
    assert word(stated(noise, "1/100000", priors=close))[0] == "certified"


CHANGES = {
    "releases": {"releases": 3}, "scale": {"scale": "9/10"}, "draws": {"draws": "fresh"},
    "noise": {"kind": "discrete-laplace", "step": 1},
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_tie_is_met_by_no_other_problem(name: str) -> None:
    """log(2701/1600) of the uniform law against the point."""
    noise = {"kind": "laplace", "scale": "1/log(2)", "releases": 2, "draws": "same"}
    value = stated(noise, "log(2701/1600)", priors=atoms(UNIFORM, {"2": 1}))
    of = moments(value)[0]
    with checking(10**7):
        top, bottom = of.exact()
        assert ratio_of(top, bottom) == Fraction(2701, 1600)
        other = moments({**value, "noise": {**noise, **CHANGES[name]}})[0]
        low, high = ends(other.enclosed(Arithmetic(96)))
    assert not low <= Fraction(2701, 1600) <= high


def ratio_of(top: Any, bottom: Any) -> Fraction:
    """A quotient of sums of powers of 2."""
    found = []
    for terms in (top, bottom):
        total = Fraction(0)
        for form, c in terms.items():
            power = sum((v for _, v in form), Fraction(0))
            assert power.denominator == 1
            total += c * Fraction(2) ** int(power)
        found.append(total)
    return found[0] / found[1]


def test_other_noise_and_other_laws_are_refused() -> None:
    lattice = {"kind": "discrete-gaussian", "scale": "2", "step": 1}
    assert word(stated(lattice))[0] == "rejected"
    normal = {"a": {"kind": "gaussian", "mean": 0, "variance": 1},
              "b": {"kind": "gaussian", "mean": 1, "variance": 1}}  # fmt: skip
    noise = {"kind": "laplace", "scale": "1", "releases": 2, "draws": "same"}
    assert word(stated(noise, priors=normal))[0] != "certified"
    few = stated({"kind": "laplace", "scale": ["1", "2", "3"]})
    with pytest.raises(Malformed, match="3 scales for 2"):
        moments(few)


@pytest.mark.parametrize(
    ("order", "noise"),
    [
        ("64", {"kind": "laplace", "scale": ["1", "2"]}),
        ("2", {"kind": "laplace", "scale": "1", "releases": 1_000_000, "draws": "same"}),
        ("65535/2", {"kind": "gaussian", "scale": ["1/1000", "2"]}),
        ("100", {"kind": "discrete-laplace", "scale": "1000", "step": 1, "releases": 9}),
    ],
)
def test_hostile_sizes_end(order: str, noise: Json) -> None:
    priors = JOINT if "releases" not in noise else atoms(UNIFORM, {"2": 1})
    assert word(stated(noise, "1", order, priors))[0] in ("rejected", "certified")


def test_a_bracket_decides_nothing_inside() -> None:
    """Of four releases: of one alone D is 0.04397.., and more of all."""
    priors = atoms({"0": "1/2", "1": "1/2"}, {"0": "1/4", "1": "3/4"})
    value = stated({"kind": "laplace", "scale": "1", "releases": 4}, "9/100", "2", priors)
    assert word(value)[0] == "rejected"  # of two releases it is 0.0803, and of four more
    below = [kb.step("renyi-refuted", margin=margin) for margin in ("0.0001", "0.1", "0.03")]
    for one in below:
        assert word(value, "refuted", [one])[0] == "rejected"
    of, _ = moments(value)
    low, high = ends(of.enclosed(Arithmetic(128)))
    assert low < Fraction("1.09") < high
    less = value | {"epsilon": "4/100"}
    assert word(less, "refuted", [kb.step("renyi-refuted", margin="0.0039")])[0] == "refuted"


def test_a_sum_is_of_a_whole_order() -> None:
    priors = atoms({"0": "1/2", "3": "1/2"}, {"0": "1"})
    noise = {"kind": "laplace", "scale": "1", "releases": 2}
    for order, bound in (("3/2", "2.98245"), ("3", "4.45405")):
        value = stated(noise, bound, order, priors)
        assert word(value)[0] == "rejected"  # a little more
        more = value | {"epsilon": str(Fraction(bound) + Fraction(1, 10))}
        for margin in ("0.0001", "0.5", "1"):
            one = kb.step("renyi-refuted", margin=margin)
            assert word(more, "refuted", [one])[0] == "rejected"


def test_points_that_share_a_coordinate_count_there_together() -> None:
    laws = {"a": [[1, 0, "1/2"], [1, 2, "1/2"]], "b": [[0, 0, 1]]}
    priors = {s: {"kind": "joint", "names": ["x", "y"], "rows": r} for s, r in laws.items()}
    value = stated({"kind": "laplace", "scale": ["1", "1"]}, "1.303752459", "2", priors)
    assert word(value)[0] == "certified"
    assert word(value | {"epsilon": "1.303752458"})[0] == "rejected"
