"""The kernel's rules of all orders: what they accept, and what they refuse."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from typing import Any

import kernel_builder as kb
import pytest
from checker import check_bytes
from core import zcdp
from hypothesis import given, settings
from hypothesis import strategies as st

Json = dict[str, Any]
PURE: Json = {"rule": "pure", "bits": 128, "ties": []}
RATIO: Json = {"law": "itself", "loss": "10001/10000", "step": PURE}
MOVED: Json = {"law": "other"}
ENOUGH = ["11/10", "21/10"]


def problem(rho: str = "9/10", **more: Any) -> Json:
    """Two points at distance 1 with Laplace noise of scale 1: 0.3679.. is the least rho."""
    return kb.problem({"0": 1}, {"1": 1}, rho, scale="1", form="zcdp") | more


def gaussian(rho: str, p: Json, q: Json) -> Json:
    value = kb.problem(p, q, rho, form="zcdp")
    value["noise"] = {"kind": "gaussian", "variance": 1}
    return value


def steps(orders: list[str], beyond: Any = RATIO, **more: Any) -> list[Json]:
    return [
        kb.step("zcdp", *names, orders=orders, beyond=deepcopy(beyond), **more)
        for names in (("a", "b"), ("b", "a"))
    ]


def refuted(order: str, margin: str, source: str = "a", target: str = "b") -> list[Json]:
    return [kb.step("zcdp-refuted", source, target, order=order, margin=margin)]


def word(value: Json, result: str, found: list[Any]) -> tuple[str, str]:
    certificate = kb.certificate(value, result, found)
    data = json.dumps(certificate, sort_keys=True, separators=(",", ":")).encode()
    return check_bytes(json.dumps(value).encode(), True, data)


def test_orders_that_are_enough_are_accepted() -> None:
    assert word(problem("11/10"), "certified", steps([]))[0] == "certified"  # the log ratio is 1
    found, message = word(problem("1/2"), "certified", steps(["11/10", "21/10"]))
    assert found == "certified", message
    assert all(f"(F10{k})" in message for k in (4, 6, 7))
    loose = {**RATIO, "loss": "3/2"}
    assert word(problem("3/5"), "certified", steps(["11/10", "3"], loose))[0] == "certified"


NOT_ENOUGH = {
    "too few": (["2"], RATIO, "up to the order 2"),
    "the last too small": (["11/10", "19/10"], RATIO, "beyond the last order"),
    "none": ([], RATIO, "beyond the last order"),
    "a loss that is none": (ENOUGH, {**RATIO, "loss": "9/10"}, "not bounded"),
    "a loss that is larger": (ENOUGH, {**RATIO, "loss": "11/10"}, "beyond the last order"),
    "no normal law": (ENOUGH, MOVED, "no others are known"),
    "a rule of another form": (
        ENOUGH, {**RATIO, "step": {"rule": "zcdp", "bits": 64, "orders": [], "beyond": {}}},
        "does not prove the events form",
    ),
    "parts of one release": (ENOUGH, {"parts": [RATIO]}, "follows from no other"),
}  # fmt: skip


@pytest.mark.parametrize("case", NOT_ENOUGH)
def test_what_is_not_enough_is_refused(case: str) -> None:
    orders, beyond, why = NOT_ENOUGH[case]
    found, message = word(problem("1/2"), "certified", steps(orders, beyond))
    assert found in ("rejected", "malformed")
    assert why in message, message


def test_less_than_the_least_rho_is_refused_whatever_the_orders() -> None:
    for rho in ("36/100", "0"):
        many = steps(["1001/1000", "11/10", "5/4", "3/2", "2", "3"])
        assert word(problem(rho), "certified", many)[0] == "rejected"


MALFORMED: dict[str, list[Json]] = {
    "an order of 1": steps(["1", "2"]),
    "orders that fall": steps(["2", "11/10"]),
    "the same order twice": steps(["11/10", "11/10", "2"]),
    "no text": steps([2]),  # type: ignore[list-item]
    "not shortest": steps(["22/20", "2"]),
    "no list": [{**one, "orders": "2"} for one in steps(["2"])],
    "a long order": steps([f"{(1 << 80) + 1}/{1 << 80}", "2"]),
    "no number": steps(["log(9)"]),
    "a negative loss": steps(["2"], {**RATIO, "loss": "-1"}),
    "another law": steps(["2"], {**RATIO, "law": "none"}),
    "nothing beyond": steps(["2"], {}),
    "no table": steps(["2"], []),
    "more keys": steps(["2"], {**RATIO, "more": 1}),
    "names inside": steps(["2"], {**RATIO, "step": {**RATIO["step"], "belief": "default"}}),
    "parts and more": steps(["2"], {**RATIO, "parts": []}),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_no_such_step_is_malformed(case: str) -> None:
    found, message = word(problem(), "certified", MALFORMED[case])
    assert found == "malformed", message
    assert "beyond this kernel" not in message


def test_a_step_has_its_keys_and_no_others() -> None:
    for change in ({"orders": None}, {"beyond": None}, {"order": "2"}, {"plan": []}):
        one = {key: x for key, x in (steps(["2"])[0] | change).items() if x is not None}
        assert word(problem(), "certified", [one, one])[0] == "malformed"


def test_one_order_refutes_by_no_more_than_its_margin() -> None:
    value = problem("3/10")  # D_2/2 = log((2 e + e^-2)/3)/2 = 0.30956..
    for margin, found in (("0.0095", "refuted"), ("0.0096", "rejected"), ("0", "rejected"),
                          ("inf", "rejected"), ("-1", "malformed")):  # fmt: skip
        assert word(value, "refuted", refuted("2", margin))[0] == found, margin
    assert word(value, "refuted", refuted("9", "0.0001"))[0] == "rejected"
    assert word(value, "refuted", refuted("1", "0.01"))[0] == "malformed"
    found, message = word(value, "refuted", refuted("inf", "0.01"))
    assert (found, "no limit is known" in message) == ("malformed", True)


def test_what_large_orders_come_to_with_gaussian_noise() -> None:
    p, q = {"0": "1/2", "4": "1/2"}, {"0": "1/2", "1": "1/2"}
    value = gaussian("4", p, q)  # 3^2/2 is the limit
    for margin, found in (("0.5", "refuted"), ("0.51", "rejected"), ("inf", "malformed")):
        assert word(value, "refuted", refuted("inf", margin))[0] == found
    # the other law has no atom beyond those of the first
    assert word(value, "refuted", refuted("inf", "0.1", "b", "a"))[0] == "rejected"


def test_atoms_that_are_moved_with_gaussian_noise() -> None:
    one, two = {"0": 1}, {"2": 1}
    assert word(gaussian("2", one, two), "certified", steps([], MOVED))[0] == "certified"
    less = gaussian("1999/1000", one, two)
    assert word(less, "certified", steps([], MOVED))[0] == "rejected"
    assert word(less, "refuted", refuted("inf", "0.001"))[0] == "refuted"
    p, q = {"0": "1/2", "1": "1/2"}, {"1": "1/2", "3": "1/2"}
    assert word(gaussian("2", p, q), "certified", steps([], MOVED))[0] == "certified"
    assert word(gaussian("19/10", p, q), "certified", steps([], MOVED))[0] == "rejected"
    shuffled = {"0": "1/2", "3": "1/2"}, {"0": "1/2", "4": "1/2"}  # not 4 of 0
    assert word(gaussian("1/2", *shuffled), "certified", steps([], MOVED))[0] == "certified"


def fresh(rho: str, noise: Json, beyond: Any, orders: list[str]) -> tuple[Json, list[Json]]:
    """Three releases of points at distance 1, each of a fresh draw."""
    more = {"draws": "fresh"} | ({} if "scales" in noise else {"releases": 3})
    return problem(rho, noise=noise | more), steps(orders, beyond)


LAPLACE: Json = {"kind": "laplace", "scale": 1}
NORMAL: Json = {"kind": "gaussian", "variance": 1}
TWO_SCALES: Json = {"kind": "laplace", "scales": [1, 2, 1]}  # losses 1, 1/2 and 1
HALF: Json = {**RATIO, "loss": "10001/20000"}


@pytest.mark.parametrize(
    ("rho", "noise", "parts", "orders", "found"),
    [
        ("3/2", LAPLACE, [RATIO], ENOUGH, "certified"),
        ("111/100", LAPLACE, [RATIO], ENOUGH, "rejected"),
        ("3/2", LAPLACE, [RATIO], ["11/10", "2"], "rejected"),  # 3.0003 is above 2 rho
        ("3/2", LAPLACE, [RATIO], ["2"], "rejected"),
        ("3/2", LAPLACE, [{**RATIO, "loss": "9999/10000"}], ENOUGH, "rejected"),
        ("3/2", LAPLACE, [], ENOUGH, "malformed"),
        ("3/2", LAPLACE, [RATIO, RATIO], ENOUGH, "malformed"),
        ("3/2", LAPLACE, RATIO, ENOUGH, "malformed"),
        ("3/2", LAPLACE, [MOVED], ENOUGH, "malformed"),
        ("5/4", TWO_SCALES, [RATIO, HALF], ENOUGH, "certified"),
        ("5/4", TWO_SCALES, [RATIO, HALF], ["11/10", "2"], "rejected"),  # 2.50025 is above 2 rho
        ("5/4", TWO_SCALES, [HALF, RATIO], ENOUGH, "rejected"),  # the first one has a loss of 1
        ("5/4", TWO_SCALES, [RATIO], ENOUGH, "malformed"),
        ("3/2", NORMAL, [MOVED], [], "certified"),
        ("1499/1000", NORMAL, [MOVED], [], "rejected"),
        ("1499/1000", NORMAL, [], [], "malformed"),
    ],
)
def test_parts_are_as_many_as_are_stated(
    rho: str, noise: Json, parts: Any, orders: list[str], found: str
) -> None:
    value, made = fresh(rho, noise, {"parts": parts}, orders)
    answer, message = word(value, "certified", made)
    assert answer == found, message
    assert answer != "certified" or ("(F97)" in message and "(F10" in message)


def test_no_law_is_known_near_that_of_several_parts() -> None:
    value, made = fresh("3/2", NORMAL, MOVED, [])
    assert word(value, "certified", made)[0] == "malformed"


def test_limits_of_parts_add_up() -> None:
    value, _ = fresh("1499/1000", NORMAL, MOVED, [])
    for margin, found in (("0.001", "refuted"), ("0.0011", "rejected")):
        assert word(value, "refuted", refuted("inf", margin))[0] == found
    two = problem("7/4", noise={"kind": "gaussian", "scales": [1, 2, 1], "draws": "fresh"})
    at_most = [{"law": "other"}, {"law": "other"}]  # 1/2, 1/8 and 1/2
    assert word(two, "certified", steps([], {"parts": at_most}))[0] == "certified"
    less = two | {"epsilon": "9/8"}
    assert word(less, "certified", steps([], {"parts": at_most}))[0] == "certified"
    less = two | {"epsilon": "112/100"}
    assert word(less, "certified", steps([], {"parts": at_most}))[0] == "rejected"
    for margin, found in (("0.005", "refuted"), ("0.0051", "rejected")):
        assert word(less, "refuted", refuted("inf", margin))[0] == found


def test_a_loss_is_that_of_ratios_without_a_delta() -> None:
    def by_delta(loss: str) -> Json:
        return {**RATIO, "loss": loss, "step": {"rule": "delta-upper", "bits": 128}}

    for loss, found in (("10001/10000", "certified"), ("1/2", "rejected")):
        assert word(problem("1/2"), "certified", steps(ENOUGH, by_delta(loss)))[0] == found


def test_a_law_inside_the_range_of_the_other_is_no_other_law() -> None:
    p, q = {"0": "1/2", "4": "1/2"}, {"0": "1/2", "1": "1/2"}  # moved inside, P is Q
    same: Json = {"law": "inside", "loss": "0", "step": {"rule": "equal"}}

    def certifying(first: Json, rho: str = "9/2") -> str:
        one, two = steps([], MOVED)
        return word(gaussian(rho, p, q), "certified", [one | {"beyond": first}, two])[0]

    assert certifying(same) == "certified"
    assert certifying(same, "449/100") == "rejected"
    assert certifying({**same, "law": "itself"}) == "rejected"
    assert certifying({**same, "law": "other"}) == "malformed"
    p, q = {"0": "1/4", "3": "3/4"}, {"0": "3/4", "1": "1/4"}  # inside: by 2, to Q: by 3
    chart: Json = {"rule": "chart", "bits": 128, "points": [],
                   "density": [["-inf", "-1", 0, 0], ["-1", "33", 0, 0], ["33", "inf", 0, 1]]}
    inside = {"law": "inside", "loss": "2746531/2500000", "step": chart}  # log 3
    other = {**MOVED}
    value = gaussian("9/2", p, q)
    one, two = steps(["9/8"], inside)
    two |= {"orders": [], "beyond": other}
    assert word(value, "certified", [one, two])[0] == "certified"
    assert word(value, "certified", [one | {"beyond": {**inside, "law": "itself"}}, two])[0] == (
        "rejected"
    )
    one["beyond"] = {**inside, "loss": "1"}
    assert word(value, "certified", [one, two])[0] == "rejected"


def test_a_rho_is_used_from_its_lower_end(monkeypatch: pytest.MonkeyPatch) -> None:
    assert word(problem("1/2"), "certified", steps(ENOUGH))[0] == "certified"
    monkeypatch.setattr(zcdp, "enclose_number", lambda x, ar: (3, 16, -4))  # 3/16 to 1
    assert word(problem("1/2"), "certified", steps(ENOUGH))[0] == "rejected"


def test_a_chord_is_looked_at_where_it_is_closest() -> None:
    one = Fraction(1)
    assert not zcdp.is_below((one, Fraction(0)), (Fraction(3), Fraction(6)), one)  # 2 < 3 at 2
    assert zcdp.is_below((one, Fraction(0)), (Fraction(3), Fraction(2)), one)
    # touches at 2, where the parabola is 2 and rises by 3
    assert zcdp.is_below((one + 1, Fraction(2)), (Fraction(4), Fraction(8)), one)
    low, high = (Fraction(3, 2), Fraction(1, 2)), (Fraction(5, 2), Fraction(7, 2))
    assert zcdp.is_below(low, high, one)
    assert not zcdp.is_below(low, (high[0], high[1] + Fraction(1, 100)), one)
    assert not zcdp.is_below((low[0], low[1] + Fraction(1, 2)), high, one)


def test_equal_laws_need_no_orders() -> None:
    value = kb.problem({"0": 1}, {"0": 1}, "0", scale="1", form="zcdp")
    assert word(value, "certified", steps([], {}))[0] == "certified"


def test_other_rules_prove_nothing_of_it_and_its_own_nothing_else() -> None:
    for rule in ("pure", "renyi", "delta-upper"):
        keys = kb.step(rule, ties=[]) if rule == "pure" else kb.step(rule)
        found = word(problem("9"), "certified", [keys, keys | {"from": "b", "to": "a"}])
        assert found[0] in ("rejected", "malformed")
    for form in ({"form": "events"}, {"form": "pointwise"}, {"form": "renyi", "order": "2"}):
        value = problem("9") | form
        assert word(value, "certified", steps([]))[0] == "rejected"
        assert word(value | {"epsilon": "1/10"}, "refuted", refuted("2", "0.01"))[0] == "rejected"


def test_there_is_no_order_and_no_delta_beside_it() -> None:
    certificate = json.dumps(kb.certificate(problem("9"), "certified", steps([]))).encode()
    for more in ({"order": "2"}, {"form": "zCDP"}, {"form": ["zcdp"]}):
        data = json.dumps(problem("9") | more).encode()
        assert check_bytes(data, True, certificate)[0] == "malformed"
    assert word(problem("9", delta="1/2"), "certified", steps([]))[0] == "malformed"


def test_no_scale_where_one_normal_law_is_wider() -> None:
    value = gaussian("1", {"0": 1}, {"0": 1})
    value["priors"]["b"] = {"kind": "gaussian", "mean": 0, "variance": 4}
    value["priors"]["a"] = {"kind": "gaussian", "mean": 0, "variance": 1}
    none = [{"rule": "minimum", "lower": "0", "upper": "inf", "lower_step": None,
             "upper_steps": [{"rule": "no-scale"}]}]  # fmt: skip
    assert word(value, "scales", none)[0] == "scales"
    value["priors"]["a"]["variance"] = 4
    value["priors"]["a"]["mean"] = 1
    assert word(value, "scales", none)[0] == "rejected"


@settings(max_examples=80, deadline=None)
@given(*[st.fractions(0, 9, max_denominator=12) for _ in range(5)])
def test_a_chord_is_below_where_it_is_at_many_places(
    low: Fraction, width: Fraction, at_low: Fraction, rise: Fraction, rho: Fraction
) -> None:
    x, y = (1 + low, at_low), (2 + low + width, at_low + rise)
    found = zcdp.is_below(x, y, rho)
    slope = rise / (y[0] - x[0])
    rooms = [
        rho * a * (a - 1) - at_low - slope * (a - x[0])
        for a in (x[0] + (y[0] - x[0]) * k / 64 for k in range(65))
    ]
    assert not found or min(rooms) >= 0
    least = (rho + slope) / (2 * rho) if rho else x[0]
    inside = rho * least * (least - 1) - at_low - slope * (least - x[0])
    assert found == (min(rooms) >= 0 and not (x[0] < least < y[0] and inside < 0))

