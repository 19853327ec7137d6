"""``pfverify report``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import (
    certificate_path,
    few_option,
    load,
    path_of,
    refuse_inputs,
)
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.progress import progress


@click.command()
@click.argument("problem", type=PROBLEM)
@click.option("--cert", "certificate", metavar="CERT", type=FILE,
              help="Let the kernel check this certificate first, and say what it proves.")
@click.option("-o", "--output", required=True, metavar="FILE",
              help="The report to write: .html, .md or .pdf (printed by Chromium).")
@click.option("--redact", is_flag=True,
              help="Leave out the priors and whatever is worked out from them: digests instead.")
@click.option("--about", metavar="TEXT",
              help="What is published, such as 'the weekly count of visits'; default: the column.")
@click.option("--title", metavar="TEXT", help="The title; default: the name of the problem.")
@click.option("--owner", metavar="TEXT", help="Who answers for the release.")
@click.option("--date", metavar="TEXT", help="The date of the report; none is made up.")
@few_option
def report(
    problem: str, certificate: str | None, output: str, few: int, redact: bool,
    about: str | None, title: str | None, owner: str | None, date: str | None,
) -> int:  # fmt: skip
    """Write one page about PROBLEM that a reader without pfverify understands.

    It says the verdict, what it means, how far the published number is off, what was proved and
    what is assumed, with pictures of the laws, of the scales and of other targets. The file is
    one piece: it needs no network. A page from confidential records is confidential; with --redact
    it says what is published, the verdict, the target, the noise and what was proved, and nothing
    of the priors.

    Exit code as that of certify: 0 certified, 1 refuted (or a rejected certificate, of which the
    page says nothing else), 3 undecided. The file is written in each of these cases.

    \b
    Examples:
      pfverify report example:census -o census.html
      pfverify report mine.toml --cert mine.cert -o mine.html
      pfverify report mine.toml --cert mine.cert --redact -o handed-on.html
      pfverify report example:theorem-2-fails -o theorem.md
    """
    from pfverify.edge.codes import decided
    from pfverify.edge.document import Paragraph, text_of
    from pfverify.edge.leave import EXIT_REFUTED
    from pfverify.edge.render.show import show
    from pfverify.edge.report.report import (
        Front,
        check_place,
        save_report,
        written,
    )
    from pfverify.edge.stdin import DASH
    from pfverify.edge.views.view import Remark

    path = path_of(problem)
    proof = None if certificate is None else (path, certificate_path(certificate), certificate)
    refuse_inputs(output, path, *([] if proof is None else [proof[1]]))
    check_place(output)
    asked = load(problem)
    with progress("deciding") as seen:
        name = path.name if problem == DASH else problem
        front = Front(title, owner, date, about)
        made = written(name, asked, proof, seen, few, redact=redact, front=front)
    save_report(made, output)
    # of a rejected certificate: what the kernel says
    why = [] if made.decided is not None else [
        text_of(block.text) for part in made.parts for block in part.blocks[:1]
        if isinstance(block, Paragraph)
    ]  # fmt: skip
    show([Remark(" ".join([f"{made.badge.text}: wrote {output}.", *why]).rstrip("."))], "terminal")
    return EXIT_REFUTED if made.decided is None else decided(made.decided)
