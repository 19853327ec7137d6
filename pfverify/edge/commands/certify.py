"""``pfverify certify``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pfverify.edge.commands.options import (
    GivenOptions,
    check_output,
    means_options,
    problem_options,
    refuse_inputs,
)
from pfverify.edge.commands.parameters import FILE
from pfverify.edge.commands.plotting import HERE, PlotCommand, check_plot, drawn, plot_option
from pfverify.edge.commands.sections import of_certificate, of_output, section
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from pfverify.answers.outcome import CertifyResult
    from pfverify.edge.asked import Asking, Loaded
    from pfverify.edge.pictures import BarChart, Plot
    from pfverify.edge.render.show import Form
    from pfverify.edge.views.view import View
    from pfverify.model.problem import Problem

    Check = Callable[[Problem], None]
    Write = Callable[[Problem, CertifyResult], object]

_REPORTS = {"junit": ".xml", "sarif": ".sarif", "markdown": ".md", "csv": ".csv"}
"""How a file with the answer in that form would be named, and no certificate is."""


_one_pair = section("A look at one pair")


@click.command(cls=PlotCommand)
@problem_options("epsilon", "delta", "scale")
@of_output("--format", "written", help="How to print the answer.",
              type=click.Choice(["text", "json", "csv", "junit", "sarif", "markdown"]))
@_one_pair("--explain", is_flag=True,
              help="Write out the inequality at the worst output, with its numbers.")
@_one_pair("--latex", is_flag=True,
              help="With --explain: print the inequality as LaTeX, and nothing else.")
@_one_pair("--grid", type=int, metavar="POINTS",
              help="Only look at so many outputs (exit code 3).")
@plot_option
@of_certificate("-o", "--output", type=FILE, metavar="CERT",
              help="Write the certificate to this file (with --scale and the like the problem too, "
              "as CERT.toml); of several problems, to this folder.")
@of_certificate("--attest", is_flag=True, help="With -o: wrap it as an in-toto Statement.")
@means_options
def certify(
    written: str | None,
    explain: bool,
    latex: bool,
    grid: int | None,
    plot: str | None,
    output: str | None,
    attest: bool,
    **options: Any,
) -> int:
    """Decide whether the noise scale of PROBLEM is private, for all outputs.

    Exit code 0: certified. 1: refuted, with an output or event that breaks the bound.
    3: undecided, with the reason. Of several problems, or a folder of problem files, all are
    decided: 2 where one cannot be read, else 1, else 3, else 0.

    \b
    Examples:
      pfverify certify example:census
      pfverify certify example:census --scale 0.55 --explain
      pfverify certify example:tie-delta --explain --latex
      pfverify certify example:census --epsilon 0.1,0.5,1 --csv
      pfverify certify example:census -o census.cert
      pfverify certify example:gaussian-pair --plot
      pfverify certify problems -o certificates --format junit
      pfverify certify problems --jobs 4 --results answers.jsonl
    """
    from pfverify.answers.certify import certify as decide
    from pfverify.edge.asked import Asking
    from pfverify.edge.many import named_problems
    from pfverify.edge.render.show import SERVICES, form_of

    given = GivenOptions(**options)
    one_pair = explain or grid is not None or plot is not None
    means = given.means(output, one_pair=one_pair)
    if attest and output is None:
        raise InputError("--attest: say where with -o FILE")
    if latex and not explain:
        raise InputError("--latex: prints what --explain writes out; add --explain")
    form = form_of(as_json=given.as_json, as_csv=given.as_csv, written=written)
    if output is not None and Path(output).suffix.lower() == _REPORTS.get(form):
        raise InputError(
            f"-o {output}: -o writes the certificate; what --format prints goes to standard "
            f"output: > {output}"
        )
    if explain and form != "terminal":
        raise InputError("--explain: is for people; leave out --json, --csv and --format")
    if plot is not None and grid is not None:
        raise InputError("--plot: not with --grid, which decides nothing")
    if plot == HERE and latex:
        raise InputError("--plot: --latex prints nothing else; name a file, as in --plot loss.svg")
    check_plot(plot, form)
    names, listed = named_problems(given.problems)
    if attest and "-" in names:
        raise InputError("--attest: names the problem file, expected one, not standard input")
    asking = Asking("certify", decide, given.load, given.digits, means)
    ask = _Asked(given, asking, output, attest)
    if listed or form in SERVICES:
        if one_pair:
            raise InputError(
                "--explain, --grid and --plot: work on one problem file at a time, for people"
            )
        return _several(names, ask, form, listed=listed)
    if grid is not None:
        if explain or output or form == "csv":
            raise InputError("--grid: works on one problem, without --explain, --csv or -o")
        return _seen(names[0], given, grid, form)
    written_out = _explanations(latex=latex) if explain else None
    return _one(names[0], ask, form, written_out, plot, latex=latex)


@dataclass(frozen=True)
class _Asked:
    """What is asked about every problem, and where its certificate goes."""

    given: GivenOptions
    asking: Asking
    output: str | None
    attest: bool


def _one(
    name: str,
    ask: _Asked,
    form: Form,
    written_out: tuple[Check, Write] | None,
    plot: str | None,
    *,
    latex: bool,
) -> int:
    """Decide one problem, and write out or draw the worst pair where that is asked for."""
    from pfverify.edge.codes import certify_code
    from pfverify.edge.render.show import show
    from pfverify.edge.views.registry import view_of, views_of

    loaded = ask.given.load(name)
    problems, path = loaded.problems, loaded.path
    changed = ask.output is not None and any(ask.given.overrides)
    if ask.output is not None:
        check_output(ask.output, name)
        if changed:
            path = Path(f"{ask.output}.toml")  # of the problem, which no file states
            refuse_inputs(str(path), loaded.path)
            if len(problems) > 1:
                raise InputError("-o: a certificate is about one problem, expected no sweep")
    check_plot(plot, form, len(problems))
    if written_out is not None:
        for one in problems:
            written_out[0](one)
    refused = None
    if ask.output is not None:
        from pfverify.edge.certificates import tell_refused

        tell_refused(loaded.path, problems[0])
    with progress("deciding") as report:
        results = ask.asking.about(loaded, report)
    if ask.output is not None:
        from pfverify.edge.certificates import save_both, save_verdict

        with progress("checking the certificate"):
            decided, attest = (problems[0], results[0]), ask.attest
            refused = (
                save_both(ask.output, path, loaded.path, *decided, attest=attest)
                if changed else save_verdict(ask.output, path, *decided, attest=attest)
            )  # fmt: skip
    views = views_of(results, name, problems, ask.given.digits)
    if written_out is not None:
        with progress("writing it out"):
            told = [view_of(written_out[1](*both)) for both in zip(problems, results, strict=True)]
        views = told if latex else [view for both in zip(views, told, strict=True) for view in both]

    def picture() -> Plot | BarChart:
        from pfverify.edge.pictured import of_verdict

        return of_verdict(problems[0], results[0]).picture()

    pictures = drawn(plot, picture)
    show(views, form, [] if latex else pictures, loaded.shape)
    if refused is not None:
        raise refused
    return certify_code(results)


def _several(names: list[str], ask: _Asked, form: Form, *, listed: bool) -> int:
    """Decide every problem, whatever becomes of the others.

    `listed`: more than one may have been meant, and -o is a folder.
    """
    from concurrent.futures import ThreadPoolExecutor

    from pfverify.edge.certificates import save_verdict
    from pfverify.edge.codes import certify_code, several_code
    from pfverify.edge.many import certificate_places, collected
    from pfverify.edge.render.shape import Shape
    from pfverify.edge.render.show import show
    from pfverify.edge.views.failed import TallyView
    from pfverify.edge.views.registry import views_of

    if listed or ask.output is None:
        places = certificate_places(names, ask.output)
    else:
        places = {names[0]: Path(ask.output)}
    for name, place in places.items():
        check_output(str(place), name, *ask.given.overrides)

    ahead: dict[str, Future[tuple[Loaded, list[CertifyResult]]]] = {}

    def saved(name: str) -> tuple[Loaded, list[CertifyResult]]:
        loaded, results = answers(name)
        if name in places:
            place, problem = str(places[name]), loaded.problems[0]
            refused = save_verdict(place, loaded.path, problem, results[0], attest=ask.attest)
            if refused is not None:
                raise refused
        return loaded, results

    def answer(name: str) -> tuple[list[View[Any]], int]:
        loaded, results = ahead[name].result() if name in ahead else saved(name)
        return views_of(results, name, loaded.problems, ask.given.digits), certify_code(results)

    means = ask.asking.means
    saving = ThreadPoolExecutor(means.jobs)  # each waits for a kernel, which is a process
    try:
        with progress("problems") as report:
            answers = ask.asking.answerer(names, report)
            if not means.plain:
                ahead = {name: saving.submit(saved, name) for name in names}
            views, codes = collected(names, answer, report)
    finally:
        saving.shutdown(cancel_futures=True)
    show(views, form, [TallyView(views)] if listed else [], Shape.RESULTS)
    return several_code(codes)


def _seen(name: str, given: GivenOptions, points: int, form: Form) -> int:
    """Look at a grid, which proves nothing."""
    from pfverify.answers.grid import grid_certify
    from pfverify.edge.codes import decided
    from pfverify.edge.render.show import show
    from pfverify.edge.views.registry import views_of

    loaded = given.load(name)
    if len(loaded.problems) > 1:
        raise InputError("--grid: works on one problem, without --explain, --csv or -o")
    seen = grid_certify(loaded.problems[0], points)
    show(views_of([seen], name, loaded.problems, given.digits), form, shape=loaded.shape)
    return decided(seen.verdict)


def _explanations(*, latex: bool) -> tuple[Check, Write]:
    """What refuses a problem that cannot be written out, and what writes it out."""
    if latex:
        from pfverify.edge.latex import check_latex, fragment

        return check_latex, fragment
    from pfverify.edge.explain import check_explainable, explained

    return check_explainable, explained
