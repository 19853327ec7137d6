"""`pfverify sample`: what is drawn, what is refused, and what is said."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from fractions import Fraction
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import pytest

from pfverify import (
    Discrete,
    InputError,
    Joint,
    Laplace,
    Problem,
    calibrate,
    certify,
    sample,
)
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_names, load_example
from pfverify.model.lattices import largest_step
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.releases.repeated import Repeated
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped
from pfverify.sampling import sample as drawing
from pfverify.sampling.bits import Bits

PROBLEM = """
schema  = "pfverify/problem/1"
epsilon = 1
[noise]
kind  = "discrete-laplace"
step  = "1/2"
scale = "{scale}"
[priors.a]
kind = "discrete"
mass = { "3" = "1/2", "4" = "1/2" }
[priors.b]
kind = "discrete"
mass = { "3" = "1/4", "4.5" = "3/4" }
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["sample", *arguments])
        return (code, *capsys.readouterr())

    return command


@pytest.fixture
def mine(tmp_path: Path) -> Callable[..., str]:
    def write(scale: str = "9", **changes: str) -> str:
        text = PROBLEM.replace("{scale}", scale)
        for old, new in changes.items():
            text = text.replace(old, new)
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return str(path)

    return write


def data(run: Run, *arguments: str) -> tuple[int, dict[str, Any]]:
    code, out, err = run(*arguments, "--json")
    assert err == ""
    return code, json.loads(out)


# ---------------------------------------------------------------- what is drawn


def test_noise_is_drawn_after_the_problem_is_certified(run: Run, mine: Callable[..., str]) -> None:
    code, found = data(run, mine(), "--count", "40")
    assert (code, found["verdict"], found["proved_by"], found["drawn"]) == (
        0, "certified", "decision", "noise"
    )  # fmt: skip
    draws = [Fraction(text) for text in found["draws"]]
    assert len(draws) == 40
    assert all((2 * draw).denominator == 1 for draw in draws)
    assert len(set(draws)) > 10
    assert "a release of its own" in found["warnings"][0]
    assert any("random bits" in text for text in found["assumed"])


def test_a_release_is_the_value_plus_noise_and_the_value_is_not_shown(
    run: Run, mine: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "drawer", lambda noise, x: lambda bits: repeat(Fraction(5, 2)))
    code, found = data(run, mine(), "--value", "4.5")
    assert (code, found["drawn"], found["draws"]) == (0, "release", ["7"])
    assert "4.5" not in json.dumps(found)
    assert "a second release" in found["warnings"][0]


def test_csv_has_a_row_for_each_draw(run: Run, mine: Callable[..., str]) -> None:
    code, out, err = run(mine(), "--count", "3", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (code, err, len(rows)) == (0, "", 3)
    assert [*rows[0]][:4] == ["verdict", "drawn", "draw", "draw_decimal"]
    assert {(row["verdict"], row["drawn"]) for row in rows} == {("certified", "noise")}


def test_people_read_the_verdict_first(run: Run, mine: Callable[..., str]) -> None:
    path = mine()
    _, out, _ = run(path, "--count", "2")
    assert out.startswith(f"{path}: certified (by a decision)\n")
    assert "Noise: discrete-laplace, scale 9, on multiples of 1/2, drawn exactly" in out
    assert "Noise to add to X: " in out
    assert "Warning: " in out


@pytest.mark.parametrize(
    ("example", "value", "outputs"),
    [("home-and-out", "office", 1), ("tupling-dummies", "a", 7), ("rappor-one-time", None, 1),
     ("dummies", "p9", 23)],
)  # fmt: skip
def test_the_output_of_a_channel_is_drawn(
    run: Run, example: str, value: str | None, outputs: int
) -> None:
    channel = load_example(example).release
    assert channel is not None
    _, found = data(run, f"example:{example}", "--value", value or channel.inputs[0],
                    "--uncertified")  # fmt: skip
    (draw,) = found["draws"]
    assert (found["drawn"], found["channel"], found["draws_decimal"]) == (
        "output", channel.kind, None
    )  # fmt: skip
    assert len(draw if isinstance(draw, list) else [draw]) == outputs
    names = channel.outputs if outputs == 1 else load_example(example).release.base.outputs
    assert set(draw if isinstance(draw, list) else [draw]) <= set(names)


HALF = """schema = "pfverify/problem/1"
epsilon = 1
[noise]
kind = "laplace"
scale = 9
[priors.a]
kind = "discrete"
mass = { "1/3" = "1/2", "5/6" = "1/2" }
[priors.b]
kind = "discrete"
mass = { "4/3" = 1 }
"""


@pytest.mark.parametrize(
    "scales", ["scale = 9", "scale = 9\nreleases = 2", 'scales = ["9", "12"]']
)
def test_the_step_that_is_named_works(run: Run, tmp_path: Path, scales: str) -> None:
    """The atoms are multiples of 1/2 apart, though none is one."""
    path, scaled = tmp_path / "half.toml", tmp_path / "scaled.toml"
    path.write_text(HALF.replace("scale = 9", scales))
    code, out, err = run(str(path))
    assert (code, out) == (2, "")
    step = err.split("Next: --lattice ")[1].split()[0]
    assert step == "1/2"
    code, found = data(run, str(path), "--lattice", step)
    assert (code, found["verdict"], found["step"]) == (0, "certified", "1/2")
    assert main(["calibrate", str(path), "--write", str(scaled), "--lattice", step]) == 0
    written = Problem.load(scaled)
    noise = written.release.noise
    assert (noise.kind, noise.step) == ("discrete-laplace", Fraction(1, 2))
    cert = str(tmp_path / "scaled.cert")
    assert main(["certify", str(scaled), "-o", cert]) == 0
    assert run(str(scaled), "--cert", cert)[0] == 0


def test_where_no_lattice_holds_x_the_reason_is_said(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "smooth.toml"
    path.write_text(HALF.replace(
        'kind = "discrete"\nmass = { "4/3" = 1 }', 'kind = "gaussian"\nmean = 0\nvariance = 1'))
    code, out, err = run(str(path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "the prior of 'b' has a density, so that X is on no lattice" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--lattice", "1/2"], "--lattice: only with --write"),
        (["--write", "w.toml", "--lattice", "1/2", "-o", "c"], "not with -o"),
        (["--write", "w.toml", "--lattice", "1"], "the largest step that works is 1/2"),
        (["--write", "w.toml", "--lattice", "1/2", "--radius", "tv"], "beside --write"),
    ],
)
def test_calibrate_on_a_lattice_says_what_it_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    options: list[str], said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("half.toml").write_text(HALF)
    assert main(["calibrate", "half.toml", *options]) == 2
    assert said in capsys.readouterr().err
    assert not Path("w.toml").exists()


# ---------------------------------------------------------------- what is not certified


def test_nothing_is_drawn_of_a_refuted_problem(run: Run, mine: Callable[..., str]) -> None:
    path = mine("1/9")
    code, found = data(run, path)
    assert (code, found["verdict"], found["draws"]) == (1, "refuted", [])
    assert "NOT certified" in found["warnings"][0]
    code, out, _ = run(path)
    assert code == 1
    assert "refuted" in out.splitlines()[0]
    assert "Nothing was drawn" in out
    code, out, _ = run(path, "--csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert (code, row["verdict"], row["draw"], row["draw_decimal"]) == (1, "refuted", "", "")
    with pytest.raises(InputError, match=r"the problem is refuted: nothing was drawn \(unc"):
        sample(path)


def test_what_is_drawn_uncertified_says_so(run: Run, mine: Callable[..., str]) -> None:
    path = mine("1/9")
    code, found = data(run, path, "--uncertified")
    assert (code, found["verdict"], len(found["draws"])) == (1, "refuted", 1)
    assert "NOT certified" in found["warnings"][0]
    result = sample(path, uncertified=True)
    assert (result.verdict, len(result.draws)) == (Verdict.REFUTED, 1)
    code, out, _ = run(path, "--uncertified")
    assert (code, "Warning: NOT certified" in out) == (1, True)


# ---------------------------------------------------------------- certificates


def test_a_certificate_stands_in_for_the_decision(
    run: Run, mine: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cert = mine(), str(tmp_path / "mine.cert")
    assert main(["certify", path, "-o", cert]) == 0
    run(path)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it was decided again")

    packaged = str(tmp_path / "home.cert")
    assert main(["certify", "example:home-and-out", "-o", packaged]) == 0
    run(path)
    monkeypatch.setattr("pfverify.answers.certify.certify", never)
    monkeypatch.setattr(drawing, "certify", never)
    code, found = data(run, path, "--cert", cert)
    assert (code, found["proved_by"], len(found["draws"])) == (0, "certificate", 1)
    assert sample(path, certificate=cert).proved_by == "certificate"
    found = sample("example:home-and-out", value="shop", certificate=packaged)
    assert found.proved_by == "certificate"


def test_a_certificate_that_proves_something_else_draws_nothing(
    run: Run, mine: Callable[..., str], tmp_path: Path
) -> None:
    certs = {}
    for name, scale, command in (("good", "9", "certify"), ("refuted", "1/9", "certify"),
                                 ("scales", "9", "calibrate")):  # fmt: skip
        certs[name] = str(tmp_path / name)
        main([command, mine(scale), "-o", certs[name]])
    run("example:census")  # what was printed is read
    for name, scale, words in (("refuted", "1/9", "expected certified"), ("good", "8", "rejected"),
                               ("scales", "9", "expected certified")):  # fmt: skip
        path = mine(scale)
        code, out, _ = run(path, "--cert", certs[name])
        assert (code, words in out, "Noise" in out) == (1, True, False)
        with pytest.raises(InputError, match="certificate: it does not prove the problem"):
            sample(path, certificate=certs[name])
    (tmp_path / "none").write_text("{}")
    assert run(mine(), "--cert", str(tmp_path / "none"))[0] == 2
    assert run(mine(), "--cert", "nowhere")[0] == 2


# ---------------------------------------------------------------- the lattice


def test_laplace_noise_goes_by_a_lattice(run: Run, tmp_path: Path) -> None:
    code, _, err = run("example:census")
    assert (code, err.count("\n")) == (2, 1)
    assert "laplace noise is continuous" in err
    assert "Next: --lattice 1 takes discrete Laplace noise" in err
    code, found = data(run, "example:census", "--lattice", "1/100")
    assert (code, found["noise"], found["step"], found["scale"]) == (
        0, "discrete-laplace", "1/100", load_example("census").noise.scale.text
    )  # fmt: skip
    new = tmp_path / "lattice.toml"
    code, out, _ = run("example:census", "--lattice", "1/100", "-o", str(new))
    assert (code, "nothing was drawn" in out) == (0, True)
    written = Problem.load(new)
    assert written == load_example("census").on_lattice("1/100")
    assert certify(written).certified
    assert data(run, str(new))[1]["digest"] == found["digest"]


def test_a_problem_without_a_scale_is_put_on_a_lattice_to_be_calibrated(
    run: Run, mine: Callable[..., str], tmp_path: Path
) -> None:
    path = mine(**{'scale = "9"': "", "discrete-laplace": "laplace", 'step  = "1/2"': ""})
    new = tmp_path / "new.toml"
    assert run(path, "--lattice", "1/2", "-o", str(new))[0] == 0
    assert calibrate(Problem.load(new)).methods["minimum"].certified
    code, _, err = run(path, "--lattice", "1/2")
    assert (code, "noise.scale: missing" in err) == (2, True)


def test_the_lattice_is_decided_and_not_taken_for_the_line(run: Run, tmp_path: Path) -> None:
    """F12: certified with Laplace noise, refuted on the lattice."""
    points = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    asked = Problem(points, noise=Laplace("1/log(4)"), epsilon=0, delta="11/20")
    asked.save(tmp_path / "p.toml")
    assert certify(asked).certified
    code, found = data(run, str(tmp_path / "p.toml"), "--lattice", "1")
    assert (code, found["verdict"], found["draws"]) == (1, "refuted", [])


REFUSED = [
    (["example:census", "--lattice", "3/2"], "the largest step that works is 1, and so does that"),
    (["example:census", "--lattice", "0"], "0 is not > 0"),
    (["example:census", "--lattice", "0.1.2"], "lattice: step"),
    (["example:gaussian-pair", "--lattice", "1"], "has a density, so that X is on no lattice"),
    (["example:laplace-or-gaussian", "--lattice", "1"], "state noise of kind discrete-gaussian"),
    (["example:home-and-out", "--lattice", "1"], "releases through a channel"),
    (["example:home-and-out"], "the name of an input"),
    (["example:home-and-out", "--value", "hom"], "no input of the channel, expected one of home"),
    (["example:census", "--lattice", "1", "--value", "99"], "it has mass 0 under every prior"),
    (["example:census", "--lattice", "1", "--value", "1/2"], "it has mass 0 under every prior"),
    (["example:census", "--lattice", "1", "--value", "log(2)"], "an exact rational number"),
    (["example:census", "--lattice", "1", "--value", "4", "--count", "2"], "2 releases"),
    (["example:census", "--lattice", "1", "--count", "0"], "no whole number from 1"),
    (["example:census", "--lattice", "1", "--count", "1000001"], "no whole number from 1"),
    (["example:census", "--lattice", "1", "--cert", "c"], "--cert: not with --lattice"),
    (["example:census", "-o", "new.toml"], "-o: only with --lattice"),
    (["example:census", "--lattice", "1", "-o", "new.txt"], ".toml or .json"),
    (["example:census", "--lattice", "1", "-o", "new.toml", "--json"], "-o: not with --json"),
    (["example:census", "--json", "--csv"], "--csv: not with --json"),
    (["example:census", "--seed", "1"], "--seed"),
    (["nowhere.toml"], "no such file"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED, ids=[" ".join(a) for a, _ in REFUSED])
def test_bad_input_is_one_line(run: Run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


@pytest.mark.parametrize("value", ["1234567/2", "secret-place"])
def test_a_refused_value_is_not_repeated(run: Run, value: str) -> None:
    for problem in (["example:census", "--lattice", "1"], ["example:home-and-out"]):
        code, out, err = run(*problem, "--value", value)
        assert (code, value in out + err) == (2, False)


def _first_point(problem: Problem) -> tuple[Fraction, ...]:
    law = next(iter(next(iter(problem.beliefs.values())).values()))
    assert isinstance(law, Joint)
    return next(iter(law.mass))


@pytest.mark.parametrize("name", example_names())
def test_every_packaged_problem_is_drawn_or_refused_for_a_reason(name: str) -> None:
    problem = load_example(name)
    if isinstance(problem.release, Selected):
        with pytest.raises(InputError, match="noise is continuous"):
            drawing.planned(problem, value=_first_point(problem))
        plan = drawing.planned(problem.on_lattice(1), value=_first_point(problem))
        (drawn,) = islice(plan.draws[0](Bits()), 1)
        assert drawn in (*problem.numbers, "none")
        return
    if isinstance(problem.release, Stepped | TruncatedLaplace):
        if problem.release.noise.step is None:
            with pytest.raises(InputError, match="laplace noise is continuous"):
                drawing.planned(problem, value=0)
            return
        plan = drawing.planned(problem, value=1)
    elif not problem.release.named and isinstance(problem.release.noise, TableNoise):
        law = next(iter(problem.beliefs["default"].values()))
        plan = drawing.planned(problem, value=law.components[0].mean)
    elif problem.release.named:
        plan = drawing.planned(problem, value=problem.release.inputs[0])
    elif problem.release.noise.kind == "gaussian" or any(
        prior.has_density for table in problem.beliefs.values() for prior in table.values()
    ):
        with pytest.raises(InputError, match=r"density|kind discrete-gaussian"):
            problem.on_lattice(1)
        return
    else:
        step = largest_step(problem.beliefs, problem.pairs)
        plan = drawing.planned(problem.on_lattice(step / 3))
    count = problem.release.count if isinstance(problem.release, Repeated) else 1
    assert len(plan.done(Verdict.CERTIFIED).draws) == count
