"""Kinds that the kernel does not know never certify, however they come past the reader."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import checker
import kernel_builder as kb
import kinds
import pytest
import reader
from enclose import Arithmetic
from every_scale import no_noise
from grammar import Malformed
from kinds import Mixture
from laplace import Goal
from rules import Rejected
from smooth import Noise, Release, SmoothGoal, noise_of
from zero import NIL, constant

ACCEPTED = sorted((kb.CORPUS / "accept").glob("*.json"))


def _has_noise(path: Path) -> bool:
    """Whether a case's problem is a table with noise in it; text in TOML is left out."""
    problem = json.loads(path.read_text())["problem"]
    return isinstance(problem, dict) and "noise" in problem


WITH_NOISE = [path for path in ACCEPTED if _has_noise(path)]


def injected(path: Path, **changed: Any) -> tuple[reader.Problem, kb.Json]:
    """An accepted case whose parsed problem is changed, with a certificate of its new digest."""
    case = json.loads(path.read_text())
    raw = case["problem"]
    data = raw.encode() if isinstance(raw, str) else json.dumps(raw).encode()
    problem = reader.parse_problem(data, case["problem_suffix"] == ".json")._replace(**changed)
    cert = case["certificate"]
    cert = json.loads(cert) if isinstance(cert, str) else cert
    return problem, {**cert, "problem": reader.digest(problem)}


CHANGES: list[dict[str, Any]] = [
    {"noise": "made-up"},
    {"noise": ""},
    {"noise": None},
    {"form": "made-up"},
    {"form": None},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
@pytest.mark.parametrize("path", ACCEPTED, ids=lambda p: p.stem)
def test_an_unknown_kind_behind_the_reader_raises(path: Path, change: dict[str, Any]) -> None:
    problem, cert = injected(path, **change)
    with pytest.raises((Malformed, Rejected)):
        checker.check(problem, cert)


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda p: p.stem)
def test_the_noise_is_never_told_by_its_step_alone(path: Path) -> None:
    """A Laplace noise with a step, or a discrete one without, is no noise of this kernel."""
    plain, _ = injected(path)
    step = Fraction(1) if plain.step is None else None
    problem, cert = injected(path, step=step)
    with pytest.raises((Malformed, Rejected)):
        checker.check(problem, cert)


@pytest.mark.parametrize("known", [["reader"], ["reader", "kinds"]])
@pytest.mark.parametrize("path", WITH_NOISE, ids=lambda p: p.stem)
def test_a_noise_without_a_class_is_refused(
    path: Path, known: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kind that is added to the reader, or to all that is said of noises, has no rules yet."""
    more = kinds.NOISES | {"made-up": kinds.NoiseKind("scale", "F2", dense=True, lattice=False)}
    for module in known:
        monkeypatch.setattr(f"{module}.NOISES", more)
    case = json.loads(path.read_text())
    for noise in ({"kind": "made-up", "scale": 2}, {"kind": "made-up", "scale": 0}):
        problem = case["problem"] | {"noise": noise}
        digest = reader.digest(reader.problem_of(json.loads(json.dumps(problem))))
        cert = case["certificate"]
        cert = json.loads(cert) if isinstance(cert, str) else cert
        word, message = kb.run(problem, {**cert, "problem": digest})
        assert word in ("malformed", "rejected"), message
        if path.stem == "pure-plain" and noise["scale"]:
            assert "noise of kind \"made-up\"" in message


def test_a_prior_without_a_class_is_refused() -> None:
    class Law(NamedTuple):
        components: tuple[Fraction, ...]

    atoms: reader.Prior = {Fraction(0): Fraction(1)}
    for noise in kinds.NOISES:
        for pair in ((atoms, Law(())), (Law(()), atoms), (Law(()), Law(())), (None, atoms)):
            with pytest.raises(Malformed, match="no rules for priors of unknown"):
                kinds.kind_of(noise, *pair)


def test_every_rule_of_the_table_is_there() -> None:
    """Its module is one of the kernel, its function has its name, and its steps have a shape."""
    for kind in kinds.KINDS.values():
        assert (kb.KERNEL / f"{kind.goals}.py").is_file()
        kind.maker()
        for rules in (kind.certified, kind.refuted, kind.unscaled, kind.hopeless):
            for name, rule in rules.items():
                assert (kb.KERNEL / f"{rule.module}.py").is_file()
                assert rule.load(name).__doc__
                assert set(rule.forms) <= set(kinds.FORMS)
                assert name in kinds.STEPS


def test_noise_of_has_no_default() -> None:
    for kind in ("made-up", "discrete-laplace", "", "Laplace"):
        with pytest.raises(Malformed):
            noise_of(kind, Fraction(1))
    assert noise_of("laplace", Fraction(2)).kind == "laplace"
    assert noise_of("gaussian", Fraction(2)).kind == "gaussian"


def smooth_goal(noise: Noise, form: str = "events") -> SmoothGoal:
    law = Mixture(((Fraction(0), Fraction(1), Fraction(1)),))
    bounds = Fraction(1), Fraction(0), True, form
    return SmoothGoal("default", "a", "b", law, law, *bounds, noise)


def test_a_release_has_no_default() -> None:
    zero = Fraction(0)
    with pytest.raises(Malformed):
        Release(smooth_goal(Noise("made-up", zero, NIL, NIL, zero)), NIL, Arithmetic(64))


def test_no_noise_has_no_default_form() -> None:
    one = {Fraction(0): Fraction(1)}
    bounds = Fraction(1), Fraction(0), True, "made-up"
    goal = Goal("default", "a", "b", one, one, *bounds, None, constant(Fraction(1)))
    with pytest.raises(Rejected):
        no_noise(goal, {})
