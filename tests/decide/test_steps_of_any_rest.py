"""Steps after the noise on a sum of which one user's part is known: the noisy sum certifies them,
and a number that the others may add refutes."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from support.kernel_run import accepted_certificate, kernel_digest, kernel_said

from pfverify import Problem, certify, loss
from pfverify.answers.calibrate import calibrate
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest

STEPS: list[list[dict[str, Any]]] = [
    [{"round": {"to": "1"}}], [{"threshold": {"at": "2"}}, {"round": {"to": "2"}}],
    [{"clamp": ["0", "3"]}], [{"bins": {"edges": ["1", "3"]}}],
]  # fmt: skip
USER = {"yes": {"point": 1}, "no": {"point": 0}, "away": "absent"}
ANY = {"rest": "any", "others": [{"point": 0, "count": 300}], "user": USER}
SUPPRESSED = [{"threshold": {"at": 5, "keep": "at-least"}}]


def of_any_rest(
    epsilon: str, post: Any, noise: Any = None, delta: str = "0", **system: Any
) -> dict[str, Any]:
    """A sum of which one user's part is known, and steps."""
    stated = {"kind": "laplace", "scale": "2"} if noise is None else noise
    return {"schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": stated,
            "post": post, "system": ANY | system}  # fmt: skip


NOISES = [
    {"kind": "laplace", "scale": "2"},
    {"kind": "discrete-laplace", "scale": "2", "step": "1"},
    {"kind": "laplace", "scale": "8", "releases": 4},
    {"kind": "laplace", "scales": ["4", "4"]},
]


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("post", [*STEPS, SUPPRESSED], ids=str)
def test_of_any_rest_the_noisy_sum_certifies_whatever_follows(post: Any, noise: Any) -> None:
    """The loss is 1/2 in all of these: steps hide nothing new, and add nothing."""
    table = of_any_rest("1/2", post, noise)
    found = Problem.from_table(table)
    assert problem_digest(found) == kernel_digest(table)
    result = certify(found)
    assert accepted_certificate(table, found, result)[1] == "certified"
    less = Problem.from_table(of_any_rest("49/100", post, noise))
    assert not certify(less).certified


BOUNDED = {"kind": "truncated-laplace", "scale": "2", "bound": "10"}
MOVED = [
    (of_any_rest("2/5", SUPPRESSED), "refuted"),
    (of_any_rest("2/5", [{"clamp": ["100", "110"]}]), "refuted"),
    (of_any_rest("2/5", [{"bins": {"edges": ["50", "51"]}}]), "refuted"),
    (of_any_rest("2/5", [{"round": {"to": "1"}}]), "refuted"),
    (of_any_rest("2/5", SUPPRESSED, NOISES[1]), "refuted"),
    (of_any_rest("2/5", SUPPRESSED, release="mean", others=[{"point": 0}]), "certified"),
    (of_any_rest("1/5", SUPPRESSED, release="mean", others=[{"point": 0}]), "refuted"),
    (of_any_rest("1/10", SUPPRESSED, NOISES[2]), "refuted"),
    (of_any_rest("1/10", SUPPRESSED, delta="1/5"), "certified"),
    (of_any_rest("1/10", SUPPRESSED, delta="1/50"), "refuted"),
    (of_any_rest("2/5", SUPPRESSED, user={"a": {"mass": {"0": "1/2", "9": "1/2"}},
                                          "b": {"mass": {"0": "1/9", "9": "8/9"}}}), "refuted"),
    (of_any_rest("2/5", [{"modulo": 7}], NOISES[1]), "refuted"),
    (of_any_rest("1", SUPPRESSED, {"kind": "gaussian", "scale": "2"}, "1/10"), "certified"),
    (of_any_rest("1", SUPPRESSED, {"kind": "gaussian", "scale": "2"}, "1/1000000"), "refuted"),
    (of_any_rest("1", SUPPRESSED, {"kind": "discrete-gaussian", "variance": "4", "step": "1"},
                 "1/10"), "certified"),
    (of_any_rest("1", SUPPRESSED, BOUNDED, "1/10"), "certified"),
    (of_any_rest("1", SUPPRESSED, BOUNDED, "1/100000"), "refuted"),
    (of_any_rest("1", SUPPRESSED, {"kind": "laplace", "total": "1"}), "certified"),
    (of_any_rest("1/2", SUPPRESSED, {"kind": "laplace", "total": "1"}), "refuted"),
    (of_any_rest("1", SUPPRESSED, {"kind": "laplace", "scale": "4", "releases": 3,
                                   "draws": "fresh"}), "certified"),
    (of_any_rest("1/10", SUPPRESSED, {"kind": "laplace", "scale": "4", "releases": 3,
                                      "draws": "fresh"}), "refuted"),
    (of_any_rest("1/10", SUPPRESSED, user={"a": {"mean": 0, "sd": 1}, "b": {"mean": 2, "sd": 1}}),
     "refuted"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "word"), MOVED, ids=[str(k) for k in range(len(MOVED))])
def test_of_any_rest_a_number_that_the_others_may_add_refutes(
    table: dict[str, Any], word: str
) -> None:
    found = Problem.from_table(table)
    result = certify(found)
    assert result.verdict == word
    if result.undecided:
        return
    assert accepted_certificate(table, found, result)[1] == word
    if word == "refuted":
        pair = next(one for one in result.pairs if one.refuted)
        assert pair.witness is not None
        assert pair.proof is not None
        rule, about = pair.proof.step(128)["rule"], str(pair.witness.about)
        far = all("threshold" in step for step in table["post"])  # it leaves a half-line
        assert ("where all others add enough" in about) is far
        assert ("where all others add" in about) is (far or rule == "part-refuted")
        assert pair.loss.upper > Fraction(table["epsilon"])


def test_what_is_known_of_any_rest_is_that_of_a_crowd_that_is_known() -> None:
    """Each sum with a rest that is known loses no more; with one far out about as much."""
    rng, seen = random.Random(5), 0.0
    for _ in range(6):
        base = of_any_rest("1/2", [rng.choice(SUPPRESSED + STEPS[0])])
        most = loss(Problem.from_table(base)).epsilon_star
        for rest in (0, rng.randint(1, 5), 40):
            others = [{"point": rest}]
            known = base | {"system": ANY | {"rest": "known", "others": others}}
            here = loss(Problem.from_table(known)).epsilon_star
            assert here.lower <= most.upper
            seen = max(seen, float(here.lower) / float(most.upper))
    assert seen > 0.999


FORGED = [
    {"part": 0}, {"part": {"release": 1, "rest": "6"}}, {"part": {"release": 0}},
    {"part": {"release": 0, "rest": "6", "more": "1"}}, {"part": {"release": 0, "rest": "12/2"}},
    {"part": {"release": 0, "rest": 6}}, {"part": {"release": 0, "rest": "1"}},
    {"part": ["x"]},
]  # fmt: skip


def test_a_forged_rest_is_not_accepted() -> None:
    table = of_any_rest("2/5", [{"clamp": ["3", "8"]}])
    found = Problem.from_table(table)
    pair = next(one for one in certify(found).pairs if one.refuted and one.from_ == "no")
    assert pair.proof is not None
    step = {"belief": "default", "from": "no", "to": "yes", **pair.proof.step(128)}
    assert step["part"] == {"release": 0, "rest": "5"}
    assert said_of(table, step)[0] == "refuted"
    assert "the others adding 5, one release alone" in said_of(table, step)[1]
    for change in FORGED:
        assert said_of(table, step | change)[0] in ("rejected", "malformed"), change
    known = table | {"system": ANY | {"rest": "known"}}
    assert said_of(known, step)[0] == "rejected"
    given = {key: x for key, x in table.items() if key != "system"} | {
        "noise": NOISES[2],
        "priors": {"no": {"kind": "discrete", "mass": {"0": 1}},
                   "yes": {"kind": "discrete", "mass": {"1": 1}}},
    }  # fmt: skip
    word, why = said_of(given, step)
    assert word == "rejected"
    assert "a rest is added to atoms, where it may be any" in why


def said_of(table: dict[str, Any], step: dict[str, Any]) -> tuple[str, str]:
    """What the kernel says of a refuting step."""
    return kernel_said(Problem.from_table(table), Verdict.REFUTED, [step])


def test_steps_of_any_rest_by_coordinate() -> None:
    """A histogram whose small cells are suppressed, of more categories than a grid has."""
    cells = [f"c{k}" for k in range(12)]
    user = {name: {"point": name} for name in cells[:2]} | {"away": "absent"}
    system = {"rest": "any", "release": "histogram", "categories": cells, "user": user}
    post = [{"coordinate": name, **SUPPRESSED[0]} for name in cells]
    for epsilon, word in (("1", "certified"), ("2/5", "refuted"), ("3/5", None)):
        table = of_any_rest(epsilon, post) | {"system": system}
        found = Problem.from_table(table)
        result = certify(found)
        assert problem_digest(found) == kernel_digest(table)
        if word is not None:
            assert accepted_certificate(table, found, result)[1] == word
        assert not (word is None and result.certified)


def test_what_steps_of_any_rest_do_not_go_with() -> None:
    for change, why in (
        ({"noise": {"kind": "none"}}, "behind a sum with rest = any need noise"),
        ({"form": "pointwise", "delta": "1/10"}, "pointwise"),
        ({"post": [{"coordinate": "x", **SUPPRESSED[0]}]}, "of one number"),
        ({"pre": [{"clamp": [0, 1]}]}, "pre: with rest = any"),
    ):
        table = of_any_rest("1/2", SUPPRESSED) | change
        with pytest.raises(InputError, match=why):
            Problem.from_table(table)
        with pytest.raises(Exception, match=r".") as error:
            kernel_digest(table)
        assert type(error.value).__name__ == "Malformed"
    with pytest.raises(InputError, match="behind a sum with rest = any nothing more is known"):
        calibrate(Problem.from_table(of_any_rest("1/2", SUPPRESSED)))
    later = Problem.from_table(of_any_rest("1/2", SUPPRESSED)).replaced(scale="4")
    assert Problem.from_text(later.to_toml()) == later
    assert float(loss(later).epsilon_star.upper) == 0.25


HISTOGRAM = {
    "release": "histogram", "rest": "any", "categories": ["north", "south"],
    "others": [{"point": "north", "count": 100}],
    "user": {"north": {"point": "north"}, "south": {"point": "south"}, "away": "absent"},
}  # fmt: skip
FAR_STEPS = [[{"threshold": {"at": 5}}], [{"threshold": {"at": 0, "keep": "above"}}] * 2]
FAR_NOISES = [
    {"kind": "laplace", "scale": "2", "releases": 52},
    {"kind": "laplace", "scale": "2", "releases": 52, "draws": "fresh"},
    {"kind": "laplace", "scales": ["2", "4"], "draws": "fresh"},
    {"kind": "discrete-laplace", "scale": "2", "step": "1", "releases": 3},
    {"kind": "gaussian", "scale": "2"},
    {"kind": "laplace", "total": "2"},
]


@pytest.mark.parametrize("noise", FAR_NOISES, ids=str)
@pytest.mark.parametrize("post", FAR_STEPS, ids=str)
@pytest.mark.parametrize("delta", ["0", "1/1000"])
def test_of_any_rest_a_threshold_hides_nothing(post: Any, noise: Any, delta: str) -> None:
    """The rest may move everything past it: every number is that of the noisy sum, both ways."""
    asked = 0
    for epsilon in ("1/4", "60"):
        table = of_any_rest(epsilon, post, noise, delta)
        found = Problem.from_table(table)
        bare = {key: x for key, x in table.items() if key != "post"}
        result, plain = certify(found), certify(Problem.from_table(bare))
        assert result.verdict == plain.verdict
        assert [pair.loss for pair in result.pairs] == [pair.loss for pair in plain.pairs]
        assert [pair.delta for pair in result.pairs] == [pair.delta for pair in plain.pairs]
        if not result.undecided:
            asked += 1
            assert accepted_certificate(table, found, result)[1] == result.verdict
    assert asked >= (2 if delta == "0" and noise["kind"] != "gaussian" else 1)


def test_of_any_rest_a_threshold_for_each_category_hides_nothing() -> None:
    post = [{"coordinate": name, "threshold": {"at": 5}} for name in ("north", "south")]
    for epsilon, delta, word in (("1/2", "0", "refuted"), ("1/2", "1e-6", "refuted"),
                                 ("1", "0", "certified")):  # fmt: skip
        table = of_any_rest(epsilon, post, delta=delta) | {"system": HISTOGRAM}
        found = Problem.from_table(table)
        result = certify(found)
        assert result.verdict == word
        assert accepted_certificate(table, found, result)[1] == word
        assert {float(pair.loss.upper) for pair in result.pairs} == {0.5, 1}


def test_what_the_others_cannot_move_past_a_step_is_not_refuted_so() -> None:
    """A clamp leaves no half-line; a rest that is known moves nothing."""
    table = of_any_rest("2/5", SUPPRESSED, {"kind": "laplace", "scale": "2", "releases": 3})
    found = Problem.from_table(table)
    pair = next(one for one in certify(found).pairs if one.refuted and one.from_ == "no")
    assert pair.proof is not None
    step = {"belief": "default", "from": "no", "to": "yes", **pair.proof.step(128)}
    assert said_of(table, step)[0] == "refuted"
    assert said_of(table, step | {"margin": "2"})[0] == "rejected"
    for post in ([{"clamp": ["3", "8"]}], [{"round": {"to": "1"}}], [{"modulo": 7}],
                 [{"threshold": {"at": 5}}, {"clamp": ["0", "9"]}]):  # fmt: skip
        word, why = said_of(table | {"post": post}, step)
        assert (word, "may hide" in why) == ("rejected", True), post
    given = {key: x for key, x in table.items() if key != "system"} | {
        "priors": {"no": {"kind": "discrete", "mass": {"0": 1}},
                   "yes": {"kind": "discrete", "mass": {"1": 1}}}}  # fmt: skip
    word, why = said_of(given, step)
    assert (word, "may hide" in why) == ("rejected", True)
