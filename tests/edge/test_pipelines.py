"""What the guide shows of pipelines is what the services take, and its commands run there."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import validator_for
from ruamel.yaml import YAML

from pfverify import Discrete, Laplace, Problem
from pfverify.edge.cli import main

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "notebooks/guides/use-in-ci.md").read_text("utf-8")
HOOKS = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def shown() -> list[Any]:
    """The YAML of the guide: a workflow, a pipeline, and hooks."""
    found = re.findall(r"^```yaml\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    return [YAML(typ="safe").load(one) for one in found]


def service(name: str) -> Any:
    place = files("check_jsonschema") / "builtin_schemas" / "vendor" / f"{name}.json"
    return json.loads(place.read_text("utf-8"))


@pytest.mark.parametrize(("number", "name"), [(0, "github-workflows"), (1, "gitlab-ci")])
def test_the_service_takes_it(number: int, name: str) -> None:
    schema = service(name)
    data = shown()[number]
    validator_for(schema)(schema).validate(data)
    assert len(json.dumps(data)) > 100


def lines(part: Any) -> list[str]:
    """The shell lines in YAML."""
    if isinstance(part, str):
        return [words for words in part.split(" && ") if words.startswith("pfverify ")]
    below = part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    return [line for one in below for line in lines(one)]


@pytest.fixture
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a folder of problems and their certificates."""
    monkeypatch.chdir(tmp_path)
    folder = Path("problems")
    folder.mkdir()
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    for name, scale in (("one", 2), ("release", 3)):
        Problem(priors, noise=Laplace(scale), epsilon="1/2").save(folder / f"{name}.toml")
    assert main(["certify", "problems", "-o", "problems"]) == 0
    return folder


@pytest.mark.parametrize("number", [0, 1])
def test_its_commands_pass_until_a_problem_changes(
    capsys: pytest.CaptureFixture[str], problems: Path, number: int
) -> None:
    asked = [line.split(" > ")[0].split()[1:] for line in lines(shown()[number])]
    assert [words[0] for words in asked] == ["check", "report"]
    assert [main(words) for words in asked] == [0] * len(asked)
    changed = problems / "release.toml"
    Problem.load(changed).replaced(scale=1).save(changed)
    assert [main(words) for words in asked] == [1] * len(asked)
    capsys.readouterr()


@pytest.mark.parametrize("number", [0, 1])
def test_what_leaves_the_pipeline_is_the_page_that_may(number: int) -> None:
    """No problem file, certificate or answer is uploaded, and no answer is shown to others."""
    data = shown()[number]
    asked = lines(data)
    (made,) = [line.split() for line in asked if " -o " in line]
    assert made[1] == "report"
    assert "--redact" in made
    (page,) = [made[k + 1] for k, word in enumerate(made) if word == "-o"]
    text = json.dumps(data)
    assert not re.search("sarif|junit|STEP_SUMMARY|--format|--json|--csv", text)
    if "artifacts" in text:
        assert data["privacy"]["artifacts"] == {"paths": [page]}
    else:
        (upload,) = [step for step in data["jobs"]["privacy"]["steps"]
                     if "upload" in step.get("uses", "")]  # fmt: skip
        assert upload["with"]["path"] == page


def test_the_guide_says_where_files_may_lie_as_the_table_does() -> None:
    """It sends nobody's counted problem into a repository of others."""
    before = GUIDE[: GUIDE.index("## Certify once")]
    assert "as confidential as they are" in before
    assert "[Which files may leave the house](from-csv-to-report.md)" in before
    for artefact in ("problem file", "certificate", "JUnit, SARIF", "report --redact", "digests"):
        assert artefact in before
    for line in GUIDE.splitlines():
        assert not line.startswith("Commit the certificate beside the problem file, as")


def test_a_problem_of_points_keeps_its_digest_without_its_provenance(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What the guide says of redacting one."""
    (tmp_path / "d.csv").write_text("s\n" + "a\nb\nb\n" * 7, "utf-8")
    whole, bare = tmp_path / "p.toml", tmp_path / "bare.toml"
    asked = ["prior", str(tmp_path / "d.csv"), "--secret", "s", "--public", "s=a", "--scale", "2"]
    assert main([*asked, "--release", "count", "--rest", "any", "-o", str(whole)]) == 0
    assert main(["certify", str(whole), "-o", str(tmp_path / "p.cert")]) == 0
    kept, counted = whole.read_text("utf-8").split("\n[provenance]\n")
    assert "records = " in counted
    bare.write_text("\n".join(line for line in kept.split("\n") if line[:1] != "#"), "utf-8")
    assert main(["check", str(bare), str(tmp_path / "p.cert"), "--expect", "certified"]) == 0
    numbers = set(re.findall(r"\d+", bare.read_text("utf-8")))
    assert numbers == {"1", "0", "2", "20"}  # the schema, the points, the scale; and 21 - 1 others
    capsys.readouterr()


def test_the_hooks_that_are_named_are_there() -> None:
    (repository,) = shown()[2]["repos"]
    ids = {hook["id"] for hook in HOOKS}
    assert {hook["id"] for hook in repository["hooks"]} <= ids
    assert all(f"`{name}`" in GUIDE for name in ids)
    for hook in HOOKS:
        assert {"id", "name", "entry", "language", "files"} <= set(hook)
        assert hook["language"] == "python"


def test_the_hooks_run_on_what_they_match(
    capsys: pytest.CaptureFixture[str], problems: Path
) -> None:
    changed = [str(path) for path in sorted(problems.iterdir())]
    for hook in HOOKS:
        matched = [name for name in changed if re.search(hook["files"], name)]
        assert matched
        names = matched if hook.get("pass_filenames", True) else []
        words = [*hook["entry"].split()[1:], *hook.get("args", []), *names]
        assert main(words) == 0
    (problems / "one.toml").write_text("no problem")
    assert main(words) == 2
    capsys.readouterr()


def test_a_workflow_may_append_a_summary(
    capsys: pytest.CaptureFixture[str], problems: Path
) -> None:
    capsys.readouterr()
    assert main(["certify", "problems", "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("### **2 answers**: 2 certified\n")
