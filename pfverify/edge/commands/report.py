"""``pfverify report``."""

from __future__ import annotations

from pfverify.edge.codes import decided
from pfverify.edge.commands.options import certificate_path, load, path_of, refuse_inputs
from pfverify.edge.document import Paragraph, text_of
from pfverify.edge.leave import EXIT_REFUTED
from pfverify.edge.progress import progress
from pfverify.edge.render.show import show
from pfverify.edge.report.report import Front, check_place, save_report, written
from pfverify.edge.stdin import DASH
from pfverify.edge.views.view import Remark


def report(
    problem: str, certificate: str | None, output: str, few: int, redact: bool, **front: str | None
) -> int:
    """Write one page about PROBLEM that a reader without pfverify understands."""
    path = path_of(problem)
    proof = None if certificate is None else (path, certificate_path(certificate), certificate)
    refuse_inputs(output, path, *([] if proof is None else [proof[1]]))
    check_place(output)
    asked = load(problem)
    with progress("deciding") as seen:
        name = path.name if problem == DASH else problem
        made = written(name, asked, proof, seen, few, redact=redact, front=Front(**front))
    save_report(made, output)
    # of a rejected certificate: what the kernel says
    why = [] if made.decided is not None else [
        text_of(block.text) for part in made.parts for block in part.blocks[:1]
        if isinstance(block, Paragraph)
    ]  # fmt: skip
    show([Remark(" ".join([f"{made.badge.text}: wrote {output}.", *why]).rstrip("."))], "terminal")
    return EXIT_REFUTED if made.decided is None else decided(made.decided)
