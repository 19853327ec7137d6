"""The Markdown of the documentation, as somebody reads it in the repository."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = ROOT / "notebooks"
CODE = re.compile(r"^```[^\n]*\n(.*?)^```$|(?<!`)`([^`\n]+)`(?!`)", re.MULTILINE | re.DOTALL)


def pages() -> dict[str, str]:
    """Name of every page of the site that is Markdown -> its text."""
    found = sorted(path for path in SITE.rglob("*.md") if "_build" not in path.parts)
    return {str(path.relative_to(SITE)): path.read_text("utf-8") for path in found}


def code(text: str) -> str:
    """What a page shows as code: its blocks, and what stands in backticks."""
    return "\n".join(block or span for block, span in CODE.findall(text))


def lacking(names: set[str], text: str) -> list[str]:
    """The names that do not stand in a text as words of their own."""
    return sorted(
        name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
    )


def section(text: str, title: str) -> str:
    """The part of a page below a heading of the second level; KeyError where there is none."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise KeyError(title)
    return found[1]
