"""The reference pages: names, commands, keys of problem files and terms, as the package has them.

Each part is Markdown made from the package itself, so that nothing is listed by hand.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from types import ModuleType, UnionType
from typing import Any, ClassVar

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

import pfverify
from pfverify import many, oracle, testing
from pfverify.edge.cli import commands
from pfverify.edge.glossary.entries import entries
from pfverify.model.schema import problem_schema

WIDTH = 88
STANDARD = "str, Enum, StrEnum, ReprEnum"  # what is inherited from these has no place here
MEMBERS = {
    "function": "",
    "class": f"   :members:\n   :inherited-members: {STANDARD}\n",
    "exception": "",
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer a directive for each of the `PARTS`, such as ``{public-names}``."""
    for name, text in PARTS.items():
        app.add_directive(name, type(name, (_Part,), {"text": staticmethod(text)}))
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-process-signature", _signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class _Part(SphinxDirective):
    """A directive that stands for the Markdown of a function."""

    text: ClassVar[Callable[[], str]]

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(self.text(), allow_section_headings=True)


def public_names() -> str:
    """Every name of ``pfverify.__all__`` with its docstring: functions, classes, errors, types."""
    kinds: dict[str, list[str]] = {"function": [], "class": [], "exception": [], "data": []}
    for name in sorted(pfverify.__all__):
        if not name.startswith("__"):
            kinds[_kind(getattr(pfverify, name))].append(name)
    titles = {"function": "Functions", "class": "Classes", "exception": "Errors", "data": "Types"}
    return "\n".join(
        f"## {titles[kind]}\n\n```{{eval-rst}}\n"
        + "\n".join(_documented(kind, name) for name in names)
        + "```\n"
        for kind, names in kinds.items()
    )


def many_names() -> str:
    """Every name of ``pfverify.many`` with its docstring."""
    return _names_of(many)


def oracle_names() -> str:
    """Every name of ``pfverify.oracle`` with its docstring."""
    return _names_of(oracle)


def testing_names() -> str:
    """Every name of ``pfverify.testing`` with its docstring."""
    return _names_of(testing)


def _names_of(module: ModuleType) -> str:
    found = [
        f".. auto{kind}:: {module.__name__}.{name}\n{MEMBERS[kind]}"
        for name in module.__all__
        for kind in [_kind(getattr(module, name))]
    ]
    return "```{eval-rst}\n" + "\n".join(found) + "```\n"


def _kind(value: object) -> str:
    if inspect.isfunction(value):
        return "function"
    if inspect.isclass(value):
        return "exception" if issubclass(value, Exception) else "class"
    if isinstance(value, UnionType):
        return "data"
    raise TypeError(f"{value!r} is no function, class or type")


def _documented(kind: str, name: str) -> str:
    if kind != "data":
        return f".. auto{kind}:: pfverify.{name}\n{MEMBERS[kind]}"
    home = ModuleAnalyzer.for_module(pfverify._HOMES[name])  # what stands below an assignment
    said = " ".join(home.find_attr_docs()["", name])
    return f".. py:data:: pfverify.{name}\n\n   {restructured(said)}\n"


def _docstring(_app: Sphinx, _what: str, _name: str, _of: Any, _o: Any, lines: list[str]) -> None:
    lines[:] = restructured("\n".join(lines)).splitlines()


def _signature(
    _app: Sphinx, _what: str, _name: str, _of: Any, _o: Any, arguments: str, returned: str
) -> tuple[str, str]:
    """A signature that can be parsed: a default that is made anew each time is written as dots."""
    return arguments and arguments.replace("<factory>", "..."), returned


def restructured(docstring: str) -> str:
    """A docstring of this project, which reads like Markdown, as reStructuredText.

    Example: ``restructured("a|b\\n- one")`` is ``"a\\\\|b\\n\\n- one"``.
    """
    code = re.compile(r"(``.+?``|`[^`]+`)", re.DOTALL)
    parts = code.split(docstring)
    parts[::2] = [re.sub(r"([*|_])", r"\\\1", part) for part in parts[::2]]
    lines: list[str] = []
    for line in "".join(parts).split("\n"):
        starts = re.match(r"(?:- |Raises |Returns |Parameters|Examples?:|Source:)", line)
        after_list = bool(lines) and lines[-1].startswith(" ") and not line.startswith(" ")
        if lines and lines[-1] and line and (starts or after_list):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def command_help() -> str:
    """What ``pfverify --help`` and ``pfverify COMMAND --help`` print, for every command."""
    group = click.Context(
        commands, info_name="pfverify", terminal_width=WIDTH, **commands.context_settings
    )
    contexts = [group]
    contexts += [
        click.Context(command, parent=group, info_name=name)
        for name, command in commands.commands.items()
    ]
    return "\n".join(
        f"## {one.command_path}\n\n```text\n{one.get_help()}\n```\n" for one in contexts
    )


def problem_keys() -> str:
    """Every key of a problem file, from the published JSON Schema."""
    tables = [("file", "The file", PROBLEM)]
    tables += [(key, f"`[{key}]`", PROBLEM["properties"][key]) for key in OWN_SECTION]
    tables += [
        (name, name.replace("channel-", "channel of kind "), one)
        for name, one in DEFINITIONS.items()
        if _keys(one) and name not in ("prior", "channel")
    ]
    return "\n".join(_table(*one) for one in tables)


def _table(name: str, title: str, schema: dict[str, Any]) -> str:
    """A section about one table of a problem file."""
    rows = [
        f"| `{key}` | {_value(value)} | {_cell(value.get('description', ''))} |"
        for key, value in _keys(schema).items()
    ]
    required = ", ".join(f"`{key}`" for key in schema.get("required", ()))
    lines = [f"(keys-{name})=", f"## {title}", "", _cell(schema.get("description", "")), ""]
    lines += [f"Required: {required}.", ""] if required else []
    return "\n".join([*lines, "| key | value | meaning |", "|---|---|---|", *rows, ""])


def _keys(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The keys that the schema of a table names, those of its parts too."""
    if "$ref" in schema:
        return _keys(DEFINITIONS[schema["$ref"].removeprefix("#/$defs/")])
    parts = [part for part in schema.get("allOf", ()) if "if" not in part]
    if isinstance(schema.get("then"), dict) and schema["then"].get("type") == "object":
        parts.append(schema["then"])
    found = dict(schema.get("properties", {}))
    for part in parts:
        found = _keys(part) | found
    return found


def _cell(text: str) -> str:
    """Text as Markdown that shows it as it is, in a cell of a table too."""
    return re.sub(r"([*_|<>`])", r"\\\1", text)


def _value(schema: dict[str, Any]) -> str:
    """What a schema admits, in words; ValueError for a schema of no known shape."""
    for key in OWN_SECTION:
        if schema is PROBLEM["properties"][key]:
            return f"[{key}](#keys-{key})"
    match schema:
        case {"$ref": ref}:
            name = ref.removeprefix("#/$defs/")
            if name in ELSEWHERE:
                return ELSEWHERE[name]
            one = DEFINITIONS[name]
            return f"[{name}](#keys-{name})" if _keys(one) else _value(one)
        case {"const": value}:
            return f"`{value}`"
        case {"enum": values}:
            return ", ".join(f"`{value}`" for value in values)
        case {"anyOf": options}:
            return " or ".join(map(_value, options))
        case {"if": _, "then": one, "else": other}:
            return f"{_value(one)} or {_value(other)}"
        case {"type": "array", "items": item}:
            return f"list of {_value(item)}"
        case {"type": "array"}:
            return "list"
        case {"type": "object", "additionalProperties": dict(entry)}:
            return f"table: name → {_value(entry)}"
        case {"type": "object"}:
            return "table"
        case {"type": str(kind)}:
            return kind
    raise ValueError(f"no words for the schema {schema!r}")


def all_terms() -> str:
    """Every entry of ``pfverify explain``, family by family."""
    families: dict[str, list[str]] = {}
    for one in entries():
        more = [_cell(text) for text in (one.sentence, one.definition) if text]
        more += [f"Formula: `{one.formula}`."] if one.formula else []
        more += [f"Source: {_cell(one.source)}."] if one.source else []
        more += [f"Where: {_cell('; '.join(one.where))}."]
        families.setdefault(one.family, []).append(f"`{one.term}`\n: {' '.join(more)}\n")
    return "\n".join(
        "\n".join([f"## {family[0].upper()}{family[1:]}", "", *texts])
        for family, texts in families.items()
    )


PROBLEM = problem_schema()
DEFINITIONS = PROBLEM["$defs"]
OWN_SECTION = [
    key for key, schema in PROBLEM["properties"].items() if "$ref" not in schema and _keys(schema)
]
KINDS = DEFINITIONS["prior"]["properties"]["kind"]["enum"]
ELSEWHERE = {  # the tables of which each kind has its own
    "number": "number",
    "channel": "[channel](#keys-channel)",
    "prior": f"a prior: {', '.join(f'[{kind}](#keys-{kind})' for kind in KINDS)}",
}
PARTS = {
    "public-names": public_names,
    "many-names": many_names,
    "oracle-names": oracle_names,
    "testing-names": testing_names,
    "command-help": command_help,
    "problem-keys": problem_keys,
    "all-terms": all_terms,
}
