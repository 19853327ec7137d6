"""The top of the tree: what is there, and that what is said there is so."""

import json
import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

import pfverify
from pfverify.edge.cli import COMMANDS
from pfverify.proof.papers import PAPERS

ROOT = Path(__file__).parents[2]
TOP = {
    "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md",
    "notebooks", "pfverify", "proofs", "pyproject.toml", "tests",
}  # fmt: skip
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))


def text(name):
    return (ROOT / name).read_text("utf-8")


def tracked():
    """The files of the tree that are kept, as paths; none where this is no checkout."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    run = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [Path(name) for name in run.stdout.decode().split("\0") if name]


def test_the_top_level_holds_nothing_else():
    tops = {path.parts[0] for path in tracked()}
    assert {name for name in tops if not name.startswith(".")} == TOP


def test_every_file_of_the_package_is_installed():
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["pfverify"]
    for path in tracked():
        if path.parts[0] == "pfverify" and path.suffix != ".py":
            inside = path.relative_to("pfverify").as_posix()
            assert any(fnmatch(inside, p.replace("**/", "*")) for p in patterns), path
        elif path.parts[0] == "pfverify" and path.parts[1] != "kernel":
            assert (ROOT / path.parent / "__init__.py").exists(), path


def test_the_citation_is_valid_and_names_the_papers():
    schemas = pytest.importorskip("check_jsonschema").builtin_schemas
    folder = Path(schemas.__file__).parent
    schema = json.loads((folder / "vendor/citation-file-format.json").read_text("utf-8"))
    Draft7Validator(schema).validate(CITATION)
    assert CITATION["license"] == PROJECT["project"]["license"]
    assert CITATION["keywords"] == PROJECT["project"]["keywords"]
    assert CITATION["authors"] == PROJECT["project"]["authors"]
    written = {paper.reference for paper in PAPERS.values() if ": " in paper.reference}
    cited = {
        f"{', '.join(a['family-names'] for a in one['authors'])}: {one['title']}"
        for one in CITATION["references"]
    }
    assert cited == written


def test_the_version_is_the_same_everywhere():
    versions = {PROJECT["project"]["version"], CITATION["version"], pfverify.__version__}
    assert len(versions) == 1
    assert f"calls itself {versions.pop()}." in text("CHANGELOG.md")


def test_the_change_log_has_the_form_that_it_names_and_knows_every_command():
    log = text("CHANGELOG.md")
    assert log.startswith("# Changelog\n")
    releases = re.findall(r"^## (.*)$", log, re.MULTILINE)
    assert releases[0] == "[Unreleased]"
    for name in releases[1:]:
        assert re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", name)
    assert set(re.findall(r"^### (.*)$", log, re.MULTILINE)) <= SECTIONS
    for command in COMMANDS:
        assert re.search(rf"`(?:pfverify )?{command}\b", log), command


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_points_to_is_there(page):
    found = text(page)
    for place in re.findall(r"\]\(([^)]+)\)", found):
        assert place.startswith("https://") or (ROOT / place).exists(), place
    for place in re.findall(r"`((?:pfverify|tests|proofs|notebooks|\.ci)(?:/[\w./-]*)?)`", found):
        assert (ROOT / place).exists(), place
    assert max(map(len, (line for line in found.splitlines() if line[:1] != "|"))) <= 100


def test_the_map_of_rooms_is_whole():
    rooms = {p.parent.name for p in (ROOT / "pfverify").glob("*/__init__.py")} | {"kernel"}
    named = re.findall(r"^\| `pfverify/(\w+)` \|", text("CONTRIBUTING.md"), re.MULTILINE)
    assert sorted(named) == sorted(rooms)


def test_every_python_that_is_named_can_be_asked_for():
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    named = [c.rpartition(" ")[2] for c in PROJECT["project"]["classifiers"] if ":: 3." in c]
    assert named[0] == lowest
    assert f"for version in {' '.join(named[1:])}; do" in text(".ci/run")
    for version in named[1:]:
        assert version in text("CONTRIBUTING.md")


def test_security_reports_need_no_address():
    page = text("SECURITY.md")
    assert "@" not in page
    assert "http" not in page
    assert "security advisory form of the repository" in page
