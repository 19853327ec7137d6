"""Write what the reference pages show of the package: python tests/support/store_reference.py.

The pages are Markdown to be read as it is, so what they show is stored in them: between
``<!-- generated: NAME -->`` and ``<!-- end -->`` stands what the function of that name in `PARTS`
returns, or, for ``code FILE NAME``, that function or class of a file.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import groupby, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import click

import pfverify
from pfverify import many, oracle, program, testing
from pfverify.edge.cli import COMMANDS, commands
from pfverify.edge.commands.shape import OUTPUT, SectionOption
from pfverify.edge.glossary.entries import Entry, entries, lookup
from pfverify.model.schema import problem_schema

TESTS = Path(__file__).parents[1]
if str(TESTS) not in sys.path:  # run as a script
    sys.path.insert(0, str(TESTS))

from support.kernel_lines import facts, forms, kernel_lines, rules, taken_for_coq  # noqa: E402

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "notebooks"
PART = re.compile(r"(<!-- generated: (.+?) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def pages() -> Iterator[Path]:
    """Every page of Markdown with a stored part."""
    for path in sorted(PAGES.glob("*/*.md")):
        if PART.search(path.read_text("utf-8")):
            yield path


def stored(text: str) -> str:
    """The text of a page with its parts as the package is now; KeyError for an unknown one."""
    return PART.sub(lambda found: f"{found[1]}{part(found[2])}{found[4]}", text)


def part(name: str) -> str:
    """What is stored under a name."""
    first, *more = name.split()
    return code(*more) if first == "code" else PARTS[name]()


def options(command: click.Command) -> dict[str, list[click.Option]]:
    """Title of a section -> its options, as ``--help`` has them."""
    found: dict[str, list[click.Option]] = {}
    for one in command.params:
        if isinstance(one, SectionOption):
            found.setdefault(one.section or "Options", []).append(one)
    return dict(sorted(found.items(), key=lambda item: item[0] == OUTPUT))


def command_help() -> str:
    """Every command: what it does, its options section by section, its examples."""
    return "".join(_command(name, commands.commands[name]) for name in COMMANDS)


def _command(name: str, command: click.Command) -> str:
    words = [one.make_metavar(click.Context(command)) for one in command.params
             if isinstance(one, click.Argument)]  # fmt: skip
    usage = " ".join([f"pfverify {name}", "[OPTIONS]", *words])
    said, *examples = inspect.cleandoc(command.help or "").split("\n\n\b\n")
    lines = [f"\n## pfverify {name}\n", f"```text\n{usage}\n```\n", f"{_text(said)}\n"]
    for title, listed in options(command).items():
        lines += [f"| {title} | |", "|---|---|", *map(_option, listed), ""]
    for text in examples:
        title, *rest = text.splitlines()
        shown = "\n".join(line.removeprefix("  ") for line in rest)
        lines += [f"{title}\n", f"```text\n{shown}\n```\n"]
    return "\n".join(lines)


def _option(one: click.Option) -> str:
    value = "" if one.is_flag else f" {_metavar(one)}"
    names = ", ".join(f"`{name}{value if name == one.opts[-1] else ''}`" for name in one.opts)
    said = one.help or ""
    if one.required:
        said += " Required."
    if one.show_default:
        said += f"  [default: {one.default}]"
    return f"| {names} | {_cell(said.strip())} |"


def _metavar(one: click.Option) -> str:
    if one.metavar:
        return one.metavar.replace("|", r"\|")
    if isinstance(one.type, click.Choice):
        return r"\|".join(one.type.choices)
    return one.type.name.upper()


def problem_keys() -> str:
    """Every key of a problem file, from the published JSON Schema."""
    tables = [("The file", PROBLEM)]
    tables += [(f"`[{key}]`", PROBLEM["properties"][key]) for key in OWN_SECTION]
    tables += [
        (_title(name), one)
        for name, one in DEFINITIONS.items()
        if _keys(one) and name not in ("prior", "channel")
    ]
    return "\n" + "\n".join(_table(*one) for one in tables)


def _title(name: str) -> str:
    """The heading about a definition of the schema."""
    if name in KINDS:
        return f"prior of kind {name}"
    return name.replace("channel-", "channel of kind ")


def _table(title: str, schema: dict[str, Any]) -> str:
    """A section about one table of a problem file."""
    rows = [
        f"| `{key}` | {_value(value)} | {_cell(value.get('description', ''))} |"
        for key, value in _keys(schema).items()
    ]
    required = ", ".join(f"`{key}`" for key in schema.get("required", ()))
    lines = [f"## {title}", ""]
    lines += [_text(schema["description"]), ""] if "description" in schema else []
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


def _text(text: str) -> str:
    """Text as Markdown that shows it as it is; what stands in backticks is code."""
    parts = re.split(r"(`[^`]+`)", text)
    parts[::2] = [re.sub(r"([*_|<`$])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def _cell(text: str) -> str:
    """The same in a cell of a table."""
    parts = re.split(r"(`[^`]+`)", _text(text))
    parts[1::2] = [part.replace("|", r"\|") for part in parts[1::2]]
    return "".join(parts)


def _link(text: str, title: str) -> str:
    """A link to a heading of the same page, by the anchor that readers of Markdown give it."""
    return f"[{text}](#{_slug(title)})"


def _slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _value(schema: dict[str, Any]) -> str:
    """What a schema admits, in words; ValueError for a schema of no known shape."""
    for key in OWN_SECTION:
        if schema == PROBLEM["properties"][key]:
            return _link(key, key)
    match schema:
        case {"$ref": ref}:
            name = ref.removeprefix("#/$defs/")
            if name in ELSEWHERE:
                return ELSEWHERE[name]
            one = DEFINITIONS[name]
            return _link(name, _title(name)) if _keys(one) else _value(one)
        case {"const": value}:
            return f"`{value}`"
        case {"enum": values}:
            return ", ".join(f"`{value}`" for value in values)
        case {"anyOf": choices}:
            return " or ".join(map(_value, choices))
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
    """Every entry of ``pfverify explain`` in alphabetical order, under a heading of its own."""
    listed = sorted(entries(), key=lambda one: (_letters(one.term), one.term))
    lines = [""]
    for first, group in groupby(listed, lambda one: _letters(one.term)[:1].upper()):
        title = f"Letter {first}" if first.isalpha() else "Numbers"
        lines += [f"## {title}", ""] if f"## {title}" not in lines else []
        for one in group:
            lines += [f"### {_term_title(one)}", "", _term(one), ""]
    return "\n".join([*lines, ""])


def _term(one: Entry) -> str:
    said = [f"*{one.family[0].upper()}{one.family[1:]}.*"]
    said += [_text(text) for text in (one.sentence, one.definition) if text]
    said += [f"Formula: `{one.formula}`."] if one.formula else []
    said += [f"Source: {_text(one.source)}."] if one.source else []
    said += [f"Where: {_text('; '.join(one.where))}."]
    said += [f"Also: {_text(', '.join(one.aliases))}."] if one.aliases else []
    found = [lookup(name)[0] for name in one.see]
    links = ", ".join(_link(_text(other.term), _term_title(other)) for other in found)
    return " ".join([*said, f"See {links}."] if links else said)


def _letters(term: str) -> str:
    """What of a term counts in the alphabet."""
    return re.sub(r"[^0-9a-z]", "", term.casefold())


def _term_title(one: Entry) -> str:
    """A heading whose anchor no other entry has: where several have one name, with what it is."""
    alike = [other for other in entries() if _slug(other.term) == _slug(one.term)]
    named = sum(other.term.lower() == one.term.lower() for other in alike)
    if named > 1 or one.term in ("terms", "numbers"):  # as the page, and a heading of it
        return f"`{one.term}` ({one.family})"
    written = len(alike) > 1 and _slug(one.term) != one.term.lower().replace(" ", "-")
    return f"`{one.term}` ({one.aliases[0]})" if written else f"`{one.term}`"


def names(module: ModuleType, listed: list[str]) -> str:
    """The public names of a module, each with the first sentence of its docstring."""
    rows = []
    for name in sorted(listed):
        first = _docstring(module, name).split("\n\n")[0]
        rows.append(f"| `{name}` | {_cell(' '.join(first.split()))} |")
    return "\n".join(["\n| name | what it is |", "|---|---|", *rows, "", ""])


def _docstring(module: ModuleType, name: str) -> str:
    """The docstring of a function or class, or what stands below the assignment of a type."""
    value = getattr(module, name)
    if inspect.isfunction(value) or inspect.isclass(value):
        return inspect.getdoc(value) or ""
    home = import_module(pfverify._HOMES[name])
    body = ast.parse(inspect.getsource(home)).body
    for node, after in pairwise(body):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return inspect.cleandoc(ast.literal_eval(ast.unparse(after)))
    raise ValueError(f"{name}: no function, class or assignment with a docstring")


def code(file: str, name: str) -> str:
    """A function or class of a file; KeyError where there is none of that name."""
    text = (ROOT / file).read_text("utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            shown = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
            return f"\n```python\n{shown}\n```\n\n"
    raise KeyError(f"{file}: no {name}")


PROBLEM = problem_schema()
DEFINITIONS = PROBLEM["$defs"]
OWN_SECTION = [
    key for key, schema in PROBLEM["properties"].items() if "$ref" not in schema and _keys(schema)
]
KINDS = DEFINITIONS["prior"]["properties"]["kind"]["enum"]
ELSEWHERE = {  # the tables of which each kind has its own
    "number": "number",
    "channel": _link("channel", "channel"),
    "prior": f"a prior: {', '.join(_link(kind, _title(kind)) for kind in KINDS)}",
}
PARTS: dict[str, Callable[[], str]] = {
    "commands": command_help,
    "problem keys": problem_keys,
    "terms": all_terms,
    "names": partial(names, pfverify, [one for one in pfverify.__all__ if one[0] != "_"]),
    "names of oracle": partial(names, oracle, oracle.__all__),
    "names of many": partial(names, many, many.__all__),
    "names of program": partial(names, program, program.__all__),
    "kernel lines": kernel_lines,
    "normal forms": forms,
    "facts": facts,
    "rules": rules,
    "taken for Coq": taken_for_coq,
    "names of testing": partial(names, testing, testing.__all__),
}


if __name__ == "__main__":
    for page in pages():
        page.write_text(stored(page.read_text("utf-8")), "utf-8")
