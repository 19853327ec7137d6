"""The keys of problem files that guides show are keys, each value that they name included."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from support.guides import blocks

from pfverify import Problem, certify
from pfverify.edge.packaged import load_example
from pfverify.model.digest import problem_digest
from pfverify.model.systems.system import system_schema

GUIDES = Path(__file__).parents[2] / "notebooks" / "guides"


def shown(guide: str, file: str) -> str:
    """A file that a guide shows."""
    page = (GUIDES / f"{guide}.md").read_text("utf-8")
    (text,) = [block.text for block in blocks(page) if block.file == file]
    return text


def of_systems() -> str:
    return shown("sums-over-people", "keys.toml")


def test_the_blocks_have_the_keys_that_there_are() -> None:
    promise = tomllib.loads(shown("write-a-problem-file", "promise.toml"))
    assert {*promise} == {"delta", "form", "pairs", "noise"}
    assert {*tomllib.loads(of_systems())} == {*system_schema()["system"]["properties"]} - {
        "others", "user", "categories",  # without a default; the last in poll.toml
    }  # fmt: skip


@pytest.mark.parametrize("key", ["release", "presence_model", "rest", "pair_set", "protect"])
def test_every_key_of_a_system_may_be_added(key: str) -> None:
    """What the guide shows for a key, and each other value that its comment names."""
    table = tomllib.loads(shown("sums-over-people", "mean.toml"))
    text = re.findall(rf'^{key} .*(?:\n +#.*)*', of_systems(), re.MULTILINE)[0]
    lists = [json.loads(found) for found in re.findall(r'\["[^]]*\]', text)]
    values = re.findall(r'"([a-z-]+)"', re.sub(r'\["[^]]*\]', "", text))
    assert values[0] == tomllib.loads(of_systems())[key]
    for value in [*values, *lists]:
        system = table["system"] | {key: value}
        if value in ("laws", "laws-absent"):
            half = {"bernoulli": "1/2"}
            system["user"] = {"P": half, "Q": {"bernoulli": "2/3"}, "away": "absent"}
        if value == "histogram":
            poll = tomllib.loads(shown("sums-over-people", "poll.toml"))
            assert poll["system"][key] == value
            system = poll["system"]
        if key == "protect":
            system = {"others": system["others"], "pair_set": "values", key: value}
        Problem.from_table(table | {"system": system})


def test_every_key_of_the_promise_may_be_added(tmp_path: Path) -> None:
    """The keys that have a default, with the secrets and atoms of a problem that has them all."""
    path = tmp_path / "all.toml"
    priors = "".join(
        f'[priors.{name}]\nkind = "discrete"\ncounts = {{ "0" = {k}, "1" = 3 }}\n'
        for k, name in enumerate("ab", 1)
    )
    text = shown("write-a-problem-file", "promise.toml")
    path.write_text(f'schema = "pfverify/problem/1"\nepsilon = 1\n{text}{priors}')
    assert certify(Problem.load(path)).verdict == "certified"


def test_the_packaged_problems_are_the_same() -> None:
    for guide, file, name in (
        ("sums-over-people", "mean.toml", "students-mean"),
        ("finite-channels", "home.toml", "home-and-out"),
    ):
        text = shown(guide, file)
        assert problem_digest(Problem.from_text(text)) == problem_digest(load_example(name))
