"""The packaged histogram: what it says of itself, and its proofs."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from pfverify import certify, check
from pfverify.edge.packaged import example_path, load_example
from pfverify.model.priors.joint import Joint

NAME = "histogram"
SCALES = {"yes": Fraction(2), "no": Fraction(5, 2), "silent": Fraction(4)}


def test_a_pair_loses_the_sum_of_two_inverse_scales() -> None:
    problem = load_example(NAME)
    result = certify(problem)
    assert result.certified
    losses = {(one.from_, one.to): one for one in result.pairs}
    said = example_path(NAME).read_text("utf-8")
    for a, b in combinations(SCALES, 2):
        exact = 1 / SCALES[a] + 1 / SCALES[b]
        assert str(exact) in said
        for way in ((a, b), (b, a)):
            assert losses[way].loss.lower <= exact <= losses[way].loss.upper
            assert losses[way].tie is (exact == Fraction(9, 10))
    prior = problem.beliefs["default"]["yes"]
    assert isinstance(prior, Joint)
    assert len(prior.mass) == 210
    assert sum(next(iter(prior.mass))) == 20


@pytest.mark.parametrize(("epsilon", "word"), [("9/10", "certified"), ("0.899999", "refuted")])
def test_the_kernel_confirms_it(epsilon: str, word: str, tmp_path: Path) -> None:
    problem = load_example(NAME).replaced(epsilon=epsilon)
    problem.save(tmp_path / "p.toml")
    result = certify(problem)
    assert str(result.verdict) == word
    result.write(tmp_path / "p.cert")
    assert check(tmp_path / "p.toml", tmp_path / "p.cert").word == word
