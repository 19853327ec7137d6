"""Many problems in Python: results of the same kinds, and errors in the places of others."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.questions import many_pairs

from pfverify import InputError, Problem, calibrate, certify, check, loss
from pfverify.answers.dummies import DummiesResult
from pfverify.many import calibrate_many, certify_many, loss_many


def test_every_problem_has_its_result_or_its_error() -> None:
    problem = many_pairs(2)
    found = certify_many(["example:census", problem, "none/here.toml", problem.replaced(scale=0)])
    assert [type(one).__name__ for one in found] == [
        "CertifyResult", "CertifyResult", "InputError", "CertifyResult",
    ]  # fmt: skip
    assert str(found[2]) == "none/here.toml: there is no such file"
    assert repr(found[0]) == repr(certify("example:census"))
    assert repr(found[1]) == repr(certify(problem))


def test_losses_and_scales_too() -> None:
    problem = many_pairs(2)
    assert repr(loss_many([problem])) == repr([loss(problem)])
    scales, dummies = calibrate_many([problem, "example:dummies"])
    assert repr(scales) == repr(calibrate(problem))
    assert isinstance(dummies, DummiesResult)


def test_no_problems_have_no_results() -> None:
    assert certify_many([], jobs=2) == []


def test_progress_counts_questions() -> None:
    seen: list[tuple[int, int]] = []
    certify_many([many_pairs(2), many_pairs(8)], progress=lambda *one: seen.append(one))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_what_a_file_had_is_said_and_can_still_be_proved(tmp_path: Path) -> None:
    file, place, proof = (tmp_path / name for name in ("out.jsonl", "p.toml", "p.cert"))
    problem = many_pairs(7)  # 21 pairs, in two parts
    problem.save(place)
    certify_many([problem], results=file)
    with pytest.warns(UserWarning, match="2 of 2 results were taken from this file, and not"):
        (found,) = certify_many([problem], results=str(file))
    assert not isinstance(found, Exception)
    found.write(proof, problem=place)
    assert check(place, proof).word == "certified"
    certify(problem).write(tmp_path / "own.cert", problem=place)
    assert proof.read_bytes() == (tmp_path / "own.cert").read_bytes()


def test_a_result_that_was_forged_has_no_certificate(tmp_path: Path) -> None:
    from dataclasses import replace

    from pfverify.certificate.checking import CertificateError
    from pfverify.decide.evidence import KeptStep
    from pfverify.decide.verdict import Verdict

    refuted = certify(many_pairs(2, epsilon="1/100"))
    pairs = [
        replace(one, verdict=Verdict.CERTIFIED, proof=KeptStep("pure", {"rule": "pure", "bits": 0}))
        for one in refuted.pairs
    ]
    forged = replace(refuted, verdict=Verdict.CERTIFIED, pairs=pairs)
    with pytest.raises(CertificateError, match="the kernel does not accept the proof"):
        forged.write(tmp_path / "p.cert")
    assert not (tmp_path / "p.cert").exists()


def test_options_that_cannot_be_used() -> None:
    problem: list[Problem] = []
    with pytest.raises(InputError, match="jobs: '0' is not an integer from 1 to"):
        certify_many(problem, jobs=0)
    with pytest.raises(InputError, match="jobs: not with a scheduler"):
        certify_many(problem, jobs=2, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(InputError, match=r"results: out.txt: expected a name that ends in .jsonl"):
        certify_many(problem, results="out.txt")
