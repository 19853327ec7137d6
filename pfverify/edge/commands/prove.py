"""``pfverify prove``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import json_option
from pfverify.edge.progress import progress
from pfverify.errors import InputError


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--proofs", "folder", default="proofs", show_default=True, metavar="DIR",
              type=click.Path(path_type=Path), help="The folder of proof files, PAPER/ID.py.")
@click.option("--result", "results", multiple=True, metavar="RESULT",
              help="Only claims that declare this result, such as REFUTED; may be repeated.")
@click.option("--steps", is_flag=True, help="Show every step with the rule that checked it.")
@click.option("--counts", is_flag=True, help="Print only the counts per paper and result.")
@click.option("--break", "change", metavar="CHANGE",
              help="Change one ID on purpose: 'drop NAME' or 'NAME = EXPRESSION'.")
@click.option("--fresh", is_flag=True,
              help="Check every file again, also what earlier runs checked as it is now.")
@click.option("--html", "book", metavar="DIR", type=click.Path(path_type=Path),
              help="Write a book of these claims, pages for a browser, into a folder.")
@json_option
def prove(names: tuple[str, ...], folder: Path, results: tuple[str, ...], steps: bool,
          counts: bool, change: str | None, fresh: bool, book: Path | None,
          as_json: bool) -> int:
    """Check claims of the papers step by step: the files in ./proofs, all or those named.

    A NAME is that of a claim, of a paper (its folder), or a pattern such as 'N1*'.

    Each file states a claim and the steps that settle it; the rules do the checking. Exit code 0
    only if every file earns the result that it declares, else 1.

    A file that earned its result is not checked again until it, a file whose theorem it uses, or
    the checker changes: results are kept in your cache folder (on Linux ~/.cache/pfverify), and
    believed as your own files are. Where that is not enough, as in CI, say --fresh.

    \b
    Examples:
      pfverify prove
      pfverify prove noise-reduction 'G1*'
      pfverify prove --result REFUTED
      pfverify prove N09 --steps
      pfverify prove N09 --break "drop columns"
      pfverify prove --html book
    """
    from pfverify.edge.book import book_of, check_place, write_files
    from pfverify.edge.codes import held
    from pfverify.edge.proofs import counted, proved, results_named, selected
    from pfverify.edge.render.html import rendered
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.book import BookView
    from pfverify.edge.views.registry import view_of
    from pfverify.proof.theorems import theorems

    form = form_of(as_json=as_json)
    if book is not None:
        if change is not None:
            raise InputError("--html: a book is about the files as they are, without --break")
        check_place(book)
    wanted = results_named(results)
    found = proved(
        folder, names, results=wanted, change=change, steps=steps, exercises=book is not None,
        fresh=fresh,
    )  # fmt: skip
    views = [view_of(counted(found) if counts and form != "json" else found)]
    if book is None:
        show(views, form)
        return held(found.held)
    made = book_of(
        selected(folder, names, wanted), found.claims, found.exercises, selected(folder),
        theorems(folder),
    )  # fmt: skip
    written = BookView(made, str(book))
    with progress("typesetting") as report:
        write_files(book, rendered(written.site(report)))
    show(views, form, [written])
    return held(made.held)
