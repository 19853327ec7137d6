"""A problem file with other numbers, and else as it was written: counts stay counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number, number
from pfverify.files import save_text
from pfverify.model.kinds import OTHER_NOISES
from pfverify.model.named_files import folder_of, located, moved
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.problem import Problem
from pfverify.model.problem_file import read_table, table_of_text, to_json
from pfverify.model.provenance import OF_REGIONS, WARNING
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Several
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped
from pfverify.model.steps.limits import Threshold
from pfverify.model.toml import toml_text

_SCALES = ("scale", "variance", "scales", "total")


def write_changed(
    output: Path, source: Path, problem: Problem, calibrated: str | None = None, *,
    families: bool = False,
) -> None:
    """Write the file of a problem with its new numbers, or on a lattice, else as the source is.


    `calibrated`: what [provenance] says of the new scale, where the file tells of records.
    `families`: with the problem's own priors, which stand in place of counts.
    Raises InputError where it cannot be written.
    """
    table = moved(read_table(source), folder_of(source), output.parent)
    if "noise" in table and table["noise"]["kind"] in OTHER_NOISES:
        table["noise"] = problem.release.tables(problem.protection)["noise"]
    table |= {"epsilon": _written(problem.epsilon), "delta": _written(problem.delta)}
    if families:
        table |= problem.source.tables()
        told = table.get("provenance", {})
        if "warning" in told:
            told["warning"] = told["warning"].replace(WARNING, OF_REGIONS)
    scale = problem.release.noise.scale
    if isinstance(_before_steps(problem.release), Coordinates | Several):
        table["noise"] = _of_several(table["noise"], problem)
    elif scale is not None and not isinstance(problem.release.noise, NoNoise | TableNoise):
        table["noise"] = {k: v for k, v in table["noise"].items() if k != "variance"}
        table["noise"]["scale"] = _written(scale)
    noise = problem.release.noise
    if isinstance(noise, DiscreteLaplace) and table["noise"]["kind"] != noise.kind:
        table["noise"] |= {"kind": noise.kind, "step": str(noise.step)}
    if isinstance(problem.release, Stepped):
        *before, last = table["post"]
        step = problem.release.steps[-1]
        if isinstance(step, Threshold):
            last = {"threshold": {**last["threshold"], "at": decimal_text(step.at)}}
        table["post"] = [*before, last]
    if isinstance(problem.release, TruncatedLaplace):
        table["noise"]["bound"] = decimal_text(problem.release.bound)
    if calibrated is not None and "provenance" in table:
        table["provenance"] = {**table["provenance"], "calibrated": calibrated}
    as_json = output.suffix.lower() == ".json"
    text = to_json(table) if as_json else toml_text(table)
    again = located(table_of_text(text, json_format=as_json), output.parent)
    if Problem.from_table(again) != problem:
        raise InputError(f"{shorten(output, 200)}: the problem would be read as another one")
    save_text(output, text)


def _before_steps(release: Release) -> Release:
    """What several numbers, or releases, have before a choice or steps."""
    return release.before if isinstance(release, Processed | Selected) else release


def _of_several(noise: dict[str, Any], problem: Problem) -> dict[str, Any]:
    """The table `noise` with the scales of many numbers or releases, as it tells them."""
    told = problem.release.tables(problem.protection)["noise"]
    kept = {key: value for key, value in noise.items() if key not in _SCALES}
    sizes = {key: told[key] for key in _SCALES if key in told}
    counts = {key: told[key] for key in ("releases", "draws") if key in told}
    return kept | counts | {
        key: [_written(number(one)) for one in size] if isinstance(size, list)
        else _written(number(size)) for key, size in sizes.items()
    }  # fmt: skip


def _written(value: Number) -> str:
    return value.text if value.fraction is None else decimal_text(value.fraction)
