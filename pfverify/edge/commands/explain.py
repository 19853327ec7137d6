"""``pfverify explain``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import json_option
from pfverify.edge.commands.parameters import TERM
from pfverify.errors import InputError


@click.command()
@click.argument("words", nargs=-1, type=TERM, metavar="[TERM]")
@click.option("--list", "listed", is_flag=True, help="List every term with its sentence.")
@json_option
def explain(words: tuple[str, ...], listed: bool, as_json: bool) -> int:
    """Say what TERM means: definition, formula, source, and where it appears.

    A TERM is a method of calibrate, a rule, a fact, a key of --json, a column, a kind of noise,
    prior or channel, a verdict, an exit code, or a word of the field. Upper case, hyphens,
    underscores and spaces do not matter.

    \b
    Examples:
      pfverify explain relaxed_rows
      pfverify explain y of loss
      pfverify explain waste --json
      pfverify explain --list
    """
    from pfverify.edge.glossary.entries import Terms, entries, lookup
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of

    if listed == bool(words):
        raise InputError("explain: name one term, or --list them all")
    found = entries() if listed else lookup(" ".join(words))
    show([view_of(Terms(found, whole=not listed))], form_of(as_json=as_json))
    return 0
