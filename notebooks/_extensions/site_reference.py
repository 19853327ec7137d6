"""The names of the reference: each with its signature and docstring, as the package has them.

In the repository a page lists them in a table, and says where more of them goes by a comment that
no reader of Markdown shows.
"""

from __future__ import annotations

import inspect
import re
from functools import partial
from types import ModuleType, UnionType
from typing import Any

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

import pfverify
from pfverify import many, oracle, program, testing

STANDARD = "str, Enum, StrEnum, ReprEnum"  # what is inherited from these has no place here
MEMBERS = {
    "function": "",
    "class": f"   :members:\n   :inherited-members: {STANDARD}\n",
    "exception": "",
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Write out the documentation of names, and read docstrings as this project writes them."""
    app.connect("source-read", with_names)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-process-signature", _signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


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


def with_names(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Put the documentation of names where a page has a comment ``<!-- documented: NAME -->``."""
    source[0] = re.sub(r"<!-- documented: (.+?) -->", lambda found: PARTS[found[1]](), source[0])


PARTS = {
    "pfverify": public_names,
    "pfverify.many": partial(_names_of, many),
    "pfverify.oracle": partial(_names_of, oracle),
    "pfverify.program": partial(_names_of, program),
    "pfverify.testing": partial(_names_of, testing),
}
