"""``pfverify prior``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pfverify.edge.commands.options import check_problem_file
from pfverify.edge.leave import warn
from pfverify.edge.made import put_out
from pfverify.edge.mistaken import FileKind, kind_of
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form
from pfverify.errors import InputError
from pfverify.records.mixtures import laws
from pfverify.records.option_words import record_options
from pfverify.records.prior import prior_of_file
from pfverify.records.sequences import ChainOptions
from pfverify.records.source import TextReading


def refuse_problem(_context: click.Context, data: Path) -> Path:
    """Return DATA; InputError for a problem file, before options are missed."""
    if data.suffix.lower() in (".toml", ".json") and kind_of(data) is FileKind.PROBLEM:
        raise InputError(
            f"{data}: this is a problem file already, expected records to count: pfverify certify "
            f"{data} decides it, pfverify calibrate {data} finds the smallest scale"
        )
    return data


def prior(
    data: Path, secret: str | None, public: str, output: str | None, where: str | None, few: int,
    components: int | None, epsilon: str | None, delta: str, form: Form, **asked: Any,
) -> int:  # fmt: skip
    """Count the records of DATA per secret, and write a problem file."""
    check_problem_file(output, data)
    fits = asked["fit"] == "mixture"
    if components is not None and not fits:
        raise InputError("--components: only --fit mixture has them")
    chain, by, length, start = (asked.pop(key) for key in ("chain", "by", "length", "start"))
    if chain is None and secret is None:
        raise click.UsageError("Missing option '--secret'.")
    names = asked.pop("columns")
    reading = TextReading(
        names=None if names is None else _parts(names),
        **{key: asked.pop(key) for key in ("delimiter", "encoding", "sheet")},
    )
    noise = {key: asked.pop(key) for key in ("noise", "scale", "step", "releases", "draws")}
    with progress("reading and fitting" if fits else "reading") as report:
        found = prior_of_file(
            data, secret, public,
            chain=None if chain is None else ChainOptions(
                chain.strip(), None if by is None else by.strip(), length, start
            ),
            epsilon=epsilon, delta=delta, where=where, report=report, noise=_noise(**noise),
            reading=reading, laws=laws(components), options=record_options(asked),
        )  # fmt: skip
    if output is not None or form == "json":
        from pfverify.answers.footing import footing

        with progress("counts"):
            found = replace(found, rests_on=footing(found.problem, few=few))
    if output is None or form == "json":  # what has no place for remarks
        for remark in found.remarks:
            warn(remark)
    return put_out(found, output, str(data), form)


def _noise(noise: str, scale: str | None, **more: Any) -> dict[str, Any]:
    """The table of the noise, with a scale for each column where there are several."""
    scales = [] if scale is None else _parts(scale)
    found = {"kind": noise, "scale": scales if len(scales) > 1 else scale, **more}
    return {key: value for key, value in found.items() if value is not None}


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]
