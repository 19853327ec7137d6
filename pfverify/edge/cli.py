"""The command line. Each command reads a problem, calls one function and prints its result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import pfverify
from pfverify.edge.leave import (
    EXIT_REFUTED,
    EXIT_UNDECIDED,
    Output,
    coded,
    finished,
    require_output,
)
from pfverify.errors import InputError
from pfverify.model.problem import Problem

_BAR_FROM = 8  # units of work from which a progress bar is worth showing


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code; errors are one line."""
    sys.exit(finished(main(arguments)))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""

    def command() -> object:
        require_output()
        words = list(sys.argv[1:] if arguments is None else arguments)
        with commands.make_context("pfverify", words) as context:
            return commands.invoke(context)

    return coded(command)


@contextmanager
def _progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, only on a terminal and only for long work."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    err = Output(stderr=True)
    if not err.is_terminal:
        yield lambda done, total: None
        return
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(label, total=None, visible=False)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=total >= _BAR_FROM)

        yield report


def _load(name: str) -> Problem:
    return Problem.load(_path(name))


def _path(name: str) -> Path:
    """The file behind PROBLEM."""
    from pfverify.edge.packaged import PREFIX, example_path

    if name.startswith(PREFIX):
        return example_path(name.removeprefix(PREFIX))
    return Path(name)


def _problem_options(*names: str) -> Callable[[Any], Any]:
    """Add PROBLEM, the overrides and the output options to a command."""
    helps = {
        "epsilon": "Use this epsilon instead; repeat it or use commas for a sweep.",
        "delta": "Use this delta instead; several values make a sweep.",
        "scale": "Use this noise scale instead; several values make a sweep.",
    }

    def decorate(function: Any) -> Any:
        function = click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")(function)
        function = click.option(
            "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
        )(function)
        function = click.option(
            "--digits", default=12, show_default=True, help="Significant digits of enclosures."
        )(function)
        for name in reversed(names):
            function = click.option(
                f"--{name}", multiple=True, metavar="NUMBER", help=helps[name]
            )(function)
        return click.argument("problem")(function)

    return decorate


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 certified or computed, 1 refuted (rejected, invalid, a failed proof), "
    "2 bad input, 3 undecided or only observed on a grid, 70 internal error, 130 interrupted, "
    "141 closed pipe.",
)
@click.version_option(pfverify.__version__, prog_name="pfverify")
@click.pass_context
def commands(context: click.Context) -> None:
    """Decide and prove whether a release Y = X + noise is pufferfish private.

    PROBLEM is a problem file (TOML, or JSON), or example:NAME for a packaged one;
    `pfverify demo --examples` lists those. The priors of X are discrete, Gaussian, or mixtures;
    the noise is Laplace, discrete Laplace or Gaussian.

    \b
    Examples:
      pfverify certify example:census
      pfverify certify example:gaussian-pair
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@commands.command()
@_problem_options("epsilon", "delta", "scale")
@click.option("--explain", is_flag=True,
              help="Write out the inequality at the worst output (priors of atoms).")
@click.option("--grid", type=int, metavar="POINTS",
              help="Only look at a grid (exit code 3; priors of atoms).")
@click.option("-o", "--output", metavar="CERT", help="Write the certificate to this file.")
@click.option("--attest", is_flag=True, help="With -o: wrap it as an in-toto Statement.")
def certify(
    problem: str,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    scale: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
    explain: bool,
    grid: int | None,
    output: str | None,
    attest: bool,
) -> int:
    """Decide whether the noise scale of PROBLEM is private, for all outputs.

    Exit code 0: certified. 1: refuted, with an output or event that breaks the bound.
    3: undecided, with the reason.

    \b
    Examples:
      pfverify certify example:census
      pfverify certify example:census --scale 0.55 --explain
      pfverify certify example:census --epsilon 0.1,0.5,1 --csv
      pfverify certify example:census -o census.cert
      pfverify certify example:gaussian-pair
    """
    from pfverify.decide.certify import certify as decide

    if attest and output is None:
        raise InputError("--attest: say where with -o FILE")
    _check_output(output, problem, epsilon, delta, scale)
    problems = _variants(problem, epsilon, delta, scale)
    if explain and (as_json or as_csv):
        raise InputError("--explain: is for people; leave out --json and --csv")
    if explain:
        from pfverify.edge.explain import check_explainable

        for one in problems:
            check_explainable(one)
    if grid is not None:
        if len(problems) > 1 or explain or as_csv or output:
            raise InputError("--grid: works on one problem, without --explain, --csv or -o")
        return _grid(problem, problems[0], grid, as_json)
    with _progress("deciding") as report:
        results = [
            decide(one, digits=digits, progress=_step(report, k, len(problems)))
            for k, one in enumerate(problems, 1)
        ]
    if output and results[0].verdict != "undecided":
        from pfverify.certificate.build import write_verdict

        write_verdict(Path(output), _path(problem), problems[0], results[0], attest=attest)
    code = max(_exit_code(result.verdict) for result in results)
    if any(result.verdict == "refuted" for result in results):
        code = EXIT_REFUTED
    if not _print_data(results, as_json, as_csv):
        from pfverify.edge.explain import explained
        from pfverify.edge.tables import console, print_certify

        out = console()
        for one, result in zip(problems, results, strict=True):
            print_certify(out, problem, result)
            if explain:
                out.print()
                for line in explained(one, result):
                    out.print(f"  {line}", markup=False, soft_wrap=True)
    return code


@commands.command()
@_problem_options("epsilon", "delta", "scale")
def loss(
    problem: str,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    scale: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Enclose the privacy loss of PROBLEM: epsilon*, delta, and the least epsilon at delta.

    \b
    Examples:
      pfverify loss example:census
      pfverify loss example:census --scale 0.5,1,2 --csv
      pfverify loss example:tie-delta --digits 30
      pfverify loss example:laplace-or-gaussian
    """
    from pfverify.decide.loss import loss as measure

    problems = _variants(problem, epsilon, delta, scale)
    with _progress("measuring") as report:
        results = [
            measure(one, digits=digits, progress=_step(report, k, len(problems)))
            for k, one in enumerate(problems, 1)
        ]
    if not _print_data(results, as_json, as_csv):
        from pfverify.edge.tables import console, print_loss

        out = console()
        for result in results:
            print_loss(out, problem, result)
    return 0


@commands.command()
@_problem_options("epsilon", "delta")
@click.option("-o", "--output", metavar="CERT", help="Write the certificate of all scales.")
def calibrate(
    problem: str,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    digits: int,
    as_json: bool,
    as_csv: bool,
    output: str | None,
) -> int:
    """Find noise scales for PROBLEM: every published recipe, decided, and the least one.

    The scale in the file is ignored. A recipe that is not private is shown as refuted, with the
    output or event at which it fails.

    \b
    Examples:
      pfverify calibrate example:census
      pfverify calibrate example:census --epsilon 0.1,0.2,0.5 --csv
      pfverify calibrate example:census -o census.scales
      pfverify calibrate example:theorem-2-fails
    """
    from pfverify.scales.calibrate import calibrate as find

    _check_output(output, problem, epsilon, delta)
    problems = _variants(problem, epsilon, delta, ())
    with _progress("calibrating") as report:
        results = [
            find(one, digits=digits, progress=_step(report, k, len(problems)))
            for k, one in enumerate(problems, 1)
        ]
    if output and results[0].minimum.verdict != "undecided":
        from pfverify.certificate.build import write_scales

        write_scales(Path(output), _path(problem), problems[0], results[0], digits)
    if not _print_data(results, as_json, as_csv):
        from pfverify.edge.tables import console, print_calibrate

        out = console()
        for result in results:
            print_calibrate(out, problem, result)
    return max(EXIT_UNDECIDED * (result.minimum.verdict == "undecided") for result in results)


@commands.command()
@click.argument("problem")
@click.argument("certificate")
@click.option("--expect", type=click.Choice(["certified", "refuted", "scales", "coupling"]),
              help="Fail (exit 1) unless the certificate proves exactly this.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def check(problem: str, certificate: str, expect: str | None, as_json: bool) -> int:
    """Re-check CERTIFICATE for PROBLEM with the kernel alone.

    The kernel is a small standard-library program in a fresh, isolated interpreter. The first
    word says what was proved: certified, refuted or scales (exit 0), or why not: rejected
    (exit 1), malformed (exit 2). In a pipeline always say what you expect, because a valid
    refutation is also a valid certificate.

    \b
    Example:
      pfverify check example:census census.cert --expect certified
    """
    from pfverify.certificate.build import check as run_kernel

    result = run_kernel(_path(problem), certificate)
    code = result.code
    message = result.message
    if result.valid and expect and result.word != expect:
        code = EXIT_REFUTED
        message = f"expected {expect}, but the certificate proves: {message}"
    if as_json:
        click.echo(_json({"result": result.word, "message": message, "valid": result.valid,
                          "expected": expect, "ok": code == 0}))
    else:
        click.echo(f"{result.word}: {message}")
    return code


@commands.command()
@click.argument("certificate")
@click.option("--problem", required=True, help="The problem that the certificate is about.")
@click.option("--smtlib", is_flag=True, required=True, help="Write SMT-LIB 2.")
@click.option("-o", "--output", metavar="FILE", help="Write to this file, not standard output.")
def export(certificate: str, problem: str, smtlib: bool, output: str | None) -> int:
    """Write the statement of a pure-epsilon CERTIFICATE for another prover.

    The kernel checks the certificate first. Asserted is the negation of what it proves, so a
    solver should answer unsat, for a certified problem and for a refuted one.

    \b
    Example:
      pfverify export census.cert --problem example:census --smtlib -o census.smt2
    """
    from pfverify.edge.smtlib import smtlib_text
    from pfverify.files import write_text

    if output is not None:
        _refuse_inputs(output, _path(problem), Path(certificate))
    text = smtlib_text(_load(problem), _path(problem), Path(certificate))
    if output is None:
        click.echo(text, nl=False)
        return 0
    try:
        write_text(Path(output), text)
    except OSError as error:
        raise InputError(f"{output}: cannot write: {error.strerror}") from None
    return 0


@commands.command()
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
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
    from pfverify.edge.tables import COUPLING_ASSUMED, console, print_couplings

    loaded = _load(problem)
    _check_output(output, problem)
    inputs = [_path(problem), *(file for file in (plan, metric, relation) if file is not None)]
    for written in (output, repair):
        if written is not None:
            _refuse_inputs(str(written), *inputs)
    items = couplings.chosen_pairs(loaded, pair, belief)
    table = None if metric is None else couplings.read_metric(metric)
    pairs = None if relation is None else couplings.read_relation(relation)
    if plan is None:
        if within is not None or require or repair:
            raise InputError("--within, --require and --repair judge a plan: add --plan FILE")
        if output is not None and table is not None:
            raise InputError("-o: the kernel's rules are about |x - x'|, not about --metric")
        results, steps = [], []
        with _progress("pairs") as report:
            for done, item in enumerate(items, 1):
                found, more = _coupled(loaded, item, table, pairs)
                results.append(found)
                steps += more
                report(done, len(items))
        if output is not None:
            from pfverify.certificate.build import write_couplings

            write_couplings(Path(output), _path(problem), loaded, steps)
        if as_json:
            click.echo(_json({"epsilon": loaded.epsilon.text, "noise": loaded.noise.kind,
                              "assumed": COUPLING_ASSUMED, "pairs": results}))
        else:
            print_couplings(console(), problem, loaded.epsilon.text, results, output)
        return 0
    if output is not None:
        raise InputError("-o: a certificate is about the problem's own couplings, leave --plan out")
    if len(items) != 1:
        beliefs = {item.belief for item in items}
        way = f"--belief {sorted(beliefs)[0]}" if len(beliefs) > 1 else "--pair A,B"
        raise InputError(f"--plan: the problem has several pairs, say which, as with {way}")
    return _judge(items[0], plan, table, pairs, within, require, repair, as_json)


def _coupled(problem: Problem, item: Any, metric: Any, relation: Any) -> tuple[Any, list[Any]]:
    """One pair's couplings, as data and as certificate steps."""
    from pfverify.certificate.couplings import distance_steps, line_steps
    from pfverify.edge import coupling as couplings

    work = couplings.work_of(item, metric)
    reason: str | None = "only for |x - x'|"
    steps: list[Any] = []
    if metric is None:
        work, reason = couplings.with_best(problem, work)
        steps = distance_steps(item, work.infinity, work.one)
        if work.best is not None:
            steps += line_steps(item, work.best, 192)
    return couplings.described(work, reason, metric, relation), steps


def _judge(item: Any, plan: Path, metric: Any, relation: Any, within: str | None,
           require: tuple[str, ...], repair: Path | None, as_json: bool) -> int:
    from pfverify.edge import coupling as couplings
    from pfverify.edge.plan_file import read_plan
    from pfverify.edge.tables import console, print_plan_check
    from pfverify.exact.number import rational
    from pfverify.files import write_text

    table = read_plan(plan)
    limit = None if within is None else rational(within, "--within")
    result = couplings.judged(item, table, metric, relation, limit, require)
    if repair is not None:
        write_text(repair, couplings.repaired_csv(item, table))
    if as_json:
        click.echo(_json(result))
    else:
        print_plan_check(console(), str(plan), result, repair)
    return 0 if result.valid else EXIT_REFUTED


@commands.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--proofs", "folder", default="proofs", show_default=True, metavar="DIR",
              type=click.Path(path_type=Path), help="The folder of proof files, PAPER/ID.py.")
@click.option("--steps", is_flag=True, help="Show every step with the rule that checked it.")
@click.option("--counts", is_flag=True, help="Print only the counts per paper and result.")
@click.option("--break", "change", metavar="CHANGE",
              help="Change one ID on purpose: 'drop NAME' or 'NAME = EXPRESSION'.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
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
    from pfverify.edge.tables import console, print_proofs
    from pfverify.proof import run as proofs

    paths = proofs.proof_files(folder, ids)
    if change is not None:
        if len(paths) != 1:
            raise InputError("--break: name the one ID to change")
        outcomes = [proofs.prove_changed(paths[0], change)]
    else:
        with _progress("checking") as report:
            outcomes = proofs.prove(paths, report)
    if as_json:
        click.echo(_json({
            "claims": outcomes, "counts": proofs.count_cells(outcomes),
            "missing": proofs.missing_claims([path.stem for path in paths]) if not ids else None,
        }))
    elif counts:
        click.echo(proofs.counts(outcomes))
        if not ids:
            click.echo("\n" + proofs.coverage([path.stem for path in paths]))
    else:
        print_proofs(console(), outcomes, steps=steps, change=change)
    return EXIT_REFUTED if any(o.failure for o in outcomes) else 0


@commands.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--examples", is_flag=True, help="List the packaged problem files.")
@click.option("--write", "folder", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Copy the packaged problem files into FOLDER.")
def demo(as_json: bool, examples: bool, folder: Path | None) -> int:
    """Recompute Table 4 of the noise-reduction paper from real priors, with proofs.

    \b
    Examples:
      pfverify demo
      pfverify demo --examples
      pfverify demo --write my-problems
    """
    from pfverify.edge import packaged

    if folder is not None:
        return _write_examples(folder)
    if examples:
        names = packaged.example_names()
        if as_json:
            click.echo(_json({"examples": [packaged.PREFIX + name for name in names]}))
        else:
            width = max(map(len, names))
            for name in names:
                click.echo(f"{packaged.PREFIX}{name:{width}} {packaged.example_summary(name)}")
        return 0
    from pfverify.edge.demo import demo as recompute

    with _progress("recomputing") as report:
        result = recompute(report)
    if as_json:
        click.echo(_json(result))
    else:
        from pfverify.edge.tables import console, print_demo

        print_demo(console(), result)
    return 0


def _variants(
    name: str, epsilon: tuple[str, ...], delta: tuple[str, ...], scale: tuple[str, ...]
) -> list[Problem]:
    from pfverify.edge.sweep import split_values, variants

    return list(
        variants(
            _load(name),
            split_values(epsilon, "--epsilon"),
            split_values(delta, "--delta"),
            split_values(scale, "--scale"),
        )
    )


def _check_output(output: str | None, problem: str, *overrides: tuple[str, ...]) -> None:
    """Refuse an output that is no file name, or would replace an input, before any work."""
    if output is None:
        return
    _refuse_inputs(output, _path(problem))
    if any(overrides):
        raise InputError(
            "-o: a certificate is about the problem file as it is; put the new numbers there "
            "instead of --epsilon, --delta or --scale"
        )


def _refuse_inputs(output: str, *inputs: Path) -> None:
    if output in ("", "-"):
        raise InputError(f"-o: {output!r} is no file name, expected the file to write")
    for path in inputs:
        if Path(output).exists() and path.exists() and Path(output).samefile(path):
            raise InputError(f"-o: {output} is an input of this command, expected another file")


def _step(
    report: Callable[[int, int], None], index: int, count: int
) -> Callable[[int, int], None]:
    """Within a sweep the bar counts problems; alone it counts the work inside."""
    return report if count == 1 else lambda done, total: report(index, count)


def _print_data(results: list[Any], as_json: bool, as_csv: bool) -> bool:
    """Print results for machines if asked to; return whether that was done."""
    if as_json and as_csv:
        raise InputError("--json and --csv exclude each other")
    if as_json:
        click.echo(_json(results[0] if len(results) == 1 else {"sweep": results}))
    elif as_csv:
        from pfverify.edge.sweep import as_csv as csv_text

        click.echo(csv_text(results), nl=False)
    return as_json or as_csv


def _json(value: Any) -> str:
    from pfverify.edge.as_json import as_json

    return as_json(value)


def _exit_code(verdict: str) -> int:
    return {"certified": 0, "refuted": EXIT_REFUTED}.get(str(verdict), EXIT_UNDECIDED)


def _grid(name: str, problem: Problem, points: int, as_json: bool) -> int:
    from pfverify.decide.grid import grid_certify

    result = grid_certify(problem, points)
    if as_json:
        click.echo(_json(result))
    else:
        from pfverify.edge.tables import console, print_grid

        print_grid(console(), name, result)
    return EXIT_UNDECIDED


def _write_examples(folder: Path) -> int:
    from pfverify.edge import packaged
    from pfverify.files import write_text

    try:
        folder.mkdir(parents=True, exist_ok=True)
        texts = {folder / f"{n}.toml": packaged.example_text(n) for n in packaged.example_names()}
        for path, text in texts.items():
            if path.exists() and (not path.is_file() or path.read_text("utf-8") != text):
                raise InputError(f"--write: {path} is there and differs; move it away first")
        for path, text in texts.items():
            write_text(path, text)
    except OSError as error:
        raise InputError(f"--write: {folder}: {error.strerror}") from None
    click.echo(f"wrote {len(packaged.example_names())} problem files to {folder}")
    return 0
