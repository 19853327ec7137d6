"""``pfverify prior``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pfverify.edge.commands.options import (
    check_problem_file,
    few_option,
    json_option,
    problem_file_option,
)
from pfverify.edge.commands.sections import SectionCommand, of_few_records, section
from pfverify.edge.progress import progress
from pfverify.errors import InputError


def _records(_context: click.Context, _parameter: click.Parameter, data: Path) -> Path:
    """Return DATA; InputError for a problem file, before options are missed."""
    from pfverify.edge.mistaken import FileKind, kind_of

    if data.suffix.lower() in (".toml", ".json") and kind_of(data) is FileKind.PROBLEM:
        raise InputError(
            f"{data}: this is a problem file already, expected records to count: pfverify certify "
            f"{data} decides it, pfverify calibrate {data} finds the smallest scale"
        )
    return data


_asked, _rows = section("What is secret, and what is published"), section("Rows")
_chain = section("Sequences")
_values, _read = section("Values"), section("How DATA is read")
_target = section("Noise and target")


@click.command(cls=SectionCommand)
@click.argument("data", type=click.Path(path_type=Path), callback=_records)
@_asked("--secret", metavar="COL", help="The column of the secret  [required without --chain].")
@_asked("--public", required=True, metavar="COL",
              help="The column that is released; or COL=VALUE: 1 for that value, else 0. Several "
              "with commas between: released together.")
@problem_file_option
@_rows("--where", metavar="CONDITION",
              help="Only the rows that meet it, such as \"age >= 18 and job in (a, 'b c')\".")
@_asked("--release", metavar="value|count|sum|mean|histogram",
              help="value (default) of one record; count, sum or mean of all rows; histogram: how "
              "many have each value, or are in each of --bins.")
@_asked("--rest", metavar="known|any|fitting",
              help="What is known of the other rows of what is over all: known (the law of all), "
              "any (nothing: decided for any number) or fitting (default: known where the "
              "law of their sum is small, else any).")
@_asked("--absent", metavar="NAME", help="One more secret: not being there at all.")
@_asked("--pairs", metavar="A:B,...",
              help="Pairs of values of the secret; default all. Others are left out.")
@_asked("--short-names", is_flag=True, help="Call secrets VALUE instead of COL=VALUE.")
@_chain("--chain", metavar="TIME",
              help="The column that sorts the records of a sequence (numbers, days or times): each "
              "record of --public is secret, and the chain's transitions are counted.")
@_chain("--by", metavar="COL", help="Whose sequence a record is of; default: there is one.")
@_chain("--length", type=int, metavar="N",
              help="Of the chain; default: how many records every sequence has.")
@_chain("--start", metavar="stationary|first",
              help="The law of record 1; default stationary, or where not every state comes back "
              "that of the first records.")
@_values("--codes", metavar="CODES",
              help="Category -> number: NAME=NUMBER,... or a file (.toml, .json, .csv), or order "
              "(sorted: 0, 1, ...).")
@_rows("--missing", metavar="error|drop|category",
              help="What becomes of rows without a value.  [default: error]")
@_rows("--missing-values", metavar="TEXTS",
              help="Texts that stand for no value, such as '?,NA' (empty cells always do).")
@of_few_records("--rare", type=int, metavar="N", help="Secrets of fewer than N records are rare.")
@of_few_records("--rare-do", metavar="error|drop|merge",
              help="What becomes of rare secrets.  [default: error]")
@_values("--bins", multiple=True, metavar="[COL=]EDGES",
              help="Intervals [low, high) between edges: 0,10,20; with several columns once for "
              "each: age=0,10,20.")
@_values("--bin-width", multiple=True, metavar="[COL=]NUMBER",
              help="Intervals of this width, one from 0.")
@_values("--bin-at", metavar="lower|middle|upper",
              help="The point that stands for an interval.  [default: middle]")
@of_few_records("--merge-rare", type=int, metavar="N",
              help="Merge neighbouring numbers of --public until each has N records of every "
              "secret; all count as the one in the middle of their records.")
@_values("--clip", multiple=True, metavar="[COL=]LOW,HIGH",
              help="Count smaller values as LOW and larger ones as HIGH; publish with the same.")
@_values("--confidence", metavar="LEVEL",
              help="Write confidence regions in place of counted laws: all hold together with this "
              "probability (0.95), if the rows are a random sample. Beside --release count, sum "
              "or mean: of the law of one record, with --rest any.")
@_values("--alphabet", metavar="VALUES",
              help="With --confidence: all values that there are (numbers, those of --codes); "
              "default: those of some record.")
@_values("--fit", metavar="gaussian|mixture", help="Fit a law to the values of each secret.")
@_values("--components", type=int, help="Of a mixture.  [default: 3]")
@_read("--floats", metavar="whole|shortest|exact",
              help="Floats in Parquet: whole (default), shortest decimal or exact.")
@_read("--decimal-comma", is_flag=True,
              help="Numbers are written 3,5 instead of 3.5; then 1.234 is refused.")
@_read("--date-format", metavar="FORMAT", help="Of dates not written 2024-02-29: %d/%m/%Y.")
@_target("--epsilon", metavar="NUMBER", help="The privacy budget.  [default: 1]")
@_target("--delta", default="0", metavar="NUMBER", show_default=True)
@_target("--noise", default="laplace", metavar="KIND", show_default=True,
              help="laplace, discrete-laplace (with --step), gaussian or none.")
@_target("--scale", metavar="NUMBER[,...]",
              help="Of the noise, or one for each column; calibrate finds the smallest.")
@_target("--releases", type=int, metavar="N",
              help="How often the number is published, each time with fresh noise.")
@_target("--draws", type=click.Choice(["same", "fresh"]),
              help="Of --releases: of the same X again and again, or of a fresh X each, as where "
              "the records change between releases.  [default: same]")
@_target("--step", metavar="NUMBER", help="Of discrete-laplace noise.")
@_read("--delimiter", metavar="CHARACTER", help="Between cells; default: as line 1 tells.")
@_read("--columns", metavar="NAMES", help="Names of the columns, without a header line.")
@_read("--encoding", help="Of the text.  [default: utf-8]")
@_read("--sheet", metavar="NAME", help="Of a workbook (.xlsx) with several sheets.")
@few_option
@json_option
def prior(
    data: Path,
    secret: str | None,
    public: str,
    chain: str | None,
    by: str | None,
    length: int | None,
    start: str | None,
    output: str | None,
    where: str | None,
    components: int | None,
    epsilon: str | None,
    delta: str,
    noise: str,
    scale: str | None,
    releases: int | None,
    draws: str | None,
    step: str | None,
    delimiter: str | None,
    columns: str | None,
    encoding: str | None,
    sheet: str | None,
    few: int,
    as_json: bool,
    **asked: Any,
) -> int:
    """Count the records of DATA per secret, and write a problem file.

    DATA is CSV (any delimiter), Parquet or JSON lines, also packed with gzip, or a sheet of a
    workbook (.xlsx): formulas count as the values that it keeps, hidden rows as all others. What
    is left out and how columns were coded stands in the file, under [provenance]. Days become
    days since 1970-01-01. Priors that are estimated from the data are an assumption.

    \b
    Examples:
      pfverify prior people.csv --secret smoker --public age -o mine.toml
      pfverify prior people.csv --secret smoker --public job --codes order --missing drop
      pfverify prior people.csv --secret smoker --public age,income --clip income=0,50000
      pfverify prior people.csv --secret age --public age --release histogram --bins 0,30,60,100
      pfverify prior people.csv --secret smoker --public smoker=yes --release count --absent absent
      pfverify prior people.csv --secret smoker --public income --release mean --clip 0,50000
      pfverify prior people.csv --secret job --public job --release histogram --absent absent
      pfverify prior people.csv --secret job --public age --bins 0,30,60,100 --rare 2 --rare-do drop
      pfverify prior people.csv --secret smoker --public job=a --confidence 0.95 -o mine.toml
      pfverify prior steps.csv --chain hour --by person --public state=active -o chain.toml
    """
    from pfverify.edge.leave import warn
    from pfverify.edge.made import put_out
    from pfverify.edge.render.show import form_of
    from pfverify.records.mixtures import laws
    from pfverify.records.option_words import record_options
    from pfverify.records.prior import prior_of_file
    from pfverify.records.sequences import ChainOptions
    from pfverify.records.source import TextReading

    form = form_of(as_json=as_json)
    check_problem_file(output, data)
    if components is not None and asked["fit"] != "mixture":
        raise InputError("--components: only --fit mixture has them")
    if chain is None and secret is None:
        raise click.UsageError("Missing option '--secret'.")
    for option, value in (("--by", by), ("--length", length), ("--start", start)):
        if chain is None and value is not None:
            raise InputError(f"{option}: goes with --chain TIME")
    names = None if columns is None else [name.strip() for name in columns.split(",")]
    scales = [] if scale is None else [part.strip() for part in scale.split(",")]
    sized = {
        "kind": noise, "scale": scales if len(scales) > 1 else scale, "step": step,
        "releases": releases, "draws": draws,
    }  # fmt: skip
    with progress("reading and fitting" if asked["fit"] == "mixture" else "reading") as report:
        found = prior_of_file(
            data, secret, public,
            chain=None if chain is None else ChainOptions(
                chain.strip(), None if by is None else by.strip(), length, start
            ),
            epsilon=epsilon, delta=delta, where=where, report=report,
            noise={key: value for key, value in sized.items() if value is not None},
            reading=TextReading(delimiter, names, encoding, sheet),
            laws=laws(components),
            options=record_options(asked),
        )  # fmt: skip
    if output is not None or form == "json":
        from pfverify.answers.footing import footing

        with progress("counts"):
            found = replace(found, rests_on=footing(found.problem, few=few))
    if output is None or form == "json":  # what has no place for remarks
        for remark in found.remarks:
            warn(remark)
    return put_out(found, output, str(data), form)
