"""Sentences for people that several commands and pages say: `sentences.toml` has them, by topic."""

from __future__ import annotations

import tomllib
from pathlib import Path

SENTENCES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
"""Topic -> name -> sentence, with names in braces."""


def sentence(name: str, /, **values: object) -> str:
    """Return the sentence of a topic and a name, filled in.

    Raises KeyError for one that there is not, and for a name in braces without a value.
    Example: ``sentence("region.taken", size="scale")[:18]`` is ``"The smallest scale"``.
    """
    topic, _, key = name.partition(".")
    return SENTENCES[topic][key].format(**values)
