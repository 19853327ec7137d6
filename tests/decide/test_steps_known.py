"""Steps after the noise: values that were worked out by hand or elsewhere, and the kernel."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.kernel_run import accepted_certificate, checker

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    InputError,
    Laplace,
    Nothing,
    Problem,
    TruncatedLaplace,
    calibrate,
    certify,
    loss,
    sample,
)

UNIFORM = {"a": Discrete(dict.fromkeys(range(5), "1/5")), "b": Discrete({2: 1})}
HALF = {"a": Discrete({0: 1}), "b": Discrete({"1/2": 1})}
NEAR = {"a": Discrete({0: 1}), "b": Discrete({"2/5": 1})}
APART = {"a": Discrete({0: "1/2", 10: "1/2"}), "b": Discrete({4: "1/2", "5.2": "1/2"})}
ROUNDED = [{"round": {"to": 1}}]
# delta of a count of 1 under discrete Laplace noise of scale 1, at least 5 kept, and above 5
KEPT, ABOVE = "exp(-4)/(1+exp(-1))", "exp(-5)/(1+exp(-1))"


def thresholded(delta: Any, keep: str = "at-least") -> Problem:
    return Problem(
        {"row": Discrete({1: 1}), "none": Nothing()}, noise=DiscreteLaplace(1), epsilon=5,
        delta=delta, post=[{"threshold": {"at": 5, "keep": keep}}],
    )  # fmt: skip


def kernel_word(problem: Problem) -> str:
    found: str = accepted_certificate(problem.to_table(), problem, certify(problem))[1]
    return found


@pytest.mark.parametrize(
    ("keep", "delta", "verdict", "tie"),
    [
        ("at-least", KEPT, "certified", True),
        ("at-least", ABOVE, "refuted", False),  # what OpenDP reports, its issue 2922
        ("above", ABOVE, "certified", True),
        ("above", "0.0049", "refuted", False),
    ],
)
def test_a_thresholded_count(keep: str, delta: str, verdict: str, tie: bool) -> None:
    problem = thresholded(delta, keep)
    found = certify(problem)
    assert (found.verdict, found.pairs[0].tie) == (verdict, tie)
    assert Problem.from_text(problem.to_toml()) == problem
    assert kernel_word(problem) == verdict


@pytest.mark.parametrize(
    ("priors", "scale", "epsilon", "star", "delta"),
    [
        (HALF, 1, "1/4", "0.5", "0.110599608464"),
        (UNIFORM, 1, "1/10", "0.842476483503", "0.220485544497"),
        (UNIFORM, 3, "1/10", "0.305720914666", "0.029322616240"),
        (NEAR, "1/100", "1/10", None, "0.0000226999"),
        (NEAR, "1/5", "1/10", None, "0.2579"),
        (NEAR, 1, "1/10", None, "0.117258"),
    ],
)
def test_rounded_numbers(
    priors: Any, scale: Any, epsilon: str, star: str | None, delta: str
) -> None:
    problem = Problem(priors, noise=Laplace(scale), post=ROUNDED, epsilon=epsilon)
    found = loss(problem)
    assert found.delta is not None
    assert str(found.delta.lower).startswith(delta)
    if star is not None:
        assert float(found.epsilon_star.lower) <= float(star) + 1e-12
        assert float(found.epsilon_star.upper) >= float(star)
    assert kernel_word(problem) == "refuted"


def test_more_noise_is_not_always_more_private() -> None:
    """Design fact F46: the private scales are no up-set, with delta and without."""
    words = [
        certify(Problem(NEAR, noise=Laplace(b), post=ROUNDED, epsilon="1/10", delta=delta)).verdict
        for b, delta in (("1/100", "1/1000"), ("1/5", "1/1000"), (1, "1/1000"), (4, 0))
    ]
    assert words == ["certified", "refuted", "refuted", "certified"]
    stars = [
        loss(Problem(APART, noise=Laplace(b), post=[{"bins": {"edges": [5]}}], epsilon=1))
        for b in ("0.01", "0.3", 30)
    ]
    sizes = [float(one.epsilon_star.upper) for one in stars]
    assert sizes[0] < sizes[2] < sizes[1]
    tie = Problem(NEAR, noise=Laplace(4), post=ROUNDED, epsilon="1/10")
    assert any(pair.tie for pair in certify(tie).pairs)
    assert kernel_word(tie) == "certified"


def test_what_is_not_hidden_may_all_become_what_the_smallest_atom_does() -> None:
    """From 5 on numbers become 10 or more: with the rest hidden, nothing lies below 10."""
    problem = Problem(
        {"a": Discrete({7: 1}), "b": Discrete({12: 1})}, noise=DiscreteLaplace(1), epsilon=0,
        delta="1 - (exp(-2)+exp(-4))/(1+exp(-1))",  # of Y >= 11
        post=[{"threshold": {"at": 5}}, {"clamp": [10, 20]}],
    )  # fmt: skip
    found = certify(problem)
    assert [pair.tie for pair in found.pairs] == [True, True]
    assert kernel_word(problem) == "certified"


@pytest.mark.parametrize(
    "post",
    [
        [{"round": {"to": 1}}, {"clamp": [0, 1]}],
        [{"round": {"to": 1}}, {"bins": {"edges": [1]}}],
        [{"round": {"to": 1}}, {"bins": {"edges": list(range(-4000, 4000))}}],
    ],
)
def test_an_output_that_never_ends_is_found_at_once(post: Any) -> None:
    """Rounding alone ends everywhere: what follows makes all that is large one output."""
    problem = Problem(HALF, noise=Laplace(1), post=post, epsilon="1/2")
    assert certify(problem).pairs[0].tie
    assert kernel_word(problem) == "certified"


def test_rounding_far_below_the_step_of_the_lattice() -> None:
    fine = [{"round": {"to": "1/1000000"}}]
    priors = {"a": Discrete({0: 1}), "b": Discrete({4: "1/2", 7: "1/2"})}
    found = [loss(Problem(priors, noise=DiscreteLaplace(2), epsilon="1/4", post=post))
             for post in (fine, None)]  # fmt: skip
    assert found[0].delta == found[1].delta
    assert found[0].epsilon_star == found[1].epsilon_star


def test_no_row_needs_a_threshold_that_hides_numbers() -> None:
    """All stays, so that suppressed is no part of the line: it was left out, and so was a loss."""
    row = Discrete({1: 1})
    post = [{"clamp": [0, 10]}, {"threshold": {"at": -5}}]
    with pytest.raises(InputError, match="nothing is always told apart"):
        Problem({"a": row, "b": Nothing(row, "1/2")}, noise=Laplace(1), epsilon=1, post=post)
    problem = Problem({"a": row, "b": Nothing(row, 1)}, noise=Laplace(1), epsilon=1, post=post)
    assert certify(problem).verdict == "certified"
    table = problem.to_table()
    table["priors"]["b"] = {"kind": "nothing", "or": table["priors"]["a"], "chance": "1/2"}
    word, message = checker.check_bytes(json.dumps(table).encode(), True, b"{}")
    assert (word, message) == ("malformed", "nothing needs a threshold that hides numbers")
    on_lattice = Problem(
        {"a": row, "b": Nothing(row, "1/2")}, noise=DiscreteLaplace(1), epsilon=1, post=post
    )
    assert certify(on_lattice).verdict == "refuted"
    assert kernel_word(on_lattice) == "refuted"


def test_numbers_that_stay_where_no_point_of_the_lattice_lies() -> None:
    """Between 22/3 and 25/3 numbers stay what they are, but there are none."""
    problem = Problem(
        {"a": Discrete({"1/3": 1}), "b": Discrete({"25/3": 1})}, epsilon=0,
        noise=DiscreteLaplace(3, step=2), delta="(1-exp(-8/3))/(1+exp(-2/3))",
        post=[{"clamp": [0, "25/3"]}, {"threshold": {"at": "22/3"}}],
    )  # fmt: skip
    assert [pair.tie for pair in certify(problem).pairs] == [True, True]
    assert kernel_word(problem) == "certified"


def test_wrapping_after_the_noise_keeps_the_guarantee() -> None:
    near = {"a": Discrete({15: 1}), "b": Discrete({16: 1})}
    plain = Problem(near, noise=DiscreteLaplace(2), epsilon="1/2")
    wrapped = Problem(near, noise=DiscreteLaplace(2), post=[{"modulo": 16}], epsilon="1/2")
    assert certify(plain).verdict == certify(wrapped).verdict == "certified"
    assert kernel_word(wrapped) == "certified"


@pytest.mark.parametrize(
    ("post", "message"),
    [
        ([], "post: expected a list of steps, at least one"),
        ([{"clamp": [3, 1]}], "post[0].clamp: low: 3 is above high, which is 1"),
        ([{"bins": {"edges": [0]}}, {"round": {"to": 1}}],
         "post[1]: round follows bins, whose outputs have names; expected bins as the last step"),
        ([{"bins": {"edges": [0, 0]}}], "post[0].bins: edges[1]: 0 is not above 0"),
        ([{"round": {"to": 1}}, {"modulo": 0}], "post[1].modulo: modulus: 0 is not > 0"),
        ([{"round": {}}], "post[0].round: missing key 'to'"),
        ([{"round": {"to": 0}}], "post[0].round: to: 0 is not > 0"),
        ([{"round": {"to": 1, "ties": "odd"}}], "ties: 'odd' is unknown"),
        ([{"threshold": {"at": 1, "keep": "all"}}], "keep: 'all' is unknown"),
        ([{"rounding": {}}], "unknown key 'rounding'"),
    ],
)  # fmt: skip
def test_bad_steps_are_named(post: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Problem(HALF, noise=Laplace(1), post=post, epsilon=1)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("priors", "noise", "message"),
    [
        ({"a": Nothing(), "b": Discrete({0: 1})}, Laplace(1), "kind nothing needs a threshold"),
        ({"a": Discrete({"1/3": 1}), "b": Discrete({0: 1})}, DiscreteLaplace(1), "one lattice"),
    ],
)
def test_priors_that_steps_do_not_take(priors: Any, noise: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Problem(priors, noise=noise, post=ROUNDED, epsilon=1)


def pointwise(post: Any, **changes: Any) -> Problem:
    given = {"noise": Laplace(1), "epsilon": 1, "delta": "1/2", "form": "pointwise"} | changes
    return Problem(HALF, post=post, **given)


@pytest.mark.parametrize(
    ("post", "words"),
    [(ROUNDED, "outputs without end"), ([{"clamp": [0, 1]}], "densities beside single outputs"),
     ([*ROUNDED, {"threshold": {"at": 3}}], "outputs without end"),
     ([{"threshold": {"at": 3}}], "densities beside single outputs")],
)  # fmt: skip
def test_the_pointwise_form_is_refused_where_outputs_are_endless_or_mixed(
    post: Any, words: str
) -> None:
    for ask in (certify, loss):
        with pytest.raises(InputError, match=f"form: .*{words}"):
            ask(pointwise(post))


@pytest.mark.parametrize("post", [ROUNDED, [*ROUNDED, {"clamp": [0, 1]}]])
def test_no_scale_is_private_output_by_output_because_it_is_without_steps(post: Any) -> None:
    with pytest.raises(InputError, match="a bound of single outputs does not survive a step"):
        calibrate(pointwise(post))


def test_an_output_beyond_the_numbers_counts_by_itself() -> None:
    """Two bins below every number: as one event they exceed delta, the larger one meets it."""
    post, delta = [{"bins": {"edges": [-10, 0, 8]}}], "(1-exp(-1))/2*(1-exp(-1/25))"
    asked = {"noise": Laplace(10), "epsilon": "1/100"}
    met = certify(pointwise(post, delta=delta, **asked))
    assert (met.verdict, any(pair.tie for pair in met.pairs)) == ("certified", True)
    missed = certify(pointwise(post, delta=f"{delta}-1e-20", **asked))
    assert missed.verdict == "refuted"
    assert missed.pairs[0].witness.output == "[-10, 0)"
    assert certify(pointwise(post, delta=delta, form="events", **asked)).verdict == "refuted"


def test_scales_are_those_without_the_steps_and_some_below() -> None:
    tens = [{"round": {"to": 10}}]
    laws = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    coarse = Problem(laws, noise=Laplace(), epsilon="1/2", delta="1/100", post=tens)
    found = calibrate(coarse)
    plain = calibrate(Problem(laws, noise=Laplace(), epsilon="1/2", delta="1/100"))
    assert found.methods["unprocessed"].scale == plain.minimum.upper
    assert found.methods["unprocessed"].waste is None
    assert "more noise is not always more private" in found.not_applicable["minimum"]
    below = found.methods["below"].scale
    assert below < found.methods["unprocessed"].scale
    assert certify(coarse.replaced(scale=str(below))).verdict == "certified"
    with pytest.raises(InputError, match="nothing is no number"):
        calibrate(thresholded(0))


def test_no_scale_without_the_steps_says_anything_of_truncated_noise_with_them() -> None:
    laws = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    asked = Problem(laws, noise=TruncatedLaplace(1, 9), post=[{"threshold": {"at": 2}}],
                    epsilon=1, delta="1/100")  # fmt: skip
    found = calibrate(asked)
    assert "unprocessed" not in found.methods
    assert "more noise is not always more private" in found.not_applicable["minimum"]
    scale = str(found.methods["tried"].scale)
    assert certify(asked.replaced(scale=scale)).verdict == "certified"


def test_truncated_noise_that_is_rounded() -> None:
    """0 against 1/2, scale 1, at most 3: 3 is possible under the second alone, with mass delta."""
    alone = "(exp(-5/2)-exp(-3))/(2*(1-exp(-3)))"
    problem = Problem(HALF, noise=TruncatedLaplace(1, 3), epsilon=20, delta=alone,
                      post=[{"floor": {"to": 1}}])  # fmt: skip
    seen = {pair.from_: (pair.tie, str(pair.loss.upper)) for pair in certify(problem).pairs}
    assert seen["b"] == (True, "inf")
    assert not seen["a"][0]
    assert kernel_word(problem) == "certified"
    less = problem.replaced(delta=f"{alone} - 1e-30")
    assert kernel_word(less) == "refuted"
    assert [p.witness.outputs for p in certify(less).pairs if p.witness is not None] == [["3"]]
    fewer = problem.replaced(epsilon=0, delta="(1-exp(-1/2))/(2*(1-exp(-3)))")
    split = Problem.from_table(fewer.to_table() | {"post": [{"bins": {"edges": [0]}}]})
    assert [pair.tie for pair in certify(split).pairs] == [True, True]
    assert kernel_word(split) == "certified"


@pytest.mark.parametrize("noise", [TruncatedLaplace(0, 3), DiscreteGaussian(0), Laplace(0)])
@pytest.mark.parametrize("post", [None, ROUNDED])
def test_without_noise_the_value_itself_is_published(noise: Any, post: Any) -> None:
    laws = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({1: 1})}
    tie = Problem(laws, noise=noise, post=post, epsilon=1, delta="1/2")
    assert [pair.tie for pair in certify(tie).pairs] == [True, False]
    assert kernel_word(tie) == "certified"
    assert kernel_word(tie.replaced(delta="49/100")) == "refuted"


def test_a_draw_goes_through_the_steps() -> None:
    problem = thresholded(KEPT)
    outputs = {sample(problem, value=1).draws[0] for _ in range(40)}
    assert "suppressed" in outputs
    assert all(y == "suppressed" or int(y) >= 5 for y in outputs)


def test_on_a_lattice_the_steps_stay() -> None:
    line = Problem(UNIFORM, noise=Laplace(3), post=ROUNDED, epsilon="1/2")
    found = line.on_lattice(1)
    assert isinstance(found.release.noise, DiscreteLaplace)
    assert sample(found, value=1).drawn == "output"
    with pytest.raises(InputError, match="may be no number"):
        Problem({"row": Discrete({1: 1}), "none": Nothing()}, noise=Laplace(1), epsilon=5,
                post=[{"threshold": {"at": 5}}]).on_lattice(1)  # fmt: skip
