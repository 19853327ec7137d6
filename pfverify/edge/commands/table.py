"""``pfverify table``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import check_problem_file, json_option, problem_file_option
from pfverify.edge.commands.sections import SectionCommand, section

_columns, _read = section("Columns of PTABLE"), section("How it is read")
_target = section("Target")


@click.command(cls=SectionCommand)
@click.argument("ptable", type=click.Path(path_type=Path))
@problem_file_option
@_columns("--count", metavar="COL", help="The column of the true count; usually i.")
@_columns("--perturbation", metavar="COL", help="What is added to it; usually v.")
@_columns("--perturbed", metavar="COL", help="Or the count after that; usually j.")
@_columns("--probability", metavar="COL", help="The column of the probability; usually p.")
@_columns("--key", metavar="COL",
          help="Or a cell key, each as likely, or the end of a range; usually ckey.")
@_read("--rescale", is_flag=True,
              help="Divide the probabilities of a count by their sum, where it is not 1.")
@_read("--decimal-comma", is_flag=True, help="Numbers are written 0,5 instead of 0.5.")
@_target("--epsilon", metavar="NUMBER", help="The privacy budget.  [default: 1]")
@_target("--delta", default="0", metavar="NUMBER", show_default=True)
@json_option
def table(
    ptable: Path,
    output: str | None,
    epsilon: str | None,
    delta: str,
    rescale: bool,
    decimal_comma: bool,
    as_json: bool,
    **columns: str | None,
) -> int:
    """Read the noise table of a statistics office, and write a problem about a count.

    PTABLE (CSV of any delimiter, or Parquet) has a row for each true count and perturbation, with
    its probability, as the R packages ptable and cellKey write it; or one for each true count and
    cell key, as the Office for National Statistics publishes it (pcv, ckey, pvalue), or upper end
    of a range of keys. Probabilities are read as they stand, and must sum to exactly 1 for every
    count. The rows of the largest count serve all larger ones.

    The problem compares counts that differ by 1: whether one person is counted in a cell. Edit its
    priors and pairs for another belief, and state several cells or releases: it is about one, as
    cells that share records, and so record keys, are not independent.

    \b
    Examples:
      pfverify table ptable.csv -o cells.toml
      pfverify table ptable.csv --rescale --epsilon 1 --delta 1/20 -o cells.toml
      pfverify table perturb.csv --count original --perturbed published --probability share
    """
    from pfverify.edge.made import put_out
    from pfverify.edge.render.show import form_of
    from pfverify.records.ptable import ptable_problem

    form = form_of(as_json=as_json)
    check_problem_file(output, ptable)
    found = ptable_problem(
        ptable, columns=columns, rescale=rescale, decimal_comma=decimal_comma,
        epsilon=epsilon, delta=delta,
    )  # fmt: skip
    return put_out(found, output, str(ptable), form, found.said)
