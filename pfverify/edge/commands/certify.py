"""``pfverify certify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pfverify.answers.certify import certify as decide
from pfverify.edge.certificates import AskedCertificate
from pfverify.edge.codes import certify_code, decided
from pfverify.edge.commands.options import check_output, refuse_inputs
from pfverify.edge.commands.plotting import check_plot, drawn
from pfverify.edge.commands.shape import HERE
from pfverify.edge.many import certificate_places, named_problems
from pfverify.edge.problem_command import GivenOptions, ProblemCommand
from pfverify.edge.progress import progress
from pfverify.edge.render.show import SERVICES, show
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Remark
from pfverify.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pfverify.answers.outcome import CertifyResult
    from pfverify.edge.problem_command import LoadedProblem
    from pfverify.edge.views.view import View
    from pfverify.model.problem import Problem

    Check = Callable[[Problem], None]
    Write = Callable[[Problem, CertifyResult], object]

_REPORTS = {"junit": ".xml", "sarif": ".sarif", "markdown": ".md", "csv": ".csv"}
"""How a file with the answer in that form would be named, and no certificate is."""


def certify(
    explain: bool, latex: bool, grid: int | None, plot: str | None, worst: str | None,
    output: str | None, attest: bool, **options: Any,
) -> int:  # fmt: skip
    """Decide whether the noise scale of PROBLEM is private, for all outputs."""
    given = GivenOptions(**options)
    form = given.form
    means = given.means(output)
    if output is not None and Path(output).suffix.lower() == _REPORTS.get(form):
        raise InputError(
            f"-o {output}: -o writes the certificate; what --format prints goes to standard "
            f"output: > {output}"
        )
    if plot == HERE and latex:
        raise InputError("--plot: --latex prints nothing else; name a file, as in --plot loss.svg")
    check_plot(plot, form)
    names, listed = named_problems(given.problems)
    if attest and "-" in names:
        raise InputError("--attest: names the problem file, expected one, not standard input")
    command = ProblemCommand("certify", decide, certify_code, given, means)
    if listed or form in SERVICES:
        if explain or (grid, plot, worst) != (None, None, None):
            raise InputError(
                "--explain, --grid, --plot and --write-worst: work on one problem file at a time, "
                "for people"
            )
        return _several(command, names, output, attest=attest, listed=listed)
    if grid is not None:
        return _seen(command, names[0], grid)
    written_out = _explanations(latex=latex) if explain else None
    return _one(command, names[0], output, written_out, plot, worst, attest=attest, latex=latex)


def _one(
    command: ProblemCommand,
    name: str,
    output: str | None,
    written_out: tuple[Check, Write] | None,
    plot: str | None,
    worst: str | None,
    *,
    attest: bool,
    latex: bool,
) -> int:
    """Decide one problem, and write out or draw the worst pair where that is asked for."""
    loaded = command.given.load(name)
    problems = loaded.problems
    changed = output is not None and any(command.given.overrides)
    if output is not None:
        check_output(output, name)
        if changed:
            refuse_inputs(f"{output}.toml", loaded.path)
            if len(problems) > 1:
                raise InputError("-o: a certificate is about one problem, expected no sweep")
    check_plot(plot, command.given.form, len(problems))
    if worst is not None:
        from pfverify.edge.scaled import check_written, write_worst

        check_written(Path(worst), loaded.path, problems, option="--write-worst")
    if written_out is not None:
        for one in problems:
            written_out[0](one)
    certificate = AskedCertificate(output, loaded.path, changed=changed, attest=attest)
    certificate.tell_refused(problems[0])
    with progress("deciding") as report:
        results = command.about(loaded, report)
    with progress("checking the certificate"):
        certificate.save(problems[0], results[0])
    views = command.views(loaded, results)
    if written_out is not None:
        with progress("writing it out"):
            more = [view_of(written_out[1](*both)) for both in zip(problems, results, strict=True)]
        views = more if latex else [view for both in zip(views, more, strict=True) for view in both]
    pictures = [*_leaks(command, problems), *drawn(plot, problems[0], results[0])]
    show(views, command.given.form, [] if latex else pictures, loaded.shape)
    if worst is not None:
        told = write_worst(Path(worst), problems[0], results[0])
        click.echo(told, err=command.given.form != "terminal")
    return certificate.code(command.code(results))


def _leaks(command: ProblemCommand, problems: Sequence[Problem]) -> list[View[Any]]:
    """What the coordinates or releases of one problem lose alone, for people."""
    if command.given.form != "terminal" or len(problems) > 1:
        return []
    (problem,) = problems
    if problem.release.several is None and not problem.numbers:  # one number, published once
        return []
    from pfverify.answers.leaks import leaks
    from pfverify.edge.leak_words import leak_words

    return [Remark(words, level=1) for words in leak_words(leaks(problem))]


def _several(
    command: ProblemCommand, names: list[str], output: str | None, *, attest: bool, listed: bool
) -> int:
    """Decide every problem, whatever becomes of the others.

    `listed`: more than one may have been meant, and -o is a folder.
    """
    if listed or output is None:
        places = certificate_places(names, output)
    else:
        places = {names[0]: Path(output)}
    for name, place in places.items():
        check_output(str(place), name, *command.given.overrides)

    def saved(loaded: LoadedProblem, results: Sequence[CertifyResult]) -> int:
        place = str(places[loaded.name]) if places else None
        certificate = AskedCertificate(place, loaded.path, attest=attest)
        certificate.save(loaded.problems[0], results[0])
        return certificate.code(0)

    return command.several(names, saved, tally=listed)


def _seen(command: ProblemCommand, name: str, points: int) -> int:
    """Look at a grid, which proves nothing."""
    from pfverify.answers.grid import grid_certify

    loaded = command.given.load(name)
    if len(loaded.problems) > 1 or command.given.form == "csv":
        raise InputError("--grid: works on one problem, and only with --json")
    seen = grid_certify(loaded.problems[0], points)
    show(command.views(loaded, [seen]), command.given.form, shape=loaded.shape)
    return decided(seen.verdict)


def _explanations(*, latex: bool) -> tuple[Check, Write]:
    """What refuses a problem that cannot be written out, and what writes it out."""
    if latex:
        from pfverify.edge.latex import check_latex, fragment

        return check_latex, fragment
    from pfverify.edge.explain import check_explainable, explained

    return check_explainable, explained
