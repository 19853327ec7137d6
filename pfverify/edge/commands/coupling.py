"""``pfverify coupling``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pfverify.edge.commands.options import (
    check_output,
    json_option,
    load,
    path_of,
    print_json,
    refuse_inputs,
)
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.edge.coupling import PlanCheck


@click.command()
@click.argument("problem")
@click.option("--pair", metavar="A,B", help="Only this pair of secrets.")
@click.option("--belief", metavar="NAME", help="Only this belief.")
@click.option("--plan", "plan", type=click.Path(path_type=Path), metavar="FILE",
              help="Judge this plan: CSV with the header from,to,mass, or JSON, or npz.")
@click.option("--within", metavar="T", help="Every edge of the plan must be at most this long.")
@click.option("--require", multiple=True, metavar="PROPERTY",
              help="The plan must be: forest, monotone, optimal, connected.")
@click.option("--repair", type=click.Path(path_type=Path), metavar="FILE",
              help="Write the nearest exact plan on the same support (CSV).")
@click.option("--metric", type=click.Path(path_type=Path), metavar="FILE",
              help="Distances instead of |x - x'|: CSV with the header from,to,distance.")
@click.option("--relation", type=click.Path(path_type=Path), metavar="FILE",
              help="Is the pair in the lifted relation? CSV with the header from,to.")
@click.option("-o", "--output", metavar="CERT", help="Write the certificate to this file.")
@json_option
def coupling(problem: str, pair: str | None, belief: str | None, plan: Path | None,
             within: str | None, require: tuple[str, ...], repair: Path | None,
             metric: Path | None, relation: Path | None, output: str | None,
             as_json: bool) -> int:
    """Show plan, W1, W-infinity and the best coupling of each pair; or judge a given plan.

    Exit code 1 for a plan with wrong marginals, an edge outside --within or --relation, or a
    required property that fails; other properties are reported.

    \b
    Examples:
      pfverify coupling example:census
      pfverify coupling example:census -o census.coupling
      pfverify coupling mine.toml --plan plan.csv --pair yes,no --within 2 --require monotone
    """
    from pfverify.edge import coupling as couplings

    loaded = load(problem)
    check_output(output, problem)
    inputs = [path_of(problem), *(file for file in (plan, metric, relation) if file is not None)]
    for written in (output, repair):
        if written is not None:
            refuse_inputs(str(written), *inputs)
    items = couplings.chosen_pairs(loaded, pair, belief)
    table = None if metric is None else couplings.read_metric(metric)
    pairs = None if relation is None else couplings.read_relation(relation)
    if plan is not None:
        if output is not None:
            raise InputError(
                "-o: a certificate is about the problem's own couplings, leave --plan out"
            )
        item = couplings.only_pair(items)
        result = couplings.judged_file(item, plan, table, pairs, within, require, repair)
        return _show_check(str(plan), result, repair, as_json)
    if within is not None or require or repair:
        raise InputError("--within, --require and --repair judge a plan: add --plan FILE")
    if output is not None and table is not None:
        raise InputError("-o: the kernel's rules are about |x - x'|, not about --metric")
    with progress("pairs") as report:
        found = couplings.couplings(loaded, items, table, pairs, report)
    if output is not None:
        from pfverify.certificate.build import write_couplings

        write_couplings(Path(output), path_of(problem), loaded, found.steps)
    if as_json:
        print_json(found)
    else:
        from pfverify.edge.tables import console, print_couplings

        print_couplings(console(), problem, found, output)
    return 0


def _show_check(name: str, result: PlanCheck, repair: Path | None, as_json: bool) -> int:
    from pfverify.edge.codes import held

    if as_json:
        print_json(result)
    else:
        from pfverify.edge.tables import console, print_plan_check

        print_plan_check(console(), name, result, repair)
    return held(result.valid)
