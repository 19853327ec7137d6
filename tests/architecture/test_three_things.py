"""A problem is a source, a release and a requirement: nothing asks what kind it is by "is None"."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pfverify
from pfverify import Laplace, Problem
from pfverify.model.keys import Key
from pfverify.model.notion import (
    EVENTS,
    NOTIONS,
    Events,
    exact_notion,
    form_schema,
    stated_notion,
)
from pfverify.model.priors.discrete import Discrete

ROOT = Path(pfverify.__file__).parent
PARTS = {"source", "release", "requirement", "channel", "system", "beliefs", "noise", "protection"}


STATED = "channel"
"""Where a result names the kind of channel: whose it is, is all the same."""


def asked_of_none(tree: ast.AST) -> list[str]:
    """What is compared with None, of the parts of something called a problem, and of a result."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute | ast.Name):
            *owners, part = ast.unparse(node.left).split(".")
            none = any(isinstance(c, ast.Constant) and c.value is None for c in node.comparators)
            of_problem = "problem" in "".join(owners[-1:]) and part in PARTS
            if none and (of_problem or part == STATED):
                found.append(ast.unparse(node))
    return found


def test_no_is_none_decides_what_kind_of_problem_it_is() -> None:
    for seen in ("a.problem.noise is not None", "self.result.channel is None", "channel is None"):
        assert asked_of_none(ast.parse(seen)), "the test sees nothing"
    assert not asked_of_none(ast.parse("a.noise is None or reason is None"))
    found = {
        str(path.relative_to(ROOT)): asked
        for path in ROOT.rglob("*.py")
        if (asked := asked_of_none(ast.parse(path.read_text("utf-8"))))
    }
    assert found == {}
    problem = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(1), epsilon=1)
    assert not {"channel", "system"} & {*dir(problem)}
    assert all(getattr(problem, part) is not None for part in ("source", "release", "requirement"))


class Grouped(Events):
    """A form with a parameter, which is all that the test is about."""

    name = "grouped"
    keys = (Key("size", "how many members", needed=True),)

    def __init__(self, size: object) -> None:
        self._keep(size=str(size))


def test_a_form_may_have_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NOTIONS, "grouped", Grouped)
    found = exact_notion({"kind": "grouped", "size": 3})
    assert found.text == "grouped(size=3)"
    assert found.to_table() == {"form": "grouped", "size": "3"}
    assert exact_notion(found.text) == found == stated_notion(found.to_table()) == Grouped("3")
    assert found != Grouped("4")
    assert Grouped("3") != EVENTS
    assert form_schema()["form"]["enum"][-1] == "grouped"
    assert form_schema()["size"]["description"] == "how many members"
    with pytest.raises(pfverify.InputError, match="size: not with the form events"):
        stated_notion({"size": 3})
    for form, words in (
        ("grouped", "missing key 'size'"),
        ({"kind": "grouped", "size": 1, "x": 2}, "form.unknown key 'x'"),
        ("events()", "expected 'events'"),
        ("grouped(size=3", "expected 'grouped\\(size=3\\)'"),
        ({"kind": "other"}, "is unknown, expected events or pointwise or renyi or zcdp or grouped"),
        (Events, "is unknown"),
    ):
        with pytest.raises(pfverify.InputError, match=words):
            exact_notion(form)
    problem = Problem(
        {"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(1), epsilon=1,
        form={"kind": "grouped", "size": 3},
    )  # fmt: skip
    assert Problem.from_text(problem.to_toml()) == problem
    with pytest.raises(pfverify.InputError, match=r"no route decides .* form 'grouped\(size"):
        pfverify.certify(problem)
