"""The sentences of a report: `sentences.toml` has them, and names in braces are filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from string import Formatter
from typing import Any

from pfverify.edge.document import Block, Inline, Paragraph, Section, Text, part, say, text_of

SENTENCES: dict[str, Any] = tomllib.loads(
    (files("pfverify.edge.report") / "sentences.toml").read_text("utf-8")
)
"""What the file says, part by part."""


def entry(name: str) -> Any:
    """Return what the file has at a name with dots: a sentence, or a table of sentences.

    Raises KeyError for a name that it does not have.
    Example: ``entry("lead.everywhere.ratio")`` is ``"at every output"``.
    """
    found: Any = SENTENCES
    for key in name.split("."):
        found = found[key]
    return found


def filled(template: str, /, **values: object) -> Text:
    """Return a text with its names filled in; what is a part of a text, or a text, stays one.

    Lines are joined. Example: ``filled("a {b}", b=1)`` is ``("a ", "1")``.
    """
    parts: list[Inline] = []
    for literal, name, spec, _ in Formatter().parse(template.strip("\n").replace("\n", " ")):
        parts.append(literal)
        if name is not None:
            value, _ = Formatter().get_field(name, (), values)
            if isinstance(value, tuple):
                parts += value
            else:
                parts.append(value if isinstance(value, Inline) else format(value, spec or ""))
    return tuple(parts)


def sentence(name: str, /, **values: object) -> Text:
    """Return the sentence of a name, filled in."""
    return filled(entry(name), **values)


def words(name: str, /, **values: object) -> str:
    """Return the sentence of a name, filled in, as text alone."""
    return text_of(sentence(name, **values))


def paragraph(name: str, /, **values: object) -> Paragraph:
    """Return the sentence of a name as a paragraph."""
    return say(*sentence(name, **values))


def titled(place: str, blocks: Sequence[Block]) -> Section:
    """Return a part of a report under its title."""
    return part(place, words(f"titles.{place}"), blocks)


def of_picture(name: str, /, **values: object) -> dict[str, Any]:
    """Return the title, description, caption and keys of a picture, by the names that `Plot` has.

    The caption may have {description} in it.
    """
    told = entry(f"pictures.{name}")
    described = text_of(filled(told["description"], **values))
    title, caption = (
        text_of(filled(told[key], description=described, **values)) for key in ("title", "caption")
    )
    keys = [(style, text_of(filled(text, **values))) for style, text in told["keys"].items()]
    return {"title": title, "caption": caption, "keys": keys, "description": described}
