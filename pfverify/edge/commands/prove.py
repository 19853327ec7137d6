"""``pfverify prove``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import json_option, print_json
from pfverify.edge.progress import progress
from pfverify.errors import InputError


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--proofs", "folder", default="proofs", show_default=True, metavar="DIR",
              type=click.Path(path_type=Path), help="The folder of proof files, PAPER/ID.py.")
@click.option("--steps", is_flag=True, help="Show every step with the rule that checked it.")
@click.option("--counts", is_flag=True, help="Print only the counts per paper and result.")
@click.option("--break", "change", metavar="CHANGE",
              help="Change one ID on purpose: 'drop NAME' or 'NAME = EXPRESSION'.")
@json_option
def prove(ids: tuple[str, ...], folder: Path, steps: bool, counts: bool, change: str | None,
          as_json: bool) -> int:
    """Check claims of the papers step by step: the files in ./proofs, all or those named.

    Each file states a claim and the steps that settle it; the rules do the checking. Exit code 0
    only if every file earns the result that it declares, else 1.

    \b
    Examples:
      pfverify prove
      pfverify prove N09 --steps
      pfverify prove N09 --break "drop columns"
    """
    from pfverify.edge.codes import held
    from pfverify.edge.tables import console, print_proofs
    from pfverify.proof import run as proofs

    paths = proofs.proof_files(folder, ids)
    if change is not None:
        if len(paths) != 1:
            raise InputError("--break: name the one ID to change")
        outcomes = [proofs.prove_changed(paths[0], change)]
    else:
        with progress("checking") as report:
            outcomes = proofs.prove(paths, report)
    if as_json:
        print_json({
            "claims": outcomes, "counts": proofs.count_cells(outcomes),
            "missing": proofs.missing_claims([path.stem for path in paths]) if not ids else None,
        })
    elif counts:
        click.echo(proofs.counts(outcomes))
        if not ids:
            click.echo("\n" + proofs.coverage([path.stem for path in paths]))
    else:
        print_proofs(console(), outcomes, steps=steps, change=change)
    return held(not any(o.failure for o in outcomes))
