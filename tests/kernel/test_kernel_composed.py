"""Composition with a delta: known values, both sides of random ones, and what is refused."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from math import exp, log, sqrt
from random import Random
from typing import Any

import composed_builder as cb
import composed_truth as ct
import kernel_builder as kb
import pytest
from core import composed as rules
from core import work
from core.grammar import Malformed
from core.losses import ABOVE, P_BELOW, Q_ABOVE
from core.reduce import composite
from core.rules import Rejected
from core.work import Check, TooMuchWork
from joint_corpus import joint, problem, proved
from reader import reader
from reader.goals import goals_of

F = Fraction
Json = dict[str, Any]
ZERO, ONE = cb.point(0), cb.point(1)


def said(value: Json, cert: Json) -> str:
    return kb.run(value, cert)[0]


def bracketed(
    value: Json, true: float, first: Json, below: Json, second: Json | None = None,
    near: float = 1e-3, rule: str = "composed",
) -> None:  # fmt: skip
    """Certified at a delta a little above the truth, refuted at one a little below, and nothing
    the other way round."""
    over, under = f"{true * (1 + near):.12f}", f"{true * (1 - near):.12f}"
    for delta, proves in ((over, True), (under, False)):
        value = {**value, "delta": delta}
        cert = proved(value, rule, first, second)
        assert said(value, cert) == ("certified" if proves else "rejected")
        cert = cb.composed_refuted(value, f"{true * 1e-9:.20f}", below)
        assert said(value, cert) == ("rejected" if proves else "refuted")


# ---------------------------------------------------------------- known values


def test_two_fresh_laplace_releases_of_points() -> None:
    value = problem(ZERO, ONE, 1, 0, cb.many("laplace", 2, "fresh", scale="1/2"))
    cuts = cb.texts(F(k, 200) for k in range(201))
    bracketed(value, 0.609522219740248, cb.said("1/200", 900, cb.levels(-402, 402)),
              cb.said("1/1000", 5000, {"cuts": cuts}))  # fmt: skip


def test_a_hundred_gaussian_releases() -> None:
    value = problem(ZERO, ONE, 1, 0, cb.many("gaussian", 100, "fresh", scale=20))
    h = F(1, 1200)
    low, high = -300, 300
    down = cb.texts(F(1, 2) - 400 * h * j + cb.SLIGHTLY for j in range(low, high + 1))
    up = cb.texts(F(1, 2) + 400 * h * j - cb.SLIGHTLY for j in range(low, high + 1))
    middle = cb.texts(F(1, 2) + 400 * h * (j + F(1, 2)) for j in range(low, high + 1))
    bracketed(
        value, 0.00682959498311458, cb.said(h, 8000, cb.levels(low, high, cuts=down)),
        cb.said(h, 8000, {"cuts": middle}), cb.said(h, 8000, cb.levels(low, high, cuts=up)),
    )  # fmt: skip


def test_a_mixture_of_priors_with_gaussian_noise() -> None:
    value = problem(cb.atoms({0: "9/10", 1: "1/10"}), ZERO, "1/2", 0,
                    cb.many("gaussian", 2, "fresh", scale=1))  # fmt: skip
    h = F(1, 200)

    def loss(y: float) -> float:
        return log(0.9 + 0.1 * exp(min(y - 0.5, 600)))

    first = cb.levels(-21, 500, cuts=cb.at_levels(-21, 500, h, loss))
    second = cb.levels(-500, 21, cuts=cb.at_levels(-500, 21, h, lambda y: -loss(y), falls=True))
    middle = cb.at_levels(-21, 500, h, lambda y: loss(y) + float(h) / 2)
    bracketed(value, 0.00460589610990551, cb.said(h, 2000, first), cb.said(h, 2000, {
        "cuts": middle}), cb.said(h, 2000, second))  # fmt: skip


def test_gaussian_releases_with_two_scales() -> None:
    """Scales 1 and 2 are as one of 2/sqrt(5)."""
    noise = {"kind": "gaussian", "scales": [1, 2], "draws": "fresh"}
    value = problem(ZERO, ONE, 1, 0, noise)
    h = F(1, 60)
    both: list[list[Json]] = [[], []]
    middle: list[Json] = []
    for variance, most in ((1, 300), (4, 150)):
        for k, (way, more) in enumerate(((-1, cb.SLIGHTLY), (1, -cb.SLIGHTLY))):
            cuts = cb.texts(F(1, 2) + way * variance * h * j + more for j in range(-most, most + 1))
            both[k].append(cb.levels(-most, most, cuts=cuts))
        cuts = cb.texts(F(1, 2) + variance * h * (j + F(1, 2)) for j in range(-most, most + 1))
        middle.append({"cuts": cuts})
    first, second = (cb.said(h, 800, *parts) for parts in both)
    true = ct.of_normals(sqrt(5) / 2, 1.0)
    bracketed(value, true, first, cb.said(h, 800, *middle), second, near=4e-3)


def test_24_bits_of_a_count() -> None:
    noise = cb.many("discrete-laplace", 24, scale=2, step=1)
    value = problem(cb.point(49), cb.point(50), 1, 0, noise, post=[{"bins": {"edges": [50]}}])
    bracketed(value, 0.642297995305, cb.said("1/200", 4000, cb.levels(-110, 110, part=0)),
              cb.said("1/2000", 40_000, {"part": 0}))  # fmt: skip


def test_a_hundred_releases_of_a_lattice() -> None:
    """As good as gaussian noise with the distance 1, at scale 10."""
    noise = cb.many("discrete-gaussian", 100, scale=10, step=1)
    value = problem(ZERO, ONE, 1, 0, noise)
    true = ct.of_normals(1.0, 1.0)
    bracketed(value, true, cb.said("1/500", 4000, cb.levels(-320, 320)),
              cb.said("1/1000", 9000, {}), near=3e-3)  # fmt: skip


# ---------------------------------------------------------------- both sides


def tables(random: Random) -> tuple[Json, dict[int, Fraction]]:
    weights = [random.randrange(1, 9) for _ in range(random.randrange(2, 5))]
    noise = {k - 1: F(w, sum(weights)) for k, w in enumerate(weights)}
    return {"kind": "table", "weights": {str(k): str(w) for k, w in noise.items()}}, noise


def law(random: Random) -> dict[int, Fraction]:
    weights = [random.randrange(4) for _ in range(3)]
    weights[random.randrange(3)] += 1
    return {k: F(w, sum(weights)) for k, w in enumerate(weights) if w}


def coupling(p: dict[int, Fraction], q: dict[int, Fraction]) -> list[list[str]]:
    """From left to right."""
    left, right = sorted(p.items()), sorted(q.items())
    found = []
    while left and right:
        (x, a), (y, b) = left.pop(0), right.pop(0)
        mass = min(a, b)
        found.append([str(x), str(y), str(mass)])
        if a > mass:
            left.insert(0, (x, a - mass))
        if b > mass:
            right.insert(0, (y, b - mass))
    return found


LEVELS = cb.levels(-200, 200)


@pytest.mark.parametrize("seed", range(6))
def test_fresh_draws_by_enumeration(seed: int) -> None:
    random = Random(seed)
    kind, noise = tables(random)
    p, q = law(random), law(random)
    count, epsilon = random.randrange(1, 4), F(random.randrange(8), 10)
    true = max(cb.enumerated(a, b, noise, count, float(epsilon), fresh=True)
               for a, b in ((p, q), (q, p)))  # fmt: skip
    if true in (0.0, 1.0):
        pytest.skip("nothing to bracket")
    if cb.enumerated(p, q, noise, count, float(epsilon), fresh=True) < true:
        p, q = q, p
    value = problem(cb.atoms(p), cb.atoms(q), str(epsilon), 0,
                    {**kind, "releases": count, "draws": "fresh"})  # fmt: skip
    bracketed(value, true, cb.said("1/50", 600, LEVELS), cb.said("1/1000", 12_000, {}), near=3e-3)


@pytest.mark.parametrize("seed", range(6))
def test_releases_of_one_x_by_enumeration(seed: int) -> None:
    """From below exactly; from above as the coupling says."""
    random = Random(seed)
    kind, noise = tables(random)
    p, q = law(random), law(random)
    count, epsilon = random.randrange(1, 4), float(F(random.randrange(8), 10))
    value = problem(cb.atoms(p), cb.atoms(q), f"{epsilon:.1f}", 0, {**kind, "releases": count})
    plan = coupling(p, q)

    def coupled(pairs: list[list[str]]) -> float:
        return sum(float(F(m)) * cb.enumerated({int(x): 1}, {int(y): 1}, noise, count, epsilon)
                   for x, y, m in pairs if x != y)  # fmt: skip

    back = [[y, x, m] for x, y, m in plan]
    bound = max(coupled(plan), coupled(back))
    steps = cb.said("1/50", 600, LEVELS)
    keys = {**steps, "plan": plan}, {**steps, "plan": back}
    if len(p) > 1 or len(q) > 1:
        for factor, word in ((1.005, "certified"), (0.999, "rejected")):
            value = {**value, "delta": f"{min(bound * factor + 1e-9, 1):.12f}"}
            if bound > 1e-9 and bound * factor < 1:
                assert said(value, proved(value, "composed-coupled", *keys)) == word
    true = cb.enumerated(p, q, noise, count, epsilon)
    assert true <= coupled(plan) + 1e-12
    for factor, word in ((0.997, "refuted"), (1.0001, "rejected")):
        value = {**value, "delta": f"{true * factor:.12f}"}
        if true > 1e-6 and true * factor < 1:
            cert = cb.composed_refuted(value, f"{true * 1e-7:.20f}", cb.said("1/1000", 12_000, {}))
            assert said(value, cert) == word


@pytest.mark.parametrize("steps", [[], [{"bins": {"edges": ["1/2"]}}], [{"clamp": ["0", "2"]}]])
@pytest.mark.parametrize(
    "noise",
    [
        {"kind": "laplace", "scale": 2}, {"kind": "discrete-laplace", "scale": 2, "step": 1},
        {"kind": "truncated-laplace", "scale": 2, "bound": 4},
        {"kind": "discrete-gaussian", "scale": 2, "step": 1},
    ],
)  # fmt: skip
def test_what_is_accepted_is_true(noise: Json, steps: list[Json]) -> None:
    """Of points, of fresh draws and of one X: never below the truth, nor above it."""
    post = {"post": steps} if steps else {}
    half, named = cb.atoms({0: "1/2", 1: "1/2"}), {"part": 0} if steps else {}
    line = "laplace" in noise["kind"] and not (steps and "bins" in steps[0])
    line = line and not (steps and "step" in noise)
    cuts = {"cuts": cb.texts(F(k, 1 if "step" in noise else 20) for k in range(-60, 80))}
    if steps and line:
        cuts = {"cuts": cb.texts(F(k, 20) for k in range(1, 40))}
    for p, q, draws in ((ZERO, ONE, "same"), (half, cb.point(2), "fresh"), (half, ONE, "same")):
        value = problem(p, q, "1/5", 0, {**noise, "releases": 2, "draws": draws}, **post)
        true = max(ct.divergence(value, "default", *pair) for pair in ("ab", "ba"))
        rule = "composed-coupled" if draws == "same" and p is half else "composed"
        plan = [["0", "1", "1/2"], ["1", "1", "1/2"]]
        keys = [cb.said("1/50", 600, cb.levels(-150, 150, **named)) for _ in range(2)]
        if rule == "composed-coupled":
            keys = [{**keys[0], "plan": plan}, {**keys[1], "plan": [[y, x, m] for x, y, m in plan]}]
        for factor in (0.99, 1.02):
            value = {**value, "delta": f"{min(true * factor, 1):.9f}"}
            word = said(value, proved(value, rule, *keys))
            assert word == "rejected" or factor > 1
            assert word == "certified" or factor < 1 or rule == "composed-coupled"
        below = cb.said("1/500", 6000, {**named, **(cuts if line else {})})
        true = ct.divergence(value, "default", "a", "b")
        for factor in (0.98, 1.01):
            value = {**value, "delta": f"{true * factor:.9f}"}
            word = said(value, cb.composed_refuted(value, "0.000001", below))
            assert word == ("refuted" if factor < 1 else "rejected")


def test_more_releases_tell_more() -> None:
    true = [0.0]
    for count in (1, 2, 5, 12):
        low, high = 0.0, 1.0
        for _ in range(12):
            middle = (low + high) / 2
            value = problem(ZERO, ONE, "1/2", f"{middle:.9f}",
                            cb.many("laplace", count, "fresh", scale=2))  # fmt: skip
            keys = cb.said("1/40", 600, cb.levels(-22, 22))
            if said(value, cb.composed(value, keys)) == "certified":
                high = middle
            else:
                low = middle
        assert high > true[-1]
        true.append(high)


def test_scales_in_any_order() -> None:
    """Parts stand in the order of the scales; what is proved is the same."""
    for scales in (["1/2", 2], [2, "1/2"]):
        noise = {"kind": "laplace", "scales": scales, "draws": "fresh"}
        value = problem(ZERO, ONE, 1, "0.47", noise)
        parts = {"1/2": cb.levels(-42, 42), 2: cb.levels(-11, 11)}
        keys = cb.said("1/20", 300, *(parts[scale] for scale in scales))
        assert said(value, cb.composed(value, keys)) == "certified"
        wrong = cb.said("1/20", 300, *(parts[scale] for scale in scales[::-1]))
        assert said(value, cb.composed(value, wrong)) == "rejected"


def test_a_noise_that_is_not_the_same_for_all_x() -> None:
    """A difference of two atoms is then not enough to say how they compare."""
    by = {"0": {"0": "1/2", "1": "1/2"}, "1": {"0": "1/2", "1": "1/2"},
          "2": {"0": "1/100", "1": "99/100"}}  # fmt: skip
    noise = {"kind": "table", "by": by, "releases": 2}
    p, q = cb.atoms({0: "1/2", 1: "1/2"}), cb.atoms({1: "1/2", 2: "1/2"})
    plan = [["0", "1", "1/2"], ["1", "2", "1/2"]]
    steps = cb.said("1/50", 600, cb.levels(-250, 250))
    keys = {**steps, "plan": plan}, {**steps, "plan": [[y, x, m] for x, y, m in plan]}
    # 0 against 1: 3/4; 1 against 2: nearly 1 - e^(1/10) (1/100)^2
    for delta, word in (("0.88", "certified"), ("0.76", "rejected")):
        value = problem(p, q, "1/10", delta, noise)
        assert said(value, proved(value, "composed-coupled", *keys)) == word


# ---------------------------------------------------------------- planted faults


BASE = problem(ZERO, ONE, 1, "0.61", cb.many("laplace", 2, "fresh", scale="1/2"))
FINE = cb.said("1/200", 900, cb.levels(-402, 402))


@pytest.mark.parametrize("window", [[-900, 195], [-5, 900], [200, 900], [-900, -300]])
def test_windows_that_cut(window: list[int]) -> None:
    """What is cut counts: a window that is too small proves less, and never more."""
    truth = 0.609522219740248
    keys = {**FINE, "window": window}
    for delta in (f"{truth - 1e-6:.9f}", "0.5", "0.1"):
        value = {**BASE, "delta": delta}
        assert said(value, cb.composed(value, keys)) == "rejected"


def test_roundings_are_as_the_rules_say() -> None:
    assert [side.divided(7, 2) for side in (ABOVE, P_BELOW, Q_ABOVE)] == [4, 3, 4]
    assert [side.divided(8, 2) for side in (ABOVE, P_BELOW, Q_ABOVE)] == [4, 4, 4]


def test_few_digits_are_rounded_up() -> None:
    """With 10 digits 2^16 releases of nothing round up to something, and nothing is proved of
    less."""
    tiny = problem(ZERO, cb.point("1/1000000000"), 1, f"1/{10**12}",
                   cb.many("laplace", 1 << 16, "fresh", scale=1))  # fmt: skip
    few = cb.said("1/100", 200, cb.levels(-3, 3), digits=10)
    many = cb.said("1/100", 200, cb.levels(-3, 3), digits=60)
    assert said(tiny, cb.composed(tiny, few)) == "rejected"
    near = {**tiny, "delta": "1/100"}
    assert said(near, cb.composed(near, many)) == "certified"


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"grid": "0"}, "the grid must be positive"), ({"grid": "-1"}, "the grid must be positive"),
        ({"grid": 1}, "grid must be a string"), ({"grid": "2/4"}, "not written canonically"),
        ({"digits": 9}, "digits must be an integer from 10 to 2000"),
        ({"digits": 2001}, "digits must be"), ({"digits": "20"}, "digits must be"),
        ({"window": [1]}, "two ends"), ({"window": [1, 1]}, "must not be empty"),
        ({"window": [1, 0]}, "must not be empty"), ({"window": [0, 1, 2]}, "two ends"),
        ({"window": [0, 10**7 + 1]}, "an end of the window"),
        ({"window": [-(10**7) - 1, 0]}, "an end of the window"),
        ({"window": ["0", 1]}, "an end of the window"), ({"window": {}}, "must be an array"),
        ({"parts": {}}, "must be an array"), ({"parts": []}, "must not be empty"),
        ({"parts": [{}]}, "lacks"), ({"parts": [[]]}, "must be a table"),
        ({"parts": [cb.levels(0, 1, part=0)]}, "not supported"),
        ({"parts": [{"levels": []}]}, "levels must increase, and there must be one"),
        ({"parts": [{"levels": [[0, 1]]}]}, "levels must be runs"),
        ({"parts": [{"levels": [[0, 1, 0]]}]}, "a stride must be"),
        ({"parts": [{"levels": [[0, 1, 2 * 10**7 + 1]]}]}, "a stride must be"),
        ({"parts": [{"levels": [[0, 10**7 + 1, 1]]}]}, "a level must be"),
        ({"parts": [{"levels": [[-(10**7) - 1, 0, 1]]}]}, "a level must be"),
        ({"parts": [{"levels": [[1, 0, 1]]}]}, "and there must be one"),
        ({"parts": [{"levels": [[0, 4, 1], [4, 8, 1]]}]}, "levels must increase"),
        ({"parts": [{"levels": [[5, 8, 1], [0, 4, 1]]}]}, "levels must increase"),
        ({"parts": [{"levels": [["0", 1, 1]]}]}, "a level must be"),
    ],
    ids=str,
)  # fmt: skip
def test_steps_that_are_malformed(keys: Json, message: str) -> None:
    word, text = kb.run(BASE, cb.composed(BASE, {**FINE, **keys}))
    assert (word, message in text) == ("malformed", True), text


def test_ends_that_may_be() -> None:
    for keys in ({"digits": 10}, {"window": [-(10**7), 10**7]},
                 {"parts": [cb.levels(-402, 402, 2 * 10**7)]}):  # fmt: skip
        assert said(BASE, cb.composed(BASE, {**FINE, **keys})) in ("certified", "rejected")
    assert rules._levels([[0, 3, 2], [3, 3, 1], [10**7, 10**7, 1]]) == [0, 2, 3, 10**7]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"parts": 2 * FINE["parts"]}, "the parts must be those of the goal, each once"),
        ({"parts": [cb.levels(-402, 402, cuts=[])]}, "cuts are for normal densities"),
        ({"parts": [cb.levels(-402, 402, cuts=["0"] * 805)]}, "cuts are for normal densities"),
        ({"parts": [cb.levels(0, 0)]}, "the divergence is not bounded by delta"),
        ({"grid": f"1/{10**60}"}, "too close"), ({"grid": str(10**9)}, "is not bounded"),
    ],
    ids=str,
)  # fmt: skip
def test_steps_that_prove_nothing(keys: Json, message: str) -> None:
    word, text = kb.run(BASE, cb.composed(BASE, {**FINE, **keys}))
    assert (word, message in text) == ("rejected", True), text


def test_cuts_of_normal_densities() -> None:
    value = problem(ZERO, ONE, 1, "0.9", cb.many("gaussian", 2, "fresh", scale=1))
    for part, message in (
        (cb.levels(-2, 2), "cuts are for normal densities, and those need them"),
        (cb.levels(-2, 2, cuts=["0"]), "as many cuts as levels"),
        (cb.levels(-2, 2, cuts=["0"] * 6), "as many cuts as levels"),
    ):
        assert message in kb.run(value, cb.composed(value, cb.said("1/2", 9, part)))[1]


@pytest.mark.parametrize(
    ("window", "levels", "digits"),
    [
        ([-(10**7), 10**7], [[-(10**7), 10**7, 1]], 20), ([-9, 9], [[-(10**6), 10**6, 1]], 2000),
        ([-(10**7), 10**7], [[-(10**7), 10**7, 10**6]], 2000),
        ([-(10**5), 10**5], [[-(10**5), 10**5, 10**4]], 1000),
    ],
)  # fmt: skip
def test_hostile_sizes_end_soon(window: Any, levels: Any, digits: int) -> None:
    value = problem(ZERO, ONE, 1, "1/2", cb.many("laplace", 10**6, "fresh", scale="1/2"))
    keys = {"grid": "1/1000000", "digits": digits, "window": window, "parts": [{"levels": levels}]}
    start = time.process_time()
    word, message = kb.run(value, cb.composed(value, keys))
    assert word == "rejected"
    assert "too much work" in message or "too close" in message
    assert time.process_time() - start < 90


def test_powers_beyond_all_ratios_are_not_written_out() -> None:
    """E = e^(10^12) has as many bits: nothing is above it, and nothing of q is left at it."""
    table = {"kind": "table", "releases": 2, "weights": {"0": "1/2", "1": "1/4", "-1": "1/4"}}
    value = problem(ZERO, ONE, 1, "0.9", table)
    step = cb.said("1000000000000", 10, {"levels": [[-1, 1, 1]]})
    assert said(value, proved(value, "composed", step, step)) == "certified"
    far = problem(ZERO, ONE, 10**9, 0, table)
    below = cb.said("1", 10, {})
    assert said(far, cb.composed_refuted(far, "0.6", below)) == "rejected"
    assert said(far, cb.composed_refuted(far, "0.4", below)) == "refuted"  # -1 is never of b


def test_a_coupling_is_for_one_x() -> None:
    plan = [["0", "1", "1"]]
    table = {"kind": "table", "weights": {"0": "1/2", "1": "1/2"}, "releases": 2}
    steps = {**cb.said("1/50", 600, cb.levels(-9, 9)), "plan": plan}
    for noise in (table, cb.many("laplace", 2, scale=1)):
        value = problem(ZERO, ONE, 1, "0.9", noise)
        assert "no point" in kb.run(value, proved(value, "composed-coupled", steps))[1]
    spread = cb.atoms({0: "1/2", 1: "1/2"})
    named = {**cb.said("1/50", 600, cb.levels(-90, 90, part=0)), "plan": plan}
    value = problem(spread, ONE, 1, "0.99", cb.many("laplace", 2, "fresh", scale=1),
                    post=[{"bins": {"edges": [0]}}])  # fmt: skip
    assert "no point" in kb.run(value, proved(value, "composed-coupled", named))[1]
    total = {"kind": "laplace", "total": 1}
    value = problem(spread, ONE, 1, "0.99", total, post=[{"bins": {"edges": [0]}}])
    plan[:] = [["0", "1", "1/2"], ["1", "1", "1/2"]]
    word, _ = kb.run(value, proved(value, "composed-coupled", named))
    assert word == "rejected"
    for rule in ("composed", "composed-refuted"):
        keys = cb.said("1/50", 600, cb.levels(-90, 90, part=0))
        cert = proved(value, rule, keys)
        if rule == "composed-refuted":
            cert = cb.composed_refuted(value, "0.001", cb.said("1/50", 600, {"part": 0}))
        assert said(value, cert) == "rejected"


def test_a_sum_with_any_rest_does_not_compose() -> None:
    value = problem(ZERO, ONE, 1, "0.99", cb.many("laplace", 2, scale=1),
                    post=[{"bins": {"edges": [0]}}])  # fmt: skip
    system = {"rest": "any", "user": {"a": {"point": 0}, "b": {"point": 1}}}
    value = {key: x for key, x in value.items() if key != "priors"} | {"system": system}
    keys = cb.said("1/50", 600, cb.levels(-90, 90, part=0))
    word, message = kb.run(value, cb.composed(value, keys))
    assert (word, "the rest may be any number" in message) == ("rejected", True), message
    cert = cb.composed_refuted(value, "0.001", cb.said("1/50", 600, {"part": 0}))
    assert said(value, cert) == "rejected"


def test_normal_priors_of_one_x_do_not_compose() -> None:
    prior = {"kind": "gaussian", "mean": 0, "sd": 1}
    value = problem(prior, ONE, 1, "0.99", cb.many("laplace", 2, scale=1))
    keys = cb.said("1/50", 600, cb.levels(-9, 9))
    for rule in ("composed", "composed-coupled"):
        more = {"plan": []} if rule == "composed-coupled" else {}
        assert said(value, proved(value, rule, {**keys, **more})) == "rejected"


def test_what_is_one_x() -> None:
    """Of atoms, points and normal laws: only points under both secrets are independent."""
    normal = {"kind": "gaussian", "mean": 0, "sd": 1}
    spread, noise = cb.atoms({0: "1/2", 1: "1/2"}), {"kind": "laplace", "scale": 1}
    for p, q, shared in ((ZERO, ONE, False), (spread, ONE, True), (ZERO, spread, True),
                         (normal, ONE, True), (normal, normal, True)):  # fmt: skip
        for draws in ("same", "fresh"):
            value = problem(p, q, 1, "1/2", {**noise, "releases": 2, "draws": draws})
            parsed = reader.problem_of(json.loads(json.dumps(value)))
            goal = next(iter(goals_of(parsed, parsed.release.at(F(1)), Check(0))))
            found = composite(goal)
            assert found.shared is (shared and draws == "same")
            if found.shared:
                with pytest.raises(Rejected, match="independent where it is a point"):
                    found.parts()
            assert found.parts_of_x() == [(0, 2)]


def test_every_law_of_every_scale_costs_its_memory() -> None:
    noise = {"kind": "laplace", "scales": [str(k + 1) for k in range(30)], "draws": "same"}
    values = [F(k) for k in range(20)]
    value = problem(cb.atoms(dict.fromkeys(values, F(1, 20))), ONE, 1, "1/2", noise)
    parsed = reader.problem_of(value)
    (goal, _) = goals_of(parsed, parsed.release.at(F(1)), Check(0))
    with work.checking(1000) as check:
        leaves = rules._leaves_of_x(composite(goal), values)
    assert [len(leaf.laws) for leaf in leaves] == 30 * [20]
    assert check.spent >= 256 * 20 * 30


def test_coordinates_in_order() -> None:
    ends = joint([0, 0, 1]), joint([1, 1, 1])
    value = problem(*ends, "1/2", "0.95", cb.many("laplace", 2, scale=1),
                    post=[{"coordinate": "x", "bins": {"edges": ["1/2"]}}])  # fmt: skip
    x, y = (cb.levels(-60, 60, part=[name]) for name in "xy")
    for parts, word in (([x, y], "certified"), ([y, x], "rejected"), ([x, x], "rejected"),
                        ([{**x, "part": 0}, y], "rejected")):  # fmt: skip
        assert said(value, cb.composed(value, cb.said("1/50", 400, *parts))) == word
    spread = joint([0, 0, "1/2"], [1, 1, "1/2"])
    value = {**value, "priors": {**value["priors"], "a": spread}}
    keys = cb.said("1/50", 400, x, y)
    assert said(value, cb.composed(value, keys)) == "rejected"


def test_a_pure_bound_adds_up_for_such_noise() -> None:
    """Points, or fresh draws, with noise that does not become one release."""
    noise = {"kind": "table", "weights": {"0": "1/2", "1": "1/4", "2": "1/4"}, "releases": 3}
    p, q = cb.atoms({0: "1/2", 1: "1/2"}), cb.atoms({0: "1/4", 1: "3/4"})
    part = {"epsilon": "log(2)", "delta": "0", "step": {"rule": "no-noise"}}
    for draws, epsilon, word in (("fresh", "3*log(2)", "certified"), ("fresh", "2", "rejected"),
                                 ("same", "3*log(2)", "rejected")):  # fmt: skip
        value = problem(p, q, epsilon, 0, {**noise, "draws": draws})
        assert said(value, proved(value, "product", {"parts": [part]})) == word
    inner = {"rule": "pure-refuted", "bits": 128, "y": "0", "margin": "0.09"}
    value = problem(p, q, "3/5", 0, {**noise, "draws": "same"})
    steps = [{"rule": "one-refuted", "belief": "default", "from": "a", "to": "b", "release": 0,
              "step": inner}]  # fmt: skip
    assert said(value, kb.certificate(value, "refuted", steps)) == "refuted"


def test_an_inner_refutation_is_of_several_parts() -> None:
    with pytest.raises((Rejected, Malformed)):
        rules.composed_refuted(kb.goal({F(0): F(1)}, {F(0): F(1)}, 1, "1/2"), {
            **cb.said("1/2", 9, {}), "rule": "composed-refuted", "margin": "0.1"})  # fmt: skip


# ---------------------------------------------------------------- on the edge


HALVES = {"kind": "table", "weights": {"0": "1/2", "1": "1/2"}, "releases": 1, "draws": "fresh"}
LESS = f"{10**30 // 2 - 1}/{10**30}"


def test_a_delta_that_is_met() -> None:
    """Half of all outputs of one secret are none of the other's."""
    keys = cb.said("1", 9, cb.levels(-3, 3))
    for delta, word in (("1/2", "certified"), (LESS, "rejected")):
        value = problem(ZERO, ONE, 1, delta, HALVES)
        assert said(value, cb.composed(value, keys)) == word
    spread = cb.atoms({0: "1/2", 1: "1/2"})
    noise = {**HALVES, "draws": "same"}
    plan, back = [["0", "1", "1/2"], ["1", "1", "1/2"]], [["1", "0", "1/2"], ["1", "1", "1/2"]]
    for delta, word in (("1/4", "certified"), (f"{10**30 // 4 - 1}/{10**30}", "rejected")):
        value = problem(spread, ONE, 1, delta, noise)
        cert = proved(value, "composed-coupled", {**keys, "plan": plan}, {**keys, "plan": back})
        assert said(value, cert) == word


def test_a_margin_that_is_met() -> None:
    value = problem(ZERO, ONE, 1, "1/4", HALVES)
    for margin, word in (("0.25", "refuted"), (f"0.25{'0' * 30}1", "rejected")):
        assert said(value, cb.composed_refuted(value, margin, cb.said("1", 9, {}))) == word


def test_a_plan_has_all_masses() -> None:
    """Each entry is needed: also one whose atoms have a rest on one side each."""
    spread = cb.atoms({0: "1/2", 1: "1/2"})
    value = problem(spread, ONE, 1, "1/4", {**HALVES, "draws": "same"})
    plan, back = [["0", "1", "1/2"], ["1", "1", "1/2"]], [["1", "0", "1/2"], ["1", "1", "1/2"]]
    keys = cb.said("1", 9, cb.levels(-3, 3))

    def answer(first: list[list[str]]) -> tuple[str, str]:
        both = {**keys, "plan": first}, {**keys, "plan": back}
        return kb.run(value, proved(value, "composed-coupled", *both))

    assert answer(plan)[0] == "certified"
    for k in range(2):
        assert answer(plan[:k] + plan[k + 1 :])[0] == "rejected"
    assert answer([])[0] == "rejected"
    assert answer([["0", "1", "1/4"], plan[1]])[0] == "rejected"
    assert answer([*plan, ["1", "0", "0"]]) == (
        "malformed", "a plan has positive masses, and each pair once")  # fmt: skip
    assert answer([plan[0], plan[0]])[0] == "malformed"


def test_two_releases_of_a_coordinate_as_it_is() -> None:
    ends = joint([0, 0, 1]), joint([1, 1, 1])
    value = problem(*ends, "1/2", 0, cb.many("discrete-laplace", 2, scale=1, step=1),
                    post=[{"coordinate": "x", "bins": {"edges": ["1/2"]}}])  # fmt: skip
    true = ct.divergence(value, "default", "a", "b")
    x, y = (cb.levels(-100, 100, part=[name]) for name in "xy")
    cuts = {"cuts": ["-1", "0", "1"]}
    bracketed(value, true, cb.said("1/100", 900, x, y),
              cb.said("1/400", 4000, {"part": ["x"]}, {"part": ["y"], **cuts}),
              near=4e-3)  # fmt: skip


def test_an_answer_names_what_it_used() -> None:
    mixture = {"F70", "F71", "F73", "F74"}
    spread = cb.atoms({0: "1/2", 1: "1/2"})
    keys = cb.said("1/20", 200, cb.levels(-40, 40, part=0))
    noise = cb.many("laplace", 2, scale=1)
    bins = [{"bins": {"edges": ["1/2"]}}]
    plan, back = [["0", "1", "1/2"], ["1", "1", "1/2"]], [["1", "0", "1/2"], ["1", "1", "1/2"]]
    value = problem(spread, ONE, "1/2", "0.9", noise, post=bins)
    found = kb.checked(value, proved(value, "composed-coupled", {**keys, "plan": plan},
                                     {**keys, "plan": back}))  # fmt: skip
    assert found.check is not None
    assert found.check.rules["composed-coupled"] == mixture | {"F45", "F45d"}
    value = problem(ZERO, ONE, "1/2", "0.9", noise, post=bins)
    found = kb.checked(value, cb.composed(value, keys))
    assert found.check is not None
    assert found.check.rules["composed"] == {"F70", "F71", "F73", "F45", "F45d"}
    value = problem(ZERO, ONE, "1/2", "0.1", noise, post=[{"clamp": ["-2", "3"]}])
    step = cb.said("1/20", 200, {"part": 0, "cuts": ["0", "1"]})
    found = kb.checked(value, cb.composed_refuted(value, "0.001", step))
    assert found.check is not None
    assert found.check.rules["composed-refuted"] == {"F72", "F73", "F45"}
    value = problem(ZERO, ONE, "1/2", "0.1", noise, post=bins)
    step = cb.said("1/200", 2000, {"part": 0})
    found = kb.checked(value, cb.composed_refuted(value, "0.001", step))
    assert found.check is not None
    assert found.check.rules["composed-refuted"] == {"F72", "F73", "F45", "F45d"}
    found = kb.checked(BASE, cb.composed(BASE, FINE))
    assert found.check is not None
    assert found.check.rules["composed"] == {"F70", "F71", "F73", "F4"}


def test_as_many_levels_as_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST", 5)
    assert len(rules._levels([[0, 2, 1], [4, 5, 1]])) == 5
    with pytest.raises(TooMuchWork, match="more than 5 levels"):
        rules._levels([[0, 2, 1], [4, 6, 1]])


def test_a_coupling_is_for_epsilons_of_at_least_0() -> None:
    """Else a pair of two equal atoms tells them apart."""
    spread = cb.atoms({0: "1/2", 1: "1/2"})
    value = problem(spread, ONE, 1, "1/2", {**HALVES, "draws": "same"})
    parsed = reader.problem_of(json.loads(json.dumps(value)))
    (goal, _) = goals_of(parsed, parsed.release.at(None), Check(0))
    step = {**cb.said("1", 9, cb.levels(-3, 3)), "rule": "composed-coupled",
            "plan": [["0", "1", "1/2"], ["1", "1", "1/2"]]}  # fmt: skip
    rules.composed_coupled(goal._replace(epsilon=F(0)), step)
    for epsilon in (F(-1, 2), F(-2)):
        with pytest.raises(Rejected, match="an epsilon of at least 0"):
            rules.composed_coupled(goal._replace(epsilon=epsilon), step)
