"""The text of the problem file: what was asked, and a comment above each part."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from pfverify.edge.sentences import sentence
from pfverify.edge.start.leaves import MARK, Table
from pfverify.model.toml import toml_text

_PARTS = {
    "schema": "schema", "post = ": "post", "parts = ": "parts", "[noise]": "noise",
    "[channel]": "channel", "[system]": "system", "[system.user]": "user", "[priors.": "priors",
}  # fmt: skip
"""How a line begins -> whose comment stands above it, the first time."""
_WIDTH = 98


def text_of(table: Table, given: Mapping[str, str], unknown: Mapping[str, str]) -> str:
    """Return the file: the answers, what is assumed, and the table with comments.

    Example: ``text_of({"epsilon": 1}, {"publish": "count"}, {})[:9]`` is ``'# Written'``.
    """
    head = ["Written by pfverify start, from these answers:"]
    head += [f"  {name}: {answer}" for name, answer in given.items()]
    if unknown:
        head += ["Assumed, as it was not known:", *(f"  {told}" for told in unknown.values())]
    if MARK in str(table):
        head += [
            f"STILL TO DO: put what is believed in place of {MARK}: under each secret the values "
            "of the number, each with its chance, which add up to 1; rename the secrets."
        ]
    return "\n".join([*_comment(head), "", *_commented(toml_text(table).splitlines())]) + "\n"


def _comment(lines: list[str]) -> Iterator[str]:
    """Lines as comments; an answer with a line break, or any other control, is none."""
    for line in lines:
        plain = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", line)
        yield from textwrap.wrap(
            plain, _WIDTH, initial_indent="# ", subsequent_indent="#     ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip


def _commented(lines: list[str]) -> Iterator[str]:
    told = set()
    below = False  # the keys of a table may be called as the parts are
    for line in lines:
        below = below or line.startswith("[")
        starts = (start for start in _PARTS if not below or start.startswith("["))
        part = next((_PARTS[start] for start in starts if line.startswith(start)), None)
        if part is not None and part not in told:
            told.add(part)
            yield from _comment([sentence(f"start-comments.{part}")])
        yield line
