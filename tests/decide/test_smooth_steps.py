"""Steps after Gaussian noise, and after Laplace noise on normal laws, against a slow oracle."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import mpmath
import pytest
from decide.smooth_steps_oracle import DIGITS, Law, made_of, some_case, some_step, truth
from support.kernel_run import accepted_certificate, certificate_of

from pfverify import (
    Discrete,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    Nothing,
    Problem,
    calibrate,
    certify,
    loss,
)
from pfverify.certificate.checking import run_kernel
from pfverify.certificate.statement import canonical_text
from pfverify.decide.routes import comparison
from pfverify.exact.decimals import decimal_text
from pfverify.exact.written import written
from pfverify.model.digest import problem_digest
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.stepped import SmoothSteps, published
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.kinds import steps_of

F = Fraction
POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
NORMALS = {"a": Gaussian(0, variance=1), "b": Gaussian(3, variance=1)}
CLAMP, ROUND = [{"clamp": [0, 1]}], [{"round": {"to": 1}}]


def prior(law: Law) -> Prior:
    parts, nothing = law
    if nothing:
        rest = 1 - nothing
        found = {m: w / rest for m, _, w in parts} if rest else {}
        return Nothing(Discrete(found), rest) if rest else Nothing()
    if any(v for _, v, _ in parts):
        return Mixture([{"mean": m, "variance": v, "weight": w} for m, v, w in parts])
    return Discrete({m: w for m, _, w in parts})


def cases(start: int, wanted: int) -> Iterator[tuple[Any, Problem]]:
    made = 0
    for seed in count(start):
        case = some_case(Random(seed))
        p, q, noise, scale, steps, epsilon = case
        if p == q:
            continue
        kinds: dict[str, Any] = {"gaussian": GaussianNoise, "laplace": Laplace}
        laws = {"a": prior(p), "b": prior(q)}
        yield case, Problem(
            laws, noise=kinds[noise](scale), post=steps, epsilon=epsilon, delta="1/50"
        )
        made += 1
        if made == wanted:
            return


def word_of(problem: Problem) -> tuple[str, str]:
    _, word, message = accepted_certificate(problem.to_table(), problem, certify(problem))
    return word, message


@pytest.mark.parametrize(
    ("start", "wanted"), [(6, 2), pytest.param(1000, 300, marks=pytest.mark.long)]
)
def test_losses_are_those_of_distribution_functions_and_the_kernel_follows(
    start: int, wanted: int
) -> None:
    words, endless = set(), 0
    for case, problem in cases(start, wanted):
        p, q, noise, scale, steps, epsilon = case
        found = loss(problem)
        for pair in found.pairs:
            laws = (p, q) if pair.from_ == "a" else (q, p)
            with mpmath.workdps(DIGITS):
                delta, star = truth(*laws, noise, scale, steps, epsilon)
            assert pair.delta is not None
            assert float(pair.delta.lower) - 1e-12 <= delta <= float(pair.delta.upper) + 1e-12
            if pair.epsilon_star.upper == "inf":
                endless += 1
            else:
                assert float(pair.epsilon_star.upper) >= star - 1e-9
        assert found.delta is not None
        near = [F(str(found.delta.upper)) + F(1, 10**9), F(str(found.delta.lower)) - F(1, 10**9)]
        for delta in ["0", "1/50", *(str(x) for x in near if 0 < x < 1)]:
            asked = problem.replaced(delta=delta)
            verdict = certify(asked).verdict
            if verdict != "undecided":
                assert word_of(asked)[0] == verdict
                words.add(verdict)
    assert words == {"certified", "refuted"}
    assert endless < 2 * wanted


def test_laplace_noise_on_atoms_is_the_same_by_the_exact_routes() -> None:
    """Where exact sums decide, charts cut into outputs say the same."""
    random, seen = Random(5), set()
    while len(seen) < 4:
        steps = [some_step(random, last=k == 1) for k in range(2)]
        case = some_case(random)
        if case[0][1] or case[1][1] or any(v for law in case[:2] for _, v, _ in law[0]):
            continue
        problem = Problem(
            {"a": prior(case[0]), "b": prior(case[1])}, noise=Laplace(case[3]), post=steps,
            epsilon=case[5], delta="1/50",
        )  # fmt: skip
        (item,) = problem.questions()
        other = Problem(problem.beliefs["default"], noise=GaussianNoise(1), post=steps, epsilon=1)
        (asked,) = other.questions()
        release = SmoothSteps(problem.release.noise, steps)
        smooth = comparison(asked.under(release))
        for one, two in zip(comparison(item), smooth, strict=True):
            two = two.against(one.target)
            ends = [
                (written(x, 9), written(y, 9))
                for x, y in ((one.loss().value, two.loss().value),
                             (one.exceeding(), two.exceeding()))
            ]  # fmt: skip
            for x, y in ends:
                assert float(x.lower) <= float(y.upper)
                assert float(y.lower) <= float(x.upper)
            signs = one.settled().sign, two.settled().sign
            assert None in signs or (signs[0] == 1) == (signs[1] == 1)
        seen.add(type(comparison(item)[0]).__name__ + str(len(seen)))


def test_known_values() -> None:
    with mpmath.workdps(30):
        clamped = mpmath.log(mpmath.ncdf(0) / mpmath.ncdf(-1))
        tail = 1 - mpmath.ncdf(4)
    found = loss(Problem(POINTS, noise=GaussianNoise(1), post=CLAMP, epsilon=1))
    assert float(found.epsilon_star.lower) <= clamped <= float(found.epsilon_star.upper)
    assert str(found.epsilon_star.lower).startswith("1.14787")
    endless = loss(Problem(POINTS, noise=GaussianNoise(1), post=ROUND, epsilon=1))
    assert endless.epsilon_star.upper == "inf"
    assert endless.worst is not None
    row = {"row": Discrete({1: 1}), "none": Nothing()}
    asked = Problem(row, noise=GaussianNoise(1), post=[{"threshold": {"at": 5}}], epsilon=2)
    suppressed = loss(asked.replaced(delta="1/100"))
    assert suppressed.delta is not None
    assert float(suppressed.delta.lower) <= tail <= float(suppressed.delta.upper)
    for delta, verdict in (("0.00003168", "certified"), ("0.00003167", "refuted")):
        assert word_of(asked.replaced(delta=delta))[0] == verdict


def test_far_tails_keep_their_digits() -> None:
    """The cell [60, infinity) has a mass near e**-1800 under 0, and decides."""
    problem = Problem(POINTS, noise=GaussianNoise(1), post=[{"clamp": [-40, 60]}], epsilon="59.6")
    assert word_of(problem)[0] == "certified"
    assert word_of(problem.replaced(epsilon="59.5"))[0] == "refuted"
    assert word_of(problem.replaced(epsilon=70))[0] == "certified"


def test_what_loses_nothing() -> None:
    for post in ([{"clamp": [3, 3]}], [{"clamp": [0, 1]}, {"threshold": {"at": 2}}]):
        problem = Problem(NORMALS, noise=Laplace(1), post=post, epsilon=0)
        assert word_of(problem)[0] == "certified"
        assert loss(problem).epsilon_star.upper == "0"
    same = Problem({"a": POINTS["a"], "b": POINTS["a"]}, noise=GaussianNoise(1), post=ROUND,
                   epsilon=0)  # fmt: skip
    assert [pair.tie for pair in certify(same).pairs] == [True, True]
    assert word_of(same)[0] == "certified"


def test_a_tie_without_an_exact_test_is_undecided() -> None:
    laws = {"a": Gaussian(0, variance=1), "b": Gaussian(0, variance=4)}
    found = certify(Problem(laws, noise=GaussianNoise(1), post=[{"bins": {"edges": [0]}}],
                            epsilon=0))  # fmt: skip
    assert found.verdict == "undecided"
    assert "no exact test" in str(found.pairs[0].reason)


def test_a_coupling_of_components_bounds_what_is_made_of_the_number() -> None:
    problem = Problem(NORMALS, noise=Laplace(2), post=ROUND, epsilon="3/2")
    found = certify(problem)
    assert [pair.tie for pair in found.pairs] == [True, True]  # along infinitely many outputs
    assert word_of(problem)[0] == "certified"
    assert word_of(problem.replaced(epsilon="1.499"))[0] == "refuted"
    clamped = Problem(NORMALS, noise=Laplace(2), post=[{"clamp": [-5, 5]}], epsilon="3/2")
    assert [pair.tie for pair in certify(clamped).pairs] == [False, False]


def test_steps_never_lose_more_than_the_noise_alone() -> None:
    less = 0
    for case, problem in cases(50, 6):
        if case[0][1] or case[1][1] or case[2] == "laplace":
            continue
        after, before = loss(problem), loss(problem.under(problem.release.noise))
        assert after.delta is not None
        assert before.delta is not None
        assert float(after.delta.lower) <= float(before.delta.upper)
        assert float(after.epsilon_star.lower) <= float(before.epsilon_star.upper)
        less += float(after.delta.upper) < float(before.delta.lower)
    assert less


def test_an_output_is_all_numbers_that_become_it() -> None:
    random, found = Random(2), 0
    for _ in range(100):
        table = [some_step(random, last=k == 2) for k in range(3)]
        table = [one for k, one in enumerate(table) if k == 2 or "bins" not in one]
        steps, y = steps_of(table), F(random.randint(-40, 40), 4)
        cell = StepChain(steps).behind(y)
        above = y + F(1, 1000)
        if cell is None:
            assert published(steps, above) == str(above)
            continue
        found += 1
        for _ in range(20):
            z = F(random.randint(-60, 60), 4) + random.choice([F(1, 1000), -F(1, 1000)])
            inside = (cell.low is None or z > cell.low) and (cell.high is None or z < cell.high)
            assert inside == (published(steps, z) == cell.output)
            image = made_of(z, table)
            assert isinstance(image, str) or str(image) == published(steps, z)
    assert found > 60


def said_of(problem: Problem, claim: dict[str, Any]) -> str:
    """What the kernel says of a certificate that was made for another problem."""
    forged = claim | {"problem": problem_digest(problem)}
    stated, proof = problem.to_toml().encode(), canonical_text(forged).encode()
    found = run_kernel(Path("p.toml"), stated, proof)
    return found.message if found.word == "rejected" else str(found.word)


@pytest.mark.parametrize(("noise", "laws"), [(GaussianNoise(1), POINTS), (Laplace(1), NORMALS)])
def test_what_was_proved_of_other_steps_is_no_proof(noise: Any, laws: dict[str, Prior]) -> None:
    clamped = Problem(laws, noise=noise, post=[{"clamp": [-1, 1]}], epsilon="2.9")
    good = certify(clamped)
    claim = certificate_of(clamped, good, 512)
    assert said_of(clamped, claim) == "certified"
    wide = Problem(laws, noise=noise, post=[{"clamp": [-9, 9]}], epsilon="2.9")
    assert "not bounded" in said_of(wide, claim)
    assert "is not proved" in said_of(clamped.replaced(epsilon="1/2"), claim)
    bare = Problem(laws, noise=noise, epsilon="2.9")
    assert "not bounded" in said_of(bare, claim)
    fails = Problem(laws, noise=noise, post=ROUND, epsilon="1/2", delta="1/100")
    refuted = certificate_of(fails, certify(fails), 512)
    assert said_of(fails, refuted) == "refuted"
    (step,) = refuted["steps"]
    other = Problem(laws, noise=noise, post=[{"floor": {"to": 2}}], epsilon="1/2", delta="1/100")
    assert "the event cuts an output" in said_of(other, refuted)
    more = refuted | {"steps": [step | {"margin": "0.9"}]}
    assert "no such margin" in said_of(fails, more)
    kept = refuted | {"steps": [step | {"event": [["-inf", "1/3"]]}]}
    assert "the event cuts an output" in said_of(fails, kept)


@pytest.mark.parametrize(
    ("laws", "post", "event", "outputs"),
    [
        (POINTS, CLAMP, [(F(0), F(1, 4))], ["0"]),
        (POINTS, ROUND, [("-inf", F(0))], None),
        (POINTS, [{"bins": {"edges": [0, 1, 2]}}], None, ["(-inf, 0)"]),
        ({"a": Nothing(), "b": POINTS["b"]}, [{"threshold": {"at": 1}}, {"ceil": {"to": 2}}], None,
         ["suppressed"]),
        (POINTS, [{"threshold": {"at": -3}}, *ROUND], [("-inf", F(0))], None),
    ],
)  # fmt: skip
def test_a_witness_is_told_in_what_is_published(
    laws: dict[str, Prior], post: Any, event: Any, outputs: Any
) -> None:
    """The kernel gets the noisy numbers that become it."""
    asked = Problem(laws, noise=GaussianNoise(1), post=post, epsilon="1/4", delta="1/100")
    (found,) = [one.witness for one in certify(asked).pairs if one.from_ == "a"]
    assert found is not None
    if event is None or found.event is None:
        assert found.event == event
    else:
        assert [[str(x) for x in span] for span in found.event] == [
            [written_end(x) for x in span] for span in event
        ]
    assert found.outputs is None or sorted(found.outputs)[:1] == outputs
    assert (found.outputs is None) == (outputs is None)
    assert word_of(asked)[0] == "refuted"


def written_end(x: Any) -> str:
    return x if isinstance(x, str) else decimal_text(x)


def test_what_is_refused_in_one_line() -> None:
    for laws, noise, post, match in (
        (POINTS, GaussianNoise(1), [{"modulo": 3}], "modulo after a normal law"),
        (NORMALS, GaussianNoise(0), CLAMP, "steps after no noise take priors of atoms"),
        ({"a": Discrete({0: 1}), "b": Nothing()}, GaussianNoise(1),
         [{"clamp": [3, 4]}, {"threshold": {"at": 2}}, *ROUND], "the steps hide no number"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=match):
            certify(Problem(laws, noise=noise, post=post, epsilon=1))


def test_scales_with_steps() -> None:
    halves = [{"bins": {"edges": ["1/2"]}}]
    problem = Problem(POINTS, noise=GaussianNoise(1), post=halves, epsilon=1, delta="1/10")
    found = calibrate(problem, digits=3)
    assert found.methods["unprocessed"].verdict == "certified"
    below = F(str(found.methods["below"].scale))
    assert below < F(str(found.methods["unprocessed"].scale))
    assert certify(problem.replaced(scale=below)).verdict == "certified"


def test_atoms_beside_normal_laws_under_laplace_noise() -> None:
    laws = {**POINTS, "c": Gaussian(1, variance=1)}
    problem = Problem(laws, noise=Laplace(1), post=[{"clamp": [0, 2]}], epsilon="1/2", delta="1/5")
    found = certify(problem)
    assert word_of(problem)[0] == found.verdict
    alone = loss(Problem(POINTS, noise=Laplace(1), post=[{"clamp": [0, 2]}], epsilon="1/2"))
    (same,) = [one for one in loss(problem).pairs if (one.from_, one.to) == ("a", "b")]
    assert alone.delta is not None
    assert same.delta is not None
    assert float(same.delta.lower) <= float(alone.delta.upper)
