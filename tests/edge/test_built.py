"""What others use of a checkout: wheel and source archive, the container's recipe, the action."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import validator_for
from ruamel.yaml import YAML

from pfverify import Discrete, Laplace, Problem
from pfverify.edge.cli import main

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / ".container/Containerfile").read_text("utf-8")
ACTION = YAML(typ="safe").load(ROOT / ".github/actions/pfverify/action.yml")
PLACE = "$GITHUB_ACTION_PATH/../../.."


def written(folder: Path, scale: int = 2) -> Path:
    """A folder of one problem, with its certificate."""
    folder.mkdir()
    problem = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(scale),
                      epsilon="1/2")  # fmt: skip
    problem.save(folder / "release.toml")
    assert main(["certify", str(folder), "-o", str(folder)]) in (0, 1)
    return folder


# ---------------------------------------------------------------- wheel and source archive


def sources(folder: Path, names: list[str]) -> Path:
    """What is copied into a container, or built: these names of the checkout."""
    folder.mkdir()
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")  # what tools keep
    for name in names:
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, folder / name, ignore=ignored)
        else:
            shutil.copy(place, folder / name)
    return folder


def builder(folder: Path) -> Path:
    """The Python of an environment with what `pyproject.toml` builds with."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    install = [folder / "bin/python", "-m", "pip", "install", "--quiet", *needed]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        pytest.skip(f"{', '.join(needed)} cannot be had here")
    return folder / "bin/python"


def built(python: Path, what: str, tree: Path, out: Path) -> Path:
    """A wheel or an sdist of a tree."""
    out.mkdir(exist_ok=True)
    code = f"import sys; from setuptools import build_meta; build_meta.build_{what}(sys.argv[1])"
    subprocess.run([python, "-c", code, out], cwd=tree, check=True, capture_output=True)
    (found,) = out.iterdir()
    return found


def copied() -> list[str]:
    """What the recipe copies out of the checkout."""
    found = []
    for line in re.findall(r"^COPY (.*)$", RECIPE, re.MULTILINE):
        words = line.split()
        found += [] if words[0].startswith("--from=") else words[:-1]
    return found


def environment(folder: Path, wheel: Path) -> Path:
    """The commands of a fresh environment with this wheel; what it needs is that of these tests."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin/python"
    (site,) = (folder / "lib").glob("python*/site-packages")
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "-I", str(wheel)]
    subprocess.run([str(python), *install], check=True, capture_output=True)
    others = [path for path in sys.path if path.endswith("site-packages")]
    (site / "needed.pth").write_text("\n".join(others), "utf-8")
    return folder / "bin"


def test_wheel_and_source_archive_are_whole_and_work_elsewhere(tmp_path: Path) -> None:
    python = builder(tmp_path / "builder")
    tree = sources(tmp_path / "tree", ["pyproject.toml", "README.md", "LICENSE", "pfverify"])
    archive = built(python, "sdist", tree, tmp_path / "sdist")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    unpacked = tmp_path / archive.name.removesuffix(".tar.gz")
    wheel = built(python, "wheel", unpacked, tmp_path / "wheel")
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if name.startswith("pfverify/")}
    kept = {str(path.relative_to(tree)) for path in (tree / "pfverify").rglob("*")
            if path.is_file()}  # fmt: skip
    assert names == kept
    commands = environment(tmp_path / "fresh", wheel)
    folder, clean = written(tmp_path / "problems"), {"PATH": os.environ["PATH"]}
    for words in (["check", str(folder), "--expect", "certified"], ["certify", "example:census"]):
        run = subprocess.run(
            [commands / "pfverify", *words],
            cwd=tmp_path, env=clean, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (run.returncode, run.stderr) == (0, "")
    said = subprocess.run(
        [commands / "python", "-c", "import pfverify; print(pfverify.__file__)"], cwd=tmp_path,
        env=clean, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.startswith(str(tmp_path / "fresh"))


# ---------------------------------------------------------------- the container


def instructions() -> list[tuple[str, str]]:
    found = [line.partition(" ") for line in RECIPE.splitlines() if line and line[0] != "#"]
    return [(name, rest) for name, _, rest in found]


def test_the_recipe_copies_what_is_there_and_what_a_build_needs() -> None:
    """There is no program here that builds containers: what it would copy and run is tried."""
    assert {name for name, _ in instructions()} <= {
        "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD",
    }  # fmt: skip
    assert copied() == ["pyproject.toml", "README.md", "LICENSE", "pfverify"]
    assert all((ROOT / name).exists() for name in copied())
    kept = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    assert {line[1:] for line in kept if line[:1] == "!"} == {*copied()}


def test_the_container_runs_without_root() -> None:
    names = [name for name, _ in instructions()]
    user = names.index("USER")
    assert int(instructions()[user][1].split(":")[0]) > 0
    assert names[user + 1 :] == ["WORKDIR", "ENTRYPOINT", "CMD"]


def asked(folder: Path) -> list[str]:
    """What the container runs, of another folder."""
    by_name = dict(instructions())
    words = [*json.loads(by_name["ENTRYPOINT"]), *json.loads(by_name["CMD"])]
    assert "/problems" in words
    return [str(folder) if word == "/problems" else word for word in words]


def test_what_the_container_runs_checks_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked(written(tmp_path / "right"))[1:]) == 0
    assert main(asked(written(tmp_path / "wrong", scale=1))[1:]) == 1
    capsys.readouterr()


# ---------------------------------------------------------------- the action


def step(name: str) -> dict[str, Any]:
    (found,) = (one for one in ACTION["runs"]["steps"] if one.get("name") == name)
    return dict(found)


def test_the_service_takes_the_action() -> None:
    place = files("check_jsonschema") / "builtin_schemas" / "vendor" / "github-actions.json"
    schema = json.loads(place.read_text("utf-8"))
    validator_for(schema)(schema).validate(ACTION)


def test_no_input_of_the_action_becomes_text_of_a_script() -> None:
    for one in ACTION["runs"]["steps"]:
        assert "${{" not in one.get("run", "")
    given = {*re.findall(r"inputs\.([\w-]+)", json.dumps(ACTION["runs"]))}
    assert given == {*ACTION["inputs"]}


def test_the_action_installs_this_checkout() -> None:
    assert PLACE in step("Install")["run"]
    place = (ROOT / ".github/actions/pfverify" / "../../..").resolve()
    assert place == ROOT.resolve()
    assert (place / "pyproject.toml").is_file()


@pytest.mark.parametrize(("scale", "code"), [(2, 0), (1, 1)])
def test_the_action_checks_as_it_stands(tmp_path: Path, scale: int, code: int) -> None:
    bin_ = tmp_path / "pfverify/bin"
    bin_.mkdir(parents=True)
    command = f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m pfverify "$@"\n'
    (bin_ / "pfverify").write_text(command)
    (bin_ / "pfverify").chmod(0o755)
    folder = written(tmp_path / "a $(exit 7) folder", scale)
    given = {"PROBLEMS": str(folder), "EXPECT": ACTION["inputs"]["expect"]["default"]}
    assert {*given} == {*step("Check")["env"]}
    run = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step("Check")["run"]],
        env={**os.environ, "RUNNER_TEMP": str(tmp_path), **given}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert run.returncode == code, run.stderr
