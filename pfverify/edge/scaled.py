"""A problem file with other numbers: the scale that calibrate found, or those of options."""

from __future__ import annotations

import shlex
from fractions import Fraction
from pathlib import Path

from pfverify.answers.certify import certify
from pfverify.answers.methods import CalibrateResult
from pfverify.edge.progress import Report
from pfverify.edge.views.numbers import rounded_up
from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number
from pfverify.exact.published import Infinite
from pfverify.files import write_text
from pfverify.model.noises.none import NoNoise
from pfverify.model.problem import Problem
from pfverify.model.problem_file import read_table, to_json
from pfverify.model.toml import toml_text
from pfverify.model.words import meant

_SHOWN = 4  # places of a scale in tables, or digits of one below 0.1


def scale_of(result: CalibrateResult, method: str, places: int | None = None) -> str:
    """Return the certified scale of a method, rounded up to places, or as tables show it.

    Raises InputError where there is no such method, or its scale is not certified.
    Example: ``scale_of(calibrate(problem), "minimum", 2)`` is ``"1.97"``.
    """
    if method in result.not_applicable:
        raise InputError(f"--method {method}: not applicable: {result.not_applicable[method]}")
    if method not in result.methods:
        near = meant(method, result.methods)
        hint = f"did you mean {near!r}?" if near else f"expected {', '.join(result.methods)}"
        raise InputError(f"--method: {shorten(method)!r} is unknown; {hint}")
    found = result.methods[method]
    if isinstance(found.scale, Infinite) or not found.certified:
        raise InputError(f"--method {method}: {found.verdict}; choose one that is certified")
    scale = Fraction(found.scale)
    if places is None:
        return decimal_text(Fraction(rounded_up(found.scale, _SHOWN)))
    return decimal_text(Fraction((scale * 10**places).__ceil__(), 10**places))


def write_changed(output: Path, source: Path, problem: Problem) -> None:
    """Write the file of a problem with its new epsilon, delta and scale, else as the source is.

    Raises InputError where it cannot be written.
    """
    table = read_table(source)
    table |= {"epsilon": _written(problem.epsilon), "delta": _written(problem.delta)}
    scale = problem.noise.scale
    if scale is not None and not isinstance(problem.noise, NoNoise):
        table["noise"] = {k: v for k, v in table["noise"].items() if k != "variance"}
        table["noise"]["scale"] = _written(scale)
    as_json = output.suffix.lower() == ".json"
    text = to_json(table) if as_json else toml_text(table)
    if Problem.from_text(text, json_format=as_json) != problem:
        raise InputError(f"{shorten(output, 200)}: the problem would be read as another one")
    try:
        write_text(output, text)
    except OSError as error:
        raise InputError(f"{shorten(output, 200)}: cannot write: {error.strerror}") from None


def _written(value: Number) -> str:
    return value.text if value.fraction is None else decimal_text(value.fraction)


def write_scaled(
    output: Path, source: Path, problem: Problem, result: CalibrateResult, method: str,
    places: int | None, report: Report,
) -> list[str]:
    """Write the problem with the scale of a method, and return what was written and what is next.

    The rounded scale is decided again: nothing is written unless it is certified.
    Raises InputError that says why it is not.
    """
    scale = scale_of(result, method, places)
    scaled = problem.replaced(scale=scale)
    verdict = certify(scaled, progress=report)
    if not verdict.certified:
        raise UndecidedError(f"--write: {method} rounded up to {scale} is {verdict.verdict}")
    write_changed(output, source, scaled)
    size = scaled.noise.size_name
    bare = "; the value itself is published" if scaled.noise.adds_nothing else ""
    name, cert, page = (
        shlex.quote(str(path))
        for path in (output, output.with_suffix(".cert"), output.with_suffix(".html"))
    )
    return [
        f"Wrote {output}: {size} = {scale} ({method}, rounded up), certified{bare}.",
        f"Next: pfverify certify {name} -o {cert} && "
        f"pfverify report {name} --cert {cert} -o {page}",
    ]
