"""``pfverify curve``."""

from __future__ import annotations

import click

from pfverify.edge.commands.options import (
    check_output,
    csv_option,
    json_option,
    load,
    path_of,
)
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.commands.plotting import PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.commands.sections import of_output, section
from pfverify.edge.progress import progress

_asked = section("Which curve")
KINDS = ("profile", "trade-off", "odds", "renyi")


@click.command(cls=PlotCommand)
@click.argument("problem", type=PROBLEM)
@_asked("--kind", type=click.Choice(KINDS), default="profile", show_default=True,
        help="delta at every epsilon; the errors of every test; or the chance of a right guess at "
        "every weight; the Renyi divergence at every order.")
@_asked("--from", "start", metavar="NUMBER", help="Where the curve begins.")
@_asked("--to", "end", metavar="NUMBER",
        help="Where it ends.  [default: all of it; of weights 1/100 to 99/100; of orders "
        "3/2 to 10; of epsilon to where delta is at most --gap, at most 16]")
@_asked("--gap", metavar="NUMBER", default="1/10000", show_default=True,
        help="How far apart the bounds of the curve may be anywhere.")
@of_output("-o", "--output", type=FILE, metavar="CERT",
           help="Write one certificate for the whole curve.")
@plot_option
@json_option
@csv_option
def curve(
    problem: str, kind: str, start: str | None, end: str | None, gap: str, output: str | None,
    plot: str | None, as_json: bool, as_csv: bool,
) -> int:
    """Prove a whole curve of PROBLEM: what holds at every place, also between points.

    profile: delta at every epsilon, the largest P(B) - e^epsilon Q(B) over events B. trade-off:
    whoever tests P against Q keeps P though Q is true (type II) with at least this chance, if P is
    rejected though it is true (type I) with the chance on the axis. odds: the largest chance of
    guessing right which law it was, where P has the weight on the axis before.
    renyi: the Renyi divergence at every order, for problems that have one.

    It looks at single places, where a verdict decides, until the bounds that follow between them
    are near enough. The target of the problem, epsilon and delta, is not asked for. With -o the
    kernel has to accept the certificate; `pfverify check` then says curve.

    \b
    Examples:
      pfverify curve example:census
      pfverify curve example:census --to 1 --gap 1e-5 -o census.curve
      pfverify curve example:gaussian-pair --kind trade-off --plot
      pfverify curve example:census --kind odds --from 1/4 --to 3/4 --csv
    """
    from pfverify.answers.curves.curve import curve as find
    from pfverify.edge.certificates import ended, save, tell_refused
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of
    from pfverify.edge.views.view import Asked

    form = form_of(as_json=as_json, as_csv=as_csv)
    check_output(output, problem)
    check_plot(plot, form)
    stated = load(problem)
    if output is not None:
        tell_refused(path_of(problem), stated)
    with progress("looking") as report:
        found = find(stated, kind, start=start, end=end, gap=gap, progress=report)
    refused = None
    if output is not None:
        refused = save(output, path_of(problem), stated, found)
    pictures = drawn(plot, stated, found)
    show([view_of(found, problem, Asked(problem, stated))], form, pictures)
    return ended(0, refused)
