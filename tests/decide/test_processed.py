"""Steps behind several numbers, or many releases: met without them, or failed by a part."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.kernel_run import accepted_certificate, kernel_said

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    Laplace,
    Problem,
    certify,
    loss,
    sample,
)
from pfverify.edge.words import witness_words
from pfverify.errors import InputError
from pfverify.exact.number import number
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.repeated import Budget, Repeated

A = Joint(["a", "b"], [[0, 0, "1/2"], [1, 1, "1/2"]])
B = Joint(["a", "b"], [[0, 1, "1/3"], [1, 0, "2/3"]])
ROUND = {"round": {"to": "1"}}
ON_B = [{"coordinate": "b", **ROUND}]


def asked(noise: object, post: list[dict[str, Any]], epsilon: object, delta: object = 0,
          priors: Any = None) -> Problem:  # fmt: skip
    """A problem with steps."""
    laws = {"p": A, "q": B} if priors is None else priors
    return Problem(laws, noise=noise, post=post, epsilon=epsilon, delta=delta)  # type: ignore[arg-type]


def word(problem: Problem) -> str:
    """The verdict, which the kernel says too."""
    result = certify(problem)
    if not result.undecided:
        assert accepted_certificate(problem.to_table(), problem, result)[1] == result.verdict
    return str(result.verdict.value)


UNIFORM = {"p": Discrete(dict.fromkeys(range(5), "1/5")), "q": Discrete({2: 1})}


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (asked(Laplace(1), ON_B, 1), "certified"),
        (asked(Laplace(1), ON_B, "1/20"), "refuted"),
        (asked(Coordinates(Laplace(), [1, 2]), ON_B, "1/20"), "refuted"),  # type: ignore[arg-type]
        (asked(Laplace(1), ON_B, "1/20", "1/1000"), "refuted"),
        (asked(Laplace(1), ON_B, "2/5"), "undecided"),
        (asked(Repeated(Laplace(4), count=2), ON_B, "3/5"), "certified"),  # type: ignore[arg-type]
        (asked(Repeated(Laplace(3), count=10), [ROUND], "5.1", priors=UNIFORM), "certified"),
        (asked(Repeated(Laplace(1), count=10), [ROUND], "0.3", priors=UNIFORM), "refuted"),
        (asked(Repeated(Laplace(1), scales=[5, 1]), [ROUND], "0.3", priors=UNIFORM), "refuted"),
        (asked(Repeated(Laplace(1), count=3, draws="fresh"), [ROUND], "0.3", priors=UNIFORM),
         "refuted"),
        (asked(Repeated(Laplace(9), count=3, draws="fresh"), [ROUND], "2", priors=UNIFORM),
         "certified"),
        (asked(Budget(Laplace(), "1/4"), [ROUND], "2", priors=UNIFORM), "certified"),
        (asked(Repeated(GaussianNoise(3), count=4), [ROUND], 1, "1/10",
               {"p": Gaussian(0, variance=1), "q": Gaussian(1, variance=1)}), "certified"),
        (asked(Repeated(GaussianNoise(1), count=4), [ROUND], "1/10", "1/100",
               {"p": Gaussian(0, variance=1), "q": Gaussian(3, variance=1)}), "refuted"),
        # a log ratio of exactly 1: the margin 1/4 itself is no bound that enclosures prove
        (asked(DiscreteLaplace(1, step=1), [{"coordinate": "b", "clamp": ["0", "2"]}], "3/4",
               priors={n: Joint(["a", "b"], [[x, 2, 1]]) for n, x in (("p", 2), ("q", 1))}),
         "refuted"),
    ],
)  # fmt: skip
def test_verdicts_that_the_kernel_shares(problem: Problem, expected: str) -> None:
    assert word(problem) == expected


def random_problem(rng: random.Random) -> tuple[Problem, Problem]:
    """One with steps, and the same without."""
    points = rng.sample([(x, y) for x in range(3) for y in range(3)], 6)
    laws = {}
    for name, own in (("p", points[:4]), ("q", points[2:])):
        weights = [rng.randint(1, 9) for _ in own]
        rows = [[*point, weight] for point, weight in zip(own, weights, strict=True)]
        laws[name] = Joint(["a", "b"], counts=rows)
    kind: Callable[[Fraction], Any] = rng.choice([Laplace, lambda s: DiscreteLaplace(s, step=1)])
    noise = kind(Fraction(rng.randint(2, 12), 2))
    kinds: list[dict[str, Any]] = [ROUND, {"clamp": ["0", "1"]}, {"floor": {"to": 2}}]
    steps = [{"coordinate": name, **rng.choice(kinds)}
             for name in rng.choice([["a"], ["b"], ["a", "b"], ["b", "b"]])]  # fmt: skip
    epsilon, delta = Fraction(rng.randint(1, 40), 20), rng.choice([Fraction(0), Fraction(1, 50)])
    plain = Problem(laws, noise=noise, epsilon=epsilon, delta=delta)
    return asked(noise, steps, epsilon, delta, laws), plain


def test_steps_never_tell_more() -> None:
    rng, seen = random.Random(1), set()
    for _ in range(25):
        problem, plain = random_problem(rng)
        found = word(problem)
        seen.add(found)
        without = certify(plain)
        assert found != "refuted" or without.refuted
        assert found != "undecided" or not without.certified
        ends, least = loss(problem).epsilon_star, loss(plain).epsilon_star
        assert ends.lower <= least.upper
        assert abs(float(ends.upper) - float(least.upper)) < 1e-9
    assert seen == {"certified", "refuted", "undecided"}


def test_what_is_read_back_and_what_is_refused() -> None:
    problem = asked(Coordinates(Laplace(), [1, 2]), ON_B, "1/2")
    assert Problem.from_text(problem.to_toml()) == problem
    assert "b: round" in problem.release.assumed(bare=False)[0]
    for post, said in (
        ([ROUND], "coordinate"),
        ([{"coordinate": "c", **ROUND}], "unknown"),
        ([{"coordinate": "a", "bins": {"edges": [0]}}, {"coordinate": "a", **ROUND}], "last step"),
        ([{"coordinate": "a"}], "post"),
        ([{"coordinate": 1, **ROUND}], "not text"),
    ):
        with pytest.raises(InputError, match=said):
            asked(Laplace(1), post, 1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="of one number"):
        asked(Laplace(1), ON_B, 1, priors=UNIFORM)
    with pytest.raises(InputError, match="above 0"):
        asked(Laplace(0), ON_B, 1)
    with pytest.raises(InputError, match="same as events"):
        Problem({"p": A, "q": B}, noise=Laplace(1), post=ON_B, epsilon=1, form="pointwise")


def test_noise_before_such_steps_is_not_drawn() -> None:
    noise = Coordinates(DiscreteLaplace(step=1), [1, 2])
    with pytest.raises(InputError, match="not drawn"):
        sample(asked(noise, ON_B, 5))  # type: ignore[arg-type]


FORGED = {
    "another coordinate": {"part": ["a"]},
    "no coordinate": {"part": []},
    "both, with steps": {"part": ["a", "b"]},
    "twice": {"part": ["b", "b"]},
    "unknown": {"part": ["c"]},
    "a release": {"part": 0},
    "inside itself": {"step": {"rule": "part-refuted", "part": ["b"], "step": {}}},
    "a collapsed step": {"step": {"rule": "grid-refuted", "bits": 128, "y": ["0", "0"],
                                  "margin": "1/100"}},
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_part_is_not_accepted(name: str, tmp_path: Path) -> None:
    problem = asked(Coordinates(Laplace(), [1, 2]), ON_B, "1/20")
    result = certify(problem)
    pair = next(one for one in result.pairs if one.refuted)
    assert pair.proof is not None
    names = {"belief": "default", "from": pair.from_, "to": pair.to}
    step = {**names, **pair.proof.step(128)}
    assert step["rule"] == "part-refuted"
    assert step["part"] == ["b"]
    assert kernel_said(problem, result.verdict, [step])[0] == "refuted"
    said, _ = kernel_said(problem, result.verdict, [{**step, **FORGED[name]}])
    assert said in ("rejected", "malformed")


def test_a_refutation_of_the_noisy_numbers_is_none_of_the_outputs() -> None:
    problem = asked(Laplace(1), ON_B, "2/5")
    plain = Problem({"p": A, "q": B}, noise=Laplace(1), epsilon="2/5")
    pair = next(one for one in certify(plain).pairs if one.refuted)
    assert pair.proof is not None
    step = {"belief": "default", "from": pair.from_, "to": pair.to, **pair.proof.step(128)}
    said, message = kernel_said(problem, certify(plain).verdict, [step])
    assert said == "rejected"
    assert "hide" in message


def test_steps_that_are_not_worked_out_refute_nothing() -> None:
    normal = {"p": Gaussian(0, variance=1), "q": Gaussian(1, variance=1)}
    modulo = [{"modulo": 16}]
    noise = Repeated(GaussianNoise(9), count=4)
    assert word(asked(noise, modulo, 1, "1/10", normal)) == "certified"  # type: ignore[arg-type]
    assert word(asked(noise, modulo, 0, "1/100", normal)) == "undecided"  # type: ignore[arg-type]


POINTS = {"p": Discrete({11: 1}), "q": Discrete({10: 1})}
MIXED = {"p": Discrete({10: "1/3", 12: "2/3"}), "q": Discrete({10: 1})}
AT_5 = {"threshold": {"at": 5, "keep": "at-least"}}
FIVE = {
    name: Joint([f"w{k}" for k in range(5)], [[*[x] * 5, 1]]) for name, x in (("p", 11), ("q", 10))
}


@pytest.mark.parametrize(
    ("noise", "post", "priors", "exact"),
    [
        (Repeated(Laplace(2), count=2), [AT_5], POINTS, 1),
        (Repeated(Laplace(2), count=52), [AT_5], POINTS, 26),
        (Repeated(Laplace(2), count=2, draws="fresh"), [AT_5], POINTS, 1),
        (Repeated(Laplace(2), scales=[2, 4], draws="fresh"), [{"clamp": [0, 20]}], POINTS, "3/4"),
        (Repeated(DiscreteLaplace(2, step=1), count=2), [ROUND], MIXED, "log((exp(-2)+2)/3)+2"),
        (Repeated(Laplace(2), count=2), [AT_5], MIXED, "log((exp(-2)+2)/3)+2"),
        (Budget(Laplace(), 1), [AT_5], POINTS, 1),
        (Repeated(Laplace(2), count=2), [{"threshold": {"at": 50}}], POINTS, 1),
        (Laplace(2), [{"coordinate": f"w{k}", **AT_5} for k in range(5)], FIVE, "5/2"),
    ],
)  # fmt: skip
def test_what_the_steps_keep_refutes(
    noise: object, post: list[dict[str, Any]], priors: Any, exact: Any
) -> None:
    """The noisy numbers lose so much at outputs that the steps leave as they are."""
    problem = asked(noise, post, exact, 0, priors)
    assert word(problem) == "certified"
    found = loss(problem).epsilon_star
    value = float(number(exact).ball().raw.mid())
    assert value - 1e-10 < float(found.lower) <= float(found.upper) < value + 1e-10
    below = problem.replaced(epsilon=Fraction(value) - Fraction(1, 10**9))
    assert word(below) == "refuted"


def test_steps_may_hide_where_noisy_numbers_fail() -> None:
    """Two releases of 0 against 1 in bins: one bit of each loses log 2.297, not 1."""
    bins, two = [{"bins": {"edges": ["1/2"]}}], Repeated(Laplace(1), count=2)
    points = {"p": Discrete({0: 1}), "q": Discrete({1: 1})}
    problem = asked(two, bins, "1.664", 0, points)
    assert word(problem) == "certified"
    assert word(problem.replaced(epsilon="1.663")) == "refuted"
    found = loss(problem).epsilon_star
    each = math.log((1 - math.exp(-0.5) / 2) / (math.exp(-0.5) / 2))
    assert abs(float(found.lower) - 2 * each) < 1e-10
    assert float(found.upper) - float(found.lower) < 1e-10
    # of one X that is two atoms the outputs are not independent, and bins leave no number as it is
    mixed = {"p": Discrete({0: "1/2", 1: "1/2"}), "q": Discrete({1: 1})}
    assert word(asked(two, bins, "0.9", 0, mixed)) == "undecided"
    fresh = Repeated(Laplace(1), count=2, draws="fresh")
    assert word(asked(fresh, bins, "0.9", 0, mixed)) == "refuted"
    assert word(asked(fresh, bins, "1.1", 0, mixed)) == "certified"


def test_a_coordinate_that_is_the_same_adds_nothing() -> None:
    """Only c differs, by 1 in bins of which one bit is seen; only there is a witness."""
    laws = {name: Joint(["a", "b", "c"], [[3, 1, x, 1]]) for name, x in (("p", 0), ("q", 1))}
    post = [{"coordinate": "a", **ROUND}, {"coordinate": "c", "bins": {"edges": ["1/2"]}}]
    problem = asked(Laplace(1), post, "0.8", 0, laws)
    assert word(problem) == "refuted"
    assert word(problem.replaced(epsilon="0.84")) == "certified"
    assert abs(float(loss(problem).epsilon_star.upper) - 0.831796565752) < 1e-11
    two = asked(Repeated(Laplace(1), count=2), post, "1.6", 0, laws)  # type: ignore[arg-type]
    pair = certify(two).pairs[0]
    assert pair.rule == "product-refuted"
    assert pair.witness is not None
    assert [part.about for part in pair.witness.parts or []] == ["c"]
    assert word(two) == "refuted"
    assert word(two.replaced(epsilon="1.67")) == "certified"
    assert word(two.replaced(epsilon="0.2", delta="1/100")) == "refuted"


def clamped(law: Discrete, scale: float, draws: str) -> dict[tuple[int, int], float]:
    """Two releases with discrete Laplace noise, clamped to 0, .., 3: every output."""
    decay = math.exp(-1 / scale)

    def of(x: int, y: int) -> float:
        inner = (1 - decay) / (1 + decay) * decay ** abs(y - x)
        beyond = decay ** abs(y - x) / (1 + decay)  # y and further out, on the side away from x
        if y == 0:
            return beyond if x >= 0 else 1 - decay / (1 + decay) * decay ** (y - x)
        if y == 3:
            return beyond if x <= 3 else 1 - decay / (1 + decay) * decay ** (x - y)
        return inner

    mass = {int(x): float(m) for x, m in law.mass.items()}
    found = {}
    for one in range(4):
        for other in range(4):
            if draws == "same":
                found[one, other] = sum(m * of(x, one) * of(x, other) for x, m in mass.items())
            else:
                found[one, other] = math.prod(
                    sum(m * of(x, y) for x, m in mass.items()) for y in (one, other)
                )
    assert math.isclose(sum(found.values()), 1)
    return found


def test_releases_behind_a_clamp_against_all_outputs() -> None:
    rng, seen, tight = random.Random(3), Counter[str](), 0
    for _ in range(12):
        laws = {}
        for name in "pq":
            atoms = rng.sample(range(-1, 5), rng.choice([1, 1, 2]))
            laws[name] = Discrete(counts={x: rng.randint(1, 5) for x in atoms})
        scale, draws = rng.choice([1, 2]), rng.choice(["same", "fresh"])
        noise = Repeated(DiscreteLaplace(scale, step=1), count=2, draws=draws)
        p, q = (clamped(laws[name], scale, draws) for name in "pq")
        truth = max(abs(math.log(p[y] / q[y])) for y in p)
        problem = asked(noise, [{"clamp": [0, 3]}], Fraction(truth) + Fraction(1, 10**6), 0, laws)
        found = loss(problem).epsilon_star
        assert float(found.lower) - 1e-9 <= truth <= float(found.upper) + 1e-9
        near = float(found.upper) - float(found.lower) < 1e-9
        tight += near
        assert near or draws == "same"
        above, below = word(problem), word(problem.replaced(epsilon=Fraction(max(truth - 1e-6, 0))))
        assert above != "refuted"
        assert below != "certified"
        assert not near or truth == 0 or (above, below) == ("certified", "refuted")
        seen.update([above, below])
    assert seen["certified"] > 3
    assert seen["refuted"] > 3
    assert 6 < tight < 12  # the others are of one X with two atoms


def test_a_witness_names_its_outputs() -> None:
    fresh = Repeated(Laplace(2), count=2, draws="fresh")
    pair = certify(asked(fresh, [AT_5], "3/5", 0, POINTS)).pairs[0]
    assert pair.rule == "product-refuted"
    assert pair.witness is not None
    (part,) = pair.witness.parts or []
    assert part.about == "each release"
    assert witness_words(pair.witness, "0").startswith("B = (10.8, inf) of each release: log ratio")
    same = Repeated(Laplace(2), count=2)
    told = certify(asked(same, [AT_5], "3/5", 0, POINTS)).pairs[0].witness
    assert told is not None
    assert witness_words(told, "0").startswith("y = 11 of every release: log ratio above epsilon")
