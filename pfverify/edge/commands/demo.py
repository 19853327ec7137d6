"""``pfverify demo``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import json_option, print_json
from pfverify.edge.progress import progress


@click.command()
@json_option
@click.option("--examples", is_flag=True, help="List the packaged problem files.")
@click.option("--write", "folder", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Copy the packaged problem files into FOLDER.")
def demo(as_json: bool, examples: bool, folder: Path | None) -> int:
    """Recompute Table 4 of the noise-reduction paper from real priors, with proofs.

    \b
    Examples:
      pfverify demo
      pfverify demo --examples
      pfverify demo --write my-problems
    """
    from pfverify.edge import packaged

    if folder is not None:
        count = packaged.write_examples(folder)
        click.echo(f"wrote {count} problem files to {folder}")
        return 0
    if examples:
        names = packaged.example_names()
        if as_json:
            print_json({"examples": [packaged.PREFIX + name for name in names]})
        else:
            width = max(map(len, names))
            for name in names:
                click.echo(f"{packaged.PREFIX}{name:{width}} {packaged.example_summary(name)}")
        return 0
    from pfverify.edge.demo import demo as recompute

    with progress("recomputing") as report:
        result = recompute(report)
    if as_json:
        print_json(result)
    else:
        from pfverify.edge.tables import console, print_demo

        print_demo(console(), result)
    return 0
