"""Sentences for people that several commands and pages say: `sentences.toml` has them, by topic."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache  # many answers say none of them
def sentences() -> dict[str, dict[str, str]]:
    """Return topic -> name -> sentence, with names in braces.

    Example: ``sentences()["region"]["taken"][:12]`` is ``"The smallest"``.
    """
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def sentence(name: str, /, **values: object) -> str:
    """Return the sentence of a topic and a name, filled in.

    Raises KeyError for one that there is not, and for a name in braces without a value.
    Example: ``sentence("region.taken", size="scale")[:18]`` is ``"The smallest scale"``.
    """
    topic, _, key = name.partition(".")
    return sentences()[topic][key].format(**values)
