"""``pfverify demo``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import json_option
from pfverify.edge.progress import progress
from pfverify.errors import InputError


@click.command()
@json_option
@click.option("--multi-user", "figures", is_flag=True,
              help="Recompute the multi-user paper's Figures 4, 5, 8 and 9 instead.")
@click.option("--distribution", "properties", is_flag=True,
              help="Judge the distribution-privacy paper's properties instead.")
@click.option("--locations", is_flag=True,
              help="Compare mechanisms on grids of places at equal privacy instead.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV (--distribution, --locations).")
@click.option("--examples", is_flag=True, help="List the packaged problem files.")
@click.option("--write", "folder", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Copy the packaged problem files into FOLDER.")
def demo(as_json: bool, figures: bool, properties: bool, locations: bool, as_csv: bool,
         examples: bool, folder: Path | None) -> int:
    """Recompute Table 4 of the noise-reduction paper from real priors, with proofs.

    \b
    Examples:
      pfverify demo
      pfverify demo --multi-user
      pfverify demo --distribution
      pfverify demo --locations --csv
      pfverify demo --examples
      pfverify demo --write my-problems
    """
    from pfverify.edge import packaged
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of
    from pfverify.edge.views.view import Remark

    form = form_of(as_json=as_json, as_csv=as_csv)
    if folder is not None:
        count = packaged.write_examples(folder)
        show([Remark(f"wrote {count} problem files to {folder}")], "terminal")
        return 0
    if examples:
        show([view_of(packaged.listed_examples())], form)
        return 0
    if figures + properties + locations > 1:
        raise InputError("expected one of --multi-user, --distribution and --locations")
    if as_csv and not (properties or locations):
        raise InputError("--csv: only --distribution and --locations are tables of data")
    from pfverify.edge.papers import distribution, scales
    from pfverify.edge.papers import locations as places

    with progress("recomputing") as report:
        result: object
        if figures:
            result = scales.multi_user_curves(report)
        elif properties:
            result = distribution.properties(report)
        else:
            result = places.compare_locations(report) if locations else scales.demo(report)
    show([view_of(result)], form)
    return 0
