"""The problem file with a scale that calibrate found."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from pfverify.answers.certify import certify
from pfverify.answers.every_value import every_value
from pfverify.answers.largest_radius import LargestRadiusResult
from pfverify.answers.least_size import LeastSizeResult
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.most_releases import MostReleasesResult
from pfverify.answers.outcome import CertifyResult
from pfverify.answers.region import region_scale
from pfverify.edge.commands.options import check_problem_file
from pfverify.edge.progress import Report
from pfverify.edge.region_words import COUNTS, EVERY, REGION
from pfverify.edge.words import rounded_up
from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.published import Extended, Infinite
from pfverify.model.alone import pair_alone
from pfverify.model.changed_file import write_changed
from pfverify.model.counted import counts_of, of_no_record, region_of
from pfverify.model.problem import Problem
from pfverify.model.provenance import calibrated
from pfverify.model.words import meant

_SHOWN = 4  # places of a scale in tables, or digits of one below 0.1


@dataclass(frozen=True)
class WantedScale:
    """The problem to write: where, and with whose scale, rounded up to how many places.

    `method` is None for the minimum. The region of counts takes the place of these.
    """

    output: Path
    method: str | None
    places: int | None

    def write(
        self, source: Path, problem: Problem, result: CalibrateResult, report: Report
    ) -> list[str]:
        """Write it, and return what was written and what is next.

        The rounded scale is decided again: nothing is written unless it is certified.
        Raises InputError that says why it is not.
        """
        output, method = self.output, self.method or COUNTS
        if method == REGION:
            scale = rounded_scale(_of_region(problem, result), self.places)
            scaled = region_of(problem).replaced(scale=scale)
        elif method == EVERY:
            every = every_value(problem)
            if every is None:
                raise InputError(f"--method {EVERY}: it is of laws of a sum that were counted")
            scale = rounded_scale(every.least.upper, self.places)
            scaled = problem.replaced(scale=scale)
        else:
            scale = scale_of(result, method, self.places)
            scaled = problem.replaced(scale=scale)
        verdict = certify(scaled, progress=report)
        if not verdict.certified:
            raise UndecidedError(f"--write: {method} rounded up to {scale} is {verdict.verdict}")
        no_record = of_no_record(problem, every=method == EVERY)
        told = calibrated(scale, method, no_record=no_record)
        write_changed(output, source, scaled, told, families=method == REGION)
        what = {
            REGION: ", for all laws that the counts leave possible",
            EVERY: ", whatever is believed of one record",
            COUNTS: ", for the counts as exact" if counts_of(problem) else "",
        }.get(method, "")
        noise, of = scaled.release.noise, scaled.release.whose_scale
        size = f"{noise.size_name} = {scale}" + ("" if of is None else f" {of}")
        bare = "; no noise is added: the value itself is published" if noise.adds_nothing else ""
        name, cert, page = (
            shlex.quote(str(path))
            for path in (output, output.with_suffix(".cert"), output.with_suffix(".html"))
        )
        return [
            f"Wrote {output}: {size} ({method}{what}, rounded up), certified{bare}.",
            f"Next: pfverify certify {name} -o {cert} && "
            f"pfverify report {name} --cert {cert} -o {page}",
        ]


def check_method(wanted: WantedScale, problem: Problem) -> None:
    """Raise InputError, before any work, where counted laws leave open whose scale is meant."""
    if wanted.method is not None:
        return
    if every_value(problem) is not None:
        raise InputError(
            f"--write: laws were counted from records, say for whom: --method {EVERY} (whatever is "
            f"believed of one record) or --method {COUNTS} (the laws in the file)"
        )
    if counts_of(problem):
        raise InputError(
            f"--write: the priors are counts of records, say for whom: --method {REGION} (all laws "
            f"that they leave possible at 95 %) or --method {COUNTS} (the counts, as exact)"
        )


def _of_region(problem: Problem, result: CalibrateResult) -> Extended:
    """The smallest scale for the region of the counts, worked out if it was not."""
    found = None if result.rests_on is None else result.rests_on.region
    if found is None or found.long:
        found = region_scale(problem, result.minimum, whole=True)
    if found is None or found.least is None:
        why = "no prior is counted from records" if found is None else found.why
        raise InputError(f"--method {REGION}: {why}")
    if isinstance(found.least.upper, Infinite):
        raise InputError(f"--method {REGION}: {found.least.reason}")
    return found.least.upper


def check_written(
    output: Path, source: Path, problems: Sequence[Problem], option: str = "--write"
) -> None:
    """Raise InputError, before any work, where a changed problem cannot be written."""
    check_problem_file(str(output), source, option=option)
    if len(problems) > 1:
        raise InputError(f"{option}: one problem has one scale; give one epsilon and one delta")


def write_found(
    output: Path, source: Path, result: LeastSizeResult | MostReleasesResult | LargestRadiusResult
) -> str:
    """Write the problem with the threshold, bound, number or radius that was found; return so.

    Raises UndecidedError where none was found.
    """
    if result.found is None:
        raise UndecidedError(f"--write: there is no such problem to write: {result.reason}")
    if isinstance(result, LargestRadiusResult):
        result.found.save(output)
    else:
        write_changed(output, source, result.found)
    name, cert = (shlex.quote(str(path)) for path in (output, output.with_suffix(".cert")))
    said = f"Wrote {output}: {result.told}, certified."
    return f"{said} Next: pfverify certify {name} -o {cert}"


def write_worst(output: Path, problem: Problem, result: CertifyResult) -> str:
    """Write the problem of the worst pair of laws alone, and return what was written.

    Of families they are members, and a plain problem. Raises InputError where no file states them.
    """
    worst = result.pairs[0]
    y = worst.worst_y if worst.witness is None else worst.witness.y
    pair_alone(problem, worst.belief, worst.from_, worst.to, y).save(output)
    name = shlex.quote(str(output))
    return f"Wrote {output}: the worst pair alone, {worst.verdict}. Next: pfverify certify {name}"


def scale_of(result: CalibrateResult, method: str, places: int | None = None) -> str:
    """Return the certified scale of a method, rounded up to places, or as tables show it.

    Raises InputError where there is no such method, or its scale is not certified.
    Example: ``scale_of(calibrate(problem), "minimum", 2)`` is ``"1.97"``.
    """
    if method in result.not_applicable:
        raise InputError(f"--method {method}: not applicable: {result.not_applicable[method]}")
    if method not in result.methods:
        known, problem = [*result.methods], result.problem
        if problem is not None:
            known += [REGION] * bool(counts_of(problem))
            known += [EVERY] * (every_value(problem) is not None)
        near = meant(method, known)
        hint = f"did you mean {near!r}?" if near else f"expected {', '.join(known)}"
        raise InputError(f"--method: {shorten(method)!r} is unknown; {hint}")
    found = result.methods[method]
    if isinstance(found.scale, Infinite) or not found.certified:
        raise InputError(f"--method {method}: {found.verdict}; choose one that is certified")
    return rounded_scale(found.scale, places)


def rounded_scale(scale: str | Extended, places: int | None) -> str:
    """Return a scale rounded up to places, or as tables show it.

    Example: ``rounded_scale("1.965", 2)`` is ``"1.97"``.
    """
    if places is None:
        return decimal_text(Fraction(rounded_up(scale, _SHOWN)))
    return decimal_text(Fraction((Fraction(scale) * 10**places).__ceil__(), 10**places))
