"""Every key, command, option and kind stands in the pages, which are plain Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from support.pages import ROOT, SITE, code, lacking, pages, section
from support.store_reference import PART, stored
from support.store_reference import pages as generated

import pfverify
from pfverify import many, oracle, program, testing
from pfverify.crosscheck.case import NOISES as ASKED_NOISES
from pfverify.crosscheck.kinds import KINDS as QUESTIONS
from pfverify.crosscheck.samplers.plan import KINDS as SAMPLERS
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import COMMANDS, commands, main
from pfverify.edge.glossary.entries import entries
from pfverify.edge.render.picture_names import SUFFIXES
from pfverify.edge.render.show import WRITTEN
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.kinds import NOISES, PRIORS
from pfverify.model.notion import NOTIONS
from pfverify.model.places import GROUNDS
from pfverify.model.protection import DISTANCE, WINF
from pfverify.model.protection import KINDS as PROTECTIONS
from pfverify.model.releases.kinds import RELEASES
from pfverify.model.schema import problem_schema
from pfverify.model.sources.kinds import SOURCES
from pfverify.proof.outcome import Result
from pfverify.scales.recipes.table import RECIPES
from pfverify.transport.validate import PROPERTIES

PAGES = pages()
README = (ROOT / "README.md").read_text("utf-8")
CODE = "\n".join(map(code, PAGES.values()))
KINDS: dict[str, set[str]] = {
    "noise": {*NOISES, *ASKED_NOISES},
    "prior": {*PRIORS},
    "channel": {*CHANNELS},
    "source": {*SOURCES},
    "release": {*RELEASES},
    "form": {*NOTIONS},
    "notion": {*PROTECTIONS},
    "distance": {*GROUNDS},
    "metric": {DISTANCE, WINF},
    "output format": {*WRITTEN},
    "picture": {*SUFFIXES},
    "recipe": {recipe.name for recipe in RECIPES} | {"minimum"},
    "question of crosscheck": {*QUESTIONS, *SAMPLERS},
    "property of a plan": {*PROPERTIES},
    "verdict": {verdict.value for verdict in Verdict},
    "term": {entry.term for entry in entries()},
    "name": {*pfverify.__all__} - {"__version__"},
    "name of a module": {*oracle.__all__, *many.__all__, *program.__all__, *testing.__all__},
}


def schema_names(schema: Any) -> Iterator[tuple[str, str]]:
    """Every key, and every text that a key may have, of a schema and of all its parts."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key in ("properties", "$defs") and isinstance(value, dict):
                yield from (("key" if key == "properties" else "", name) for name in value)
            if key == "enum":
                yield from (("value", name) for name in value)
            if key == "const":
                yield "value", value
            yield from schema_names(value)
    elif isinstance(schema, list):
        for one in schema:
            yield from schema_names(one)


def of_schema(what: str) -> set[str]:
    return {name for found, name in schema_names(problem_schema()) if found == what}


def parameters(command: click.Command) -> tuple[set[str], set[str]]:
    """The options of a command, and the words that may follow them."""
    options, choices = set(), set()
    for one in command.params:
        if isinstance(one, click.Option):
            options |= {*one.opts, *one.secondary_opts}
        if isinstance(one.type, click.Choice):
            choices |= {*one.type.choices}
        if one.metavar and "|" in one.metavar:
            choices |= {*one.metavar.split("|")}
    return options, choices


def test_there_is_something_to_find() -> None:
    assert len(of_schema("key")) > 50
    assert {"bernoulli", "presence_model", "inputs_related"} <= of_schema("key")
    assert {"euclidean", "values-absent", "dp"} <= of_schema("value")
    assert "--decimal-comma" in parameters(commands.commands["prior"])[0]
    assert "junit" in parameters(commands.commands["certify"])[1]
    assert min(map(len, KINDS.values())) >= 2


def test_every_key_of_a_problem_file_is_there() -> None:
    assert lacking(of_schema("key"), CODE) == []
    assert lacking(of_schema("value"), CODE) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_with_its_options(name: str) -> None:
    shown = code(section(PAGES["reference/commands.md"], f"pfverify {name}"))
    options, choices = parameters(commands.commands[name])
    assert lacking(options, shown) == []
    assert lacking(choices, shown.replace(r"\|", "|")) == []


@pytest.mark.parametrize("what", KINDS)
def test_every_kind_is_there(what: str) -> None:
    assert lacking(KINDS[what], CODE) == []


def test_every_result_of_a_proof_is_there() -> None:
    assert lacking({*Result}, PAGES["reference/proofs.md"]) == []


@pytest.mark.parametrize(
    "name", ["presence_model", "--decimal-comma", "truncated-geometric", "xdistp", "relaxed_rows"]
)
def test_what_is_removed_is_missed(name: str) -> None:
    """The search can fail: a name that stands nowhere, or only in a longer one or in prose."""
    without = CODE.replace(name, f"x{name}x")
    assert lacking({name}, CODE) == []
    assert lacking({name}, without) == [name]
    assert lacking({name}, code(f"In prose only: {name}.")) == [name]
    with pytest.raises(KeyError, match="pfverify nothing"):
        section(PAGES["reference/commands.md"], "pfverify nothing")


@pytest.mark.parametrize("path", [*generated()], ids=lambda path: path.stem)
def test_what_is_stored_of_the_package_is_current(path: Path) -> None:
    text = path.read_text("utf-8")
    assert stored(text) == text, "run tests/support/store_reference.py"


def test_terms_are_in_alphabetical_order_each_with_an_anchor() -> None:
    page = PAGES["reference/terms.md"]
    titles = re.findall(r"^### `(.*?)`(?: \(.*\))?$", page, re.MULTILINE)
    assert sorted(titles) == sorted(one.term for one in entries())
    letters = [re.sub(r"[^0-9a-z]", "", title.lower()) for title in titles]
    assert letters == sorted(letters)
    assert len(anchors(page)) == len(re.findall("^#", page, re.MULTILINE))
    assert "\n### `clipping`\n\n*Word.* Numbers beyond" in page
    assert "[sensitivity](#sensitivity)" in page


def test_parts_are_stored_where_they_are_named() -> None:
    found = [name for text in PAGES.values() for _, name, _, _ in PART.findall(text)]
    assert {"commands", "problem keys", "terms", "names"} <= {*found}
    with pytest.raises(KeyError, match="nothing"):
        stored("<!-- generated: nothing -->\n<!-- end -->\n")
    with pytest.raises(KeyError, match="no function_of_this_name"):
        stored("<!-- generated: code tests/conftest.py function_of_this_name -->\n<!-- end -->\n")


LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
READ = {"README.md": ROOT / "README.md", "CONTRIBUTING.md": ROOT / "CONTRIBUTING.md"} | {
    name: SITE / name for name in PAGES
}


def links(path: Path) -> list[str]:
    """What a page links to, but for other sites."""
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [link for link in LINK.findall(text) if "://" not in link]


def anchors(text: str) -> set[str]:
    """The anchors of headings, as a reader of plain Markdown makes them."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", READ)
def test_no_heading_stands_twice(name: str) -> None:
    text = re.sub(r"^```.*?^```$", "", READ[name].read_text("utf-8"), flags=re.M | re.S)
    assert [one for one, times in Counter(re.findall(r"^#+ .*$", text, re.M)).items()
            if times > 1] == []  # fmt: skip


def test_the_readme_counts_the_notebooks() -> None:
    numbers = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen")
    (said,) = re.findall(r"a course in (\w+) notebooks", READ["README.md"].read_text("utf-8"))
    assert numbers.index(said) + 10 == len([*SITE.glob("*.ipynb")])


@pytest.mark.parametrize("name", READ)
def test_links_lead_to_what_is_there(name: str) -> None:
    """In the repository as on the site, whose pages link to nothing outside of it."""
    path = READ[name]
    for link in links(path):
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.is_file(), link
        if path.is_relative_to(SITE):
            assert target.is_relative_to(SITE), f"{link}: the site does not have it"
        if anchor:
            assert anchor in anchors(target.read_text("utf-8")), link


def test_every_page_is_reached_from_the_first() -> None:
    reached, new = set(), {SITE / "index.md"}
    while new:
        path = new.pop()
        reached.add(path)
        found = links(path) if path.suffix == ".md" else []
        files = {(path.parent / link.split("#")[0]).resolve() for link in found}
        new |= {file for file in files if file.is_file()} - reached
    assert {SITE / name for name in PAGES} - reached == set()


@pytest.mark.parametrize("name", READ)
def test_a_page_is_plain_markdown(name: str) -> None:
    """No directive, role or target that only the builder of the site understands."""
    text = READ[name].read_text("utf-8")
    assert re.findall(r"^(?:```|:::)\{.*|^\([\w-]+\)=$|\{\w+\}`", text, re.MULTILINE) == []


def test_the_picture_is_what_the_command_draws(tmp_path: Path) -> None:
    (line,) = re.findall(r"^<!-- pfverify (calibrate .*) -->$", README, re.MULTILINE)
    *words, file = line.split()
    assert (ROOT / file).stat().st_size < 40_000
    assert main([*words, str(tmp_path / "drawn.svg")]) == 0
    shown, drawn = (
        re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))
        for path in (ROOT / file, tmp_path / "drawn.svg")
    )
    assert shown == drawn
    assert " 0.5568 certified" in shown
