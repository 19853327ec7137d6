"""``pfverify explore``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import (
    csv_option,
    digits_option,
    json_option,
    load,
    path_of,
    refuse_inputs,
)
from pfverify.edge.commands.parameters import PROBLEM
from pfverify.edge.progress import progress


@click.command()
@click.argument("problem", type=PROBLEM)
@click.option("-o", "--output", required=True, metavar="PAGE.html", help="The page to write.")
@click.option("--scale", multiple=True, metavar="NUMBER",
              help="Decide at this scale; repeat it or use commas. Default: around the problem's "
                   "and the smallest.")
@click.option("--epsilon", multiple=True, metavar="NUMBER",
              help="Decide at this epsilon; the same. Default: around the problem's.")
@click.option("--values", default=60, show_default=True, metavar="N",
              help="Decide at most so many values: scales times epsilons, up to 1000.")
@digits_option
@json_option
@csv_option
def explore(
    problem: str, output: str, scale: tuple[str, ...], epsilon: tuple[str, ...], values: int,
    digits: int, as_json: bool, as_csv: bool,
) -> int:  # fmt: skip
    """Write one page about PROBLEM on which scale and epsilon are moved.

    The page has the two laws of a pair and their log ratio, and says of each value whether it is
    certified or refuted, with the loss, delta and where it fails. Every value is decided before the
    page is written, so that this takes about as long as certify takes for all of them together:
    seconds for the examples, minutes where one verdict takes seconds (--values says how many).
    Between two values the page says that nothing is decided there. The smallest scale is above the
    last refuted and at most the first certified of two neighbours.

    The file is one piece: it needs no network. A page from confidential records is confidential.
    What publishes several numbers, or one of them several times, cannot be drawn, and is refused.

    \b
    Examples:
      pfverify explore example:census -o census.html
      pfverify explore example:tie-delta --values 20 -o tie.html
      pfverify explore example:census --scale 0.5,0.6,1 --epsilon 1 -o three.html
      pfverify explore example:home-and-out -o channel.html
    """
    from pfverify.edge.explore.explore import check_page, save_explored
    from pfverify.edge.explore.explore import explore as decided
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.stdin import DASH
    from pfverify.edge.sweep import split_values
    from pfverify.edge.views.registry import views_of
    from pfverify.edge.views.view import Remark

    form = form_of(as_json=as_json, as_csv=as_csv)
    path = path_of(problem)
    refuse_inputs(output, path)
    check_page(output)
    asked = load(problem)
    scales, epsilons = (
        [one for one in split_values(given, option) if one is not None] or None
        for given, option in ((scale, "--scale"), (epsilon, "--epsilon"))
    )
    with progress("deciding") as seen:
        found = decided(asked, scales=scales, epsilons=epsilons, values=values, digits=digits,
                        progress=seen)  # fmt: skip
    with progress("drawing") as seen:
        save_explored(found, output, path.name if problem == DASH else problem, seen)
    show(views_of([found], problem, [asked], digits), form, [Remark(f"Wrote {output}.")])
    return 0
