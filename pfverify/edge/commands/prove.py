"""``pfverify prove``."""

from __future__ import annotations

from pathlib import Path

from pfverify.edge.book import book_of, check_place, write_files
from pfverify.edge.codes import held
from pfverify.edge.progress import progress
from pfverify.edge.proofs import proved, selected
from pfverify.edge.render.html import rendered
from pfverify.edge.render.show import Form, show
from pfverify.edge.views.book import BookView
from pfverify.edge.views.proofs import CountsView, ProofsView
from pfverify.proof.outcome import Result
from pfverify.proof.theorems import theorems


def prove(names: tuple[str, ...], folder: Path, results: tuple[str, ...], steps: bool,
          counts: bool, change: str | None, fresh: bool, book: Path | None, form: Form) -> int:
    """Check claims of the papers step by step: the files in ./proofs, all or those named."""
    if book is not None:
        check_place(book)
    wanted = tuple(Result[name.upper().replace("-", "_")] for name in results)
    found = proved(
        folder, names, results=wanted, change=change, steps=steps, exercises=book is not None,
        fresh=fresh,
    )  # fmt: skip
    views = [CountsView(found) if counts and form != "json" else ProofsView(found)]
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
