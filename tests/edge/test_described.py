"""Descriptions of views: every path, form and key of theirs is one that there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from string import Formatter
from types import SimpleNamespace, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from pfverify.answers.outcome import CertifyResult
from pfverify.edge import words
from pfverify.edge.document import text_of, title
from pfverify.edge.views import described, failed, plain, problem, proofs
from pfverify.edge.views.described import FORMS, Builder, description, reached_by
from pfverify.edge.views.registry import VIEWS, view_class
from pfverify.edge.views.view import View
from pfverify.exact.enclosure import Enclosure

ROOT = Path(described.__file__).parent
PATHS = {"when", "unless", "each", "assumed", "of"}
KEYS = PATHS | {
    "say", "most", "more", "level", "folds", "lines", "headline", "said", "undecided", "notes",
    "tables", "sections", "apart", "pairs", "columns", "set", "header", "cell", "ruled", "breaks",
    "whole", "right", "width", "caption", "where",
}  # fmt: skip
AT_THE_TOP = {"exact", "columns", "outputs", "data", "word", "point", "like"}


def views() -> list[type[View[Any]]]:
    others: list[type[View[Any]]] = [
        failed.TallyView, plain.PictureView, problem.ProblemView, proofs.CountsView,
    ]  # fmt: skip
    return [*map(view_class, VIEWS), *others]


def file_of(view: type[View[Any]]) -> str:
    return view.of or view.schema


def test_every_file_describes_a_view_and_every_view_with_a_name_has_one() -> None:
    files = {path.stem for path in ROOT.glob("*.toml")}
    named = {file_of(view) for view in views() if file_of(view)}
    like = {found["like"] for name in named if "like" in (found := description(name))}
    assert named | like == files


def parts(spec: Any) -> Iterator[dict[str, Any]]:
    """The tables of a description that say something."""
    if isinstance(spec, list):
        for one in spec:
            yield from parts(one)
    elif isinstance(spec, dict):
        yield spec
        for key in ("headline", "said", "undecided", "notes", "tables", "sections", "lines"):
            yield from parts(spec.get(key, []))
        if isinstance(spec.get("columns"), list):
            yield from parts(spec["columns"])


def templates(spec: Any, key: str = "say") -> Iterator[str]:
    if isinstance(spec, str):
        if key in ("say", "header", "cell", "headline", "said", "notes", "undecided", "lines",
                   "more", "word", "caption"):  # fmt: skip
            yield spec
    elif isinstance(spec, list):
        for one in spec:
            yield from templates(one, key)
    elif key in ("pairs", "point"):
        for header, cell in spec.items():
            yield from (header, cell)
    elif isinstance(spec, dict):
        for name, part in spec.items():
            if name not in ("exact", "outputs", "data") and not isinstance(part, bool | int):
                if name == "columns" and isinstance(part, dict):
                    continue
                yield from templates(part, name)


@pytest.mark.parametrize("view", views(), ids=lambda view: view.__name__)
def test_paths_begin_at_what_the_view_has_and_forms_are_known(view: type[View[Any]]) -> None:
    if not file_of(view):
        return
    spec = description(file_of(view))
    found = list(parts(spec))
    for part in found:
        top = AT_THE_TOP if part is spec else set()
        assert set(part) <= KEYS | top, set(part)
    paths = [part[key] for part in found for key in PATHS if isinstance(part.get(key), str)]
    paths += spec.get("data", {}).values()
    paths += [part["tables"] for part in found if isinstance(part.get("tables"), str)]
    forms = set()
    for template in templates(spec):
        for _, path, form, _ in Formatter().parse(template):
            if path is not None:
                paths.append(path)
                forms.add((form or "").partition(" ")[0])
    for path in paths:
        start = path.split(".")[0]
        name = start.removeprefix("it:")
        has = start[0] == "'" or start in ("it", "result", "name") or hasattr(view, name)
        assert has, f"{path}: {view.__name__} has no {name}"
    for form in forms - {""}:
        assert form in FORMS or form in words.FORMS or callable(getattr(view, form)), form
    assert not FORMS.keys() & words.FORMS.keys()


def kind_of(view: type[View[Any]]) -> type | None:
    """The class of the results of a view."""
    for kind in VIEWS:
        if view_class(kind) is view:
            module, _, name = kind.rpartition(".")
            return getattr(import_module(module), name)  # type: ignore[no-any-return]
    return None


def below(kind: Any, key: str) -> list[Any]:
    """What stands under a key of a kind, as far as annotations tell; nothing for what is unknown.

    Raises AttributeError for a class without such an attribute.
    """
    if get_origin(kind) in (Union, UnionType):
        inner = [one for one in get_args(kind) if one is not type(None)]
        return [found for one in inner for found in below(one, key)]
    if not isinstance(kind, type) or not kind.__module__.startswith("pfverify"):
        return []
    if isinstance(found := getattr(kind, key, None), property):
        return [get_type_hints(found.fget).get("return")]
    hints = get_type_hints(kind) if is_dataclass(kind) else {}
    if key not in hints and found is None:
        raise AttributeError(f"{kind.__name__} has no {key}")
    return [hints.get(key)]


@pytest.mark.parametrize("view", views(), ids=lambda view: view.__name__)
def test_paths_of_results_lead_to_attributes_that_there_are(view: type[View[Any]]) -> None:
    if not file_of(view) or kind_of(view) is None:
        return
    spec = description(file_of(view))
    paths = {part[key] for part in parts(spec) for key in PATHS if isinstance(part.get(key), str)}
    paths |= set(spec.get("data", {}).values())
    for template in templates(spec):
        paths |= {path for _, path, _, _ in Formatter().parse(template) if path is not None}
    for path in sorted(path for path in paths if path.startswith("result.")):
        kinds = [kind_of(view)]
        for key in path.split(".")[1:]:
            kinds = [found for kind in kinds for found in below(kind, key)]


def test_one_that_there_is_not_would_be_found() -> None:
    with pytest.raises(AttributeError, match="CertifyResult has no verdikt"):
        below(CertifyResult, "verdikt")


def built(**about: Any) -> Builder:
    return Builder(SimpleNamespace(**about))


def test_a_template_is_filled_in_and_a_field_without_a_value_says_nothing() -> None:
    builder = built(a={"b": ["x", "y"]}, none=None, count=3)
    assert builder.text("{a.b.1}, {count:counted pair}") == ("y", ", ", "3 pairs")
    assert builder.text("{none}") is None
    assert builder.text("{none!s}") == ("",)
    assert builder.text("{none.more.of_it}") is None
    assert builder.inline("{it:title}", "t") == title("t")
    assert builder.text("{{plain}}") == ("{", "plain}")
    assert builder.text("{'No. 1 of all':title}: {count}") == (title("No. 1 of all"), ": ", "3")


def test_inside_a_sentence_nothing_is_an_error() -> None:
    with pytest.raises(TypeError, match=re.escape("so {none}: there is no none")):
        built(none=None).text("so {none}")


def test_words_in_quotes_that_a_form_would_cut_are_an_error() -> None:
    with pytest.raises(TypeError, match="'a: expected a quote at the end"):
        built().text("{'a: b':title}")


@pytest.mark.parametrize("template", ["{nothing}", "{a.nothing}", "{a:no_such_form}"])
def test_what_there_is_not_is_an_error(template: str) -> None:
    with pytest.raises(AttributeError):
        built(a=1).text(template)


def test_lines_are_said_of_each_item_when_there_is_one_and_no_more_than_most() -> None:
    builder = built(names=["a", "b", "c"], none=[], zero=0)
    lines = [
        {"each": "names", "say": "{it}", "most": 2, "more": "names", "level": 2},
        {"when": "none", "say": "never"},
        {"unless": "zero", "say": "always"},
        {"each": "names", "lines": ["{it}", {"when": "none", "say": "never"}]},
    ]
    found = list(builder.lines(lines))
    assert [text_of(one.text) for one in found] == [
        "a", "b", "… and 1 more names (--json has all)", "always", "a", "b", "c",
    ]  # fmt: skip
    assert [one.level for one in found[:2]] == [2, 2]


def test_a_path_goes_through_keys_places_and_attributes() -> None:
    assert reached_by({"a": [SimpleNamespace(b=1)]}, ["a", "0", "b"]) == 1
    assert reached_by(None, ["a"]) is None
    assert reached_by([Enclosure("1", "2"), None], ["lower"]) == [1, None]
    assert reached_by({"a": {"b": 1}, "c": {"b": 2}}, ["*", "b"]) == [1, 2]
    with pytest.raises(KeyError):
        reached_by({}, ["a"])
