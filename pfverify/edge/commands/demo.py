"""``pfverify demo``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import json_option
from pfverify.edge.progress import progress


@click.command()
@json_option
@click.option("--multi-user", "figures", is_flag=True,
              help="Recompute the multi-user paper's Figures 4, 5, 8 and 9 instead.")
@click.option("--examples", is_flag=True, help="List the packaged problem files.")
@click.option("--write", "folder", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Copy the packaged problem files into FOLDER.")
def demo(as_json: bool, figures: bool, examples: bool, folder: Path | None) -> int:
    """Recompute Table 4 of the noise-reduction paper from real priors, with proofs.

    \b
    Examples:
      pfverify demo
      pfverify demo --multi-user
      pfverify demo --examples
      pfverify demo --write my-problems
    """
    from pfverify.edge import packaged
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of
    from pfverify.edge.views.view import Remark

    form = form_of(as_json=as_json)
    if folder is not None:
        count = packaged.write_examples(folder)
        show([Remark(f"wrote {count} problem files to {folder}")], "terminal")
        return 0
    if examples:
        show([view_of(packaged.listed_examples())], form)
        return 0
    from pfverify.edge.demo import demo as table_4
    from pfverify.edge.multi_user import multi_user_curves

    with progress("recomputing") as report:
        result = multi_user_curves(report) if figures else table_4(report)
    show([view_of(result)], form)
    return 0
