"""Kinds that the kernel does not know never certify, however they come past the reader."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import checker
import kernel_builder as kb
import pytest
from core import kinds
from core.enclose import Arithmetic
from core.every_scale import no_noise
from core.grammar import Malformed
from core.kinds import Mixture
from core.refutations import AT_A_DENSITY
from core.rules import Rejected, margin_of
from core.smooth import Split, smooth
from core.work import Check
from core.zero import NIL
from reader import reader, tables
from reader.goals import BELOW, goals_of
from reader.noise import Noise
from recorded_answers import cases

ACCEPTED = sorted((kb.CORPUS / "accept").glob("*.json"))


def _has_noise(path: Path) -> bool:
    """Whether a case's problem is a table with noise in it; text in TOML is left out."""
    problem = json.loads(path.read_text())["problem"]
    return isinstance(problem, dict) and "noise" in problem and "post" not in problem


WITH_NOISE = [path for path in ACCEPTED if _has_noise(path)]


def parsed(path: Path) -> tuple[reader.Problem, kb.Json]:
    """An accepted case: its problem and its certificate."""
    case = json.loads(path.read_text())
    raw, cert = case["problem"], case["certificate"]
    data = raw.encode() if isinstance(raw, str) else json.dumps(raw).encode()
    problem = reader.parse_problem(data, case["problem_suffix"] == ".json")
    return problem, json.loads(cert) if isinstance(cert, str) else cert


def check(problem: reader.Problem, cert: kb.Json) -> Any:
    """The kernel's answer to a problem that its reader did not make, by the problem's digest."""
    stated = {**cert, "problem": reader.digest(problem)}
    return checker.answer(problem, stated, Check(10_000))


CHANGES: list[dict[str, Any]] = [
    {"kind": "made-up"},
    {"kind": ""},
    {"kind": None},
    {"form": "made-up"},
    {"form": None},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
@pytest.mark.parametrize("path", ACCEPTED, ids=lambda p: p.stem)
def test_an_unknown_kind_behind_the_reader_raises(path: Path, change: dict[str, Any]) -> None:
    problem, cert = parsed(path)
    where = "target" if "form" in change else "release"
    problem = problem._replace(**{where: getattr(problem, where)._replace(**change)})
    with pytest.raises((Malformed, Rejected)):
        check(problem, cert)


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda p: p.stem)
def test_the_noise_is_never_told_by_its_step_alone(path: Path) -> None:
    """A Laplace noise with a step, or a discrete one without, is no noise of this kernel."""
    problem, cert = parsed(path)
    step = Fraction(1) if problem.release.step is None else None
    release: Any = problem.release
    with pytest.raises((Malformed, Rejected)):
        check(problem._replace(release=release._replace(step=step)), cert)


@pytest.mark.parametrize("path", WITH_NOISE, ids=lambda p: p.stem)
def test_a_noise_without_a_class_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kind that is added to all that is said of noises has no rules yet."""
    made_up = tables.NoiseKind("scale", "F2", dense=True, lattice=False)
    monkeypatch.setitem(tables.NOISES, "made-up", made_up)
    case = json.loads(path.read_text())
    for noise in ({"kind": "made-up", "scale": 2}, {"kind": "made-up", "scale": 0}):
        problem = case["problem"] | {"noise": noise}
        digest = kb.digest(problem)
        cert = case["certificate"]
        cert = json.loads(cert) if isinstance(cert, str) else cert
        word, message = kb.run(problem, {**cert, "problem": digest})
        assert word in ("malformed", "rejected"), message
        if path.stem == "pure-plain" and noise["scale"]:
            assert "noise of kind \"made-up\"" in message


def test_a_prior_without_a_class_is_refused() -> None:
    class Law(NamedTuple):
        components: tuple[Fraction, ...]

    atoms: kinds.Prior = {Fraction(0): Fraction(1)}
    for noise in tables.NOISES:
        for pair in ((atoms, Law(())), (Law(()), atoms), (Law(()), Law(())), (None, atoms)):
            with pytest.raises(Malformed, match="no rules for priors of unknown"):
                kinds.kind_of(noise, *pair)


def test_every_rule_of_the_table_is_there() -> None:
    """Its module is one of the kernel, its function has its name, and its steps have a shape."""
    certifying: dict[bool, set[str]] = {True: set(), False: set()}
    refuting, unscaled, hopeless = set[str](), set[str](), set[str]()
    for (noise, _), row in kinds.KINDS.items():
        kind = kinds.kind_at(row)
        certifying[tables.NOISES[noise].amount is None] |= kind.certified.keys()
        refuting |= kind.refuted.keys()
        unscaled |= kind.unscaled.keys()
        hopeless |= kind.hopeless.keys()
        for rules in (kind.certified, kind.refuted, kind.unscaled, kind.hopeless):
            for name, rule in rules.items():
                assert rule.name in kinds.RULES
                assert rule.load(name).__doc__
                assert set(rule.forms) <= {*kinds.FORMS, *kinds.RENYI, *kinds.ZCDP}
                of_others = not {*rule.forms} & {*kinds.FORMS}
                assert (rule.name in ("divergence", "concentrated")) == of_others
    assert certifying == kinds.CERTIFYING
    assert (refuting, unscaled, hopeless) == (kinds.REFUTING, kinds.UNSCALED, kinds.HOPELESS)
    assert refuting.union(*certifying.values(), hopeless) == kinds.STEPS.keys()


def test_every_table_of_a_problem_has_its_reader() -> None:
    for what, table in (
        ("source", tables.SOURCES), ("release", tables.RELEASES), ("notion", tables.NOTIONS)
    ):  # fmt: skip
        for name, row in table.items():
            assert callable(row.reader(what)), name
    gone = {release for row in tables.SOURCES.values() for release in row.goes}
    assert gone == {*tables.RELEASES}


def test_a_noise_has_no_default_density() -> None:
    for kind in ("made-up", "discrete-laplace", "", "Laplace"):
        with pytest.raises(Malformed):
            smooth({Fraction(0): Fraction(1)}, Noise(kind, Fraction(1), None))
    for kind, sizes in (("laplace", (2, 0)), ("gaussian", (None, 2))):
        assert smooth({}, Noise(kind, Fraction(2), None))[1:3] == sizes


def test_a_release_has_no_default() -> None:
    law = Mixture(((Fraction(0), Fraction(1), Fraction(1)),))
    noise = Noise("laplace", Fraction(1), None)
    kind = kinds.kind_of("laplace", law, law)
    goal = kb.goal(law, law, 1, 0, release=noise)
    Split(goal, NIL, Arithmetic(64))
    with pytest.raises(Malformed):
        kind.laws(law, law, Noise("made-up", Fraction(1), None))


def test_no_noise_has_no_default_form() -> None:
    one = {Fraction(0): Fraction(1)}
    goal = kb.goal(one, one, 1, 0, "made-up", Noise("laplace", Fraction(1), None))
    with pytest.raises(Rejected):
        no_noise(goal, {})


def test_a_place_shows_a_ratio_where_no_step_asks_for_a_density() -> None:
    """Normal forms whose words have no pointwise refutation refuse to give one."""
    met: set[str] = set()
    for case in cases().values():
        value, cert = case["problem"], case["certificate"]
        if cert["result"] != "refuted":
            continue
        (step,) = cert["steps"]
        problem = reader.problem_of(json.loads(json.dumps(value)))
        release = problem.release.at(problem.release.amount)
        names = step["belief"], step["from"], step["to"]
        (goal,) = goals_of(problem, release, Check(10_000), BELOW, names)
        rule = goal.kind.refuted[step["rule"]]
        pointwise = AT_A_DENSITY & goal.kind.refuted.keys()
        if rule.name != "place" or pointwise or goal.kind.difference is None:
            continue
        margin = margin_of(step)
        goal.kind.difference(goal, step).require_at(margin, ratio=True)
        with pytest.raises(Rejected):
            goal.kind.difference(goal, step).require_at(margin, ratio=False)
        met.add(type(goal.P).__name__)
    assert met >= {"Celled", "Noisy", "Boxed", "Ball"}
