"""``pfverify explain``."""

from __future__ import annotations

from pfverify.edge.commands.shown import show_result
from pfverify.edge.glossary.entries import Terms, entries, lookup
from pfverify.edge.render.show import Form
from pfverify.errors import InputError


def explain(words: tuple[str, ...], listed: bool, form: Form) -> int:
    """Say what TERM means: definition, formula, source, and where it appears."""
    if listed == bool(words):
        raise InputError("explain: name one term, or --list them all")
    found = entries() if listed else lookup(" ".join(words))
    show_result(Terms(found, whole=not listed), form)
    return 0
