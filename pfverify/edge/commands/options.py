"""Options that several commands share, and what they stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.commands.sections import of_few_records, of_output, section
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.edge.asked import Loaded
    from pfverify.many.means import Means
    from pfverify.model.problem import Problem

Function = TypeVar("Function", bound=Callable[..., Any])

_SWEPT = {
    "epsilon": "Use this epsilon instead; repeat it or use commas for a sweep.",
    "delta": "Use this delta instead; several values make a sweep.",
    "scale": "Use this noise scale instead; several values make a sweep.",
}

_instead, _many = section("Other numbers than the problem's"), section("Many questions")

json_option = of_output(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)
"""--json, as `as_json`."""

few_option = of_few_records(
    "--few", type=int, default=20, show_default=True, metavar="N",
    help="Name the cells of fewer than N records, and the scale without them; 0 names none.",
)  # fmt: skip
"""--few, the default of `pfverify.answers.footing`."""

PROOFS = Path("proofs")
proofs_option = click.option(
    "--proofs", metavar="DIR", type=click.Path(path_type=Path),
    help="With --coq: the folder of proofs, whose coq is the theory.  [default: proofs]",
)  # fmt: skip
"""--proofs, None where it is not given; then it is `PROOFS`."""


csv_option = of_output("--csv", "as_csv", is_flag=True, help="Print CSV.")
"""--csv, as `as_csv`."""


def problem_options(*names: str) -> Callable[[Function], Function]:
    """Add PROBLEM..., the overrides of these names, --digits, --json, --csv, for `GivenOptions`."""

    def decorate(function: Function) -> Function:
        for option in (
            csv_option,
            json_option,
            of_output(
                "--digits", default=12, show_default=True, help="Significant digits of enclosures."
            ),
            *(_instead(f"--{name}", multiple=True, metavar="NUMBER", help=_SWEPT[name])
              for name in reversed(names)),
            click.argument("problems", nargs=-1, required=True, type=PROBLEM, metavar="PROBLEM..."),
        ):  # fmt: skip
            function = option(function)
        return function

    return decorate


def means_options(function: Function) -> Function:
    """Add to a command by what means it answers, for `GivenOptions`."""
    for option in (
        _many(
            "--results", type=FILE, metavar="OUT.jsonl",
            help="Keep answers in this file as they arrive; a run that ended goes on from it.",
        ),
        _many(
            "--scheduler", metavar="ADDRESS",
            help="Answer on a Dask cluster: tcp://HOST:PORT (in the checkout, "
            "pip install '.[dask]').",
        ),
        _many(
            "--jobs", default=1, show_default=True, metavar="N",
            help="Answer in so many processes of this machine.",
        ),
    ):
        function = option(function)
    return function


@dataclass(frozen=True)
class GivenOptions:
    """What was written after the options of `problem_options` and `means_options`."""

    problems: tuple[str, ...]
    epsilon: tuple[str, ...]
    delta: tuple[str, ...]
    digits: int
    as_json: bool
    as_csv: bool
    jobs: int
    scheduler: str | None
    results: str | None
    scale: tuple[str, ...] = ()

    @property
    def overrides(self) -> tuple[tuple[str, ...], ...]:
        """What is put in place of the problem's numbers."""
        return self.epsilon, self.delta, self.scale

    def means(self, output: str | None = None, *, one_pair: bool) -> Means:
        """Return by what means a command answers; the default ones for what is about `one_pair`.

        Raises InputError for means that there are not, and for others than the default there; and
        for a file of results that is the output too.
        """
        from pfverify.many.means import Means

        results = None if self.results is None else Path(self.results)
        means = Means(self.jobs, self.scheduler, results)
        if one_pair and not means.plain:
            raise InputError(
                "--jobs, --scheduler and --results: not with --explain, --grid and --plot, which "
                "look at one pair"
            )
        if results is not None and output is not None and results == Path(output):
            raise InputError("--results and -o: name the same file, expected two")
        return means

    def load(self, name: str) -> Loaded:
        """Return the problem behind PROBLEM under every combination of the overrides.

        The shape says whether they were written as a sweep, be it over one value. A comma that may
        be a decimal one is remarked upon, on standard error.
        """
        from pfverify.edge.asked import Loaded
        from pfverify.edge.render.shape import Shape
        from pfverify.edge.sweep import combined, comma_remark, is_sweep, split_values, variants

        given = dict(zip(("--epsilon", "--delta", "--scale"), self.overrides, strict=True))
        said = [comma_remark(text, option) for option, texts in given.items() for text in texts]
        remarks = list(filter(None, said))
        problem, values = load(name), [split_values(*one[::-1]) for one in given.items()]
        try:
            changes = combined(*values)
            problems = variants(problem, changes)
        except InputError as error:
            raise InputError("; ".join([str(error), *remarks])) from None
        for remark in remarks:
            click.echo(f"pfverify: {remark}", err=True)
        shape = Shape.SWEEP if is_sweep(*self.overrides) else Shape.ONE
        return Loaded(name, path_of(name), problems, shape, changes)


def path_of(name: str) -> Path:
    """Return the file behind PROBLEM: an example, a copy of standard input, or the file itself.

    Raises InputError for an example that there is not.
    """
    from pfverify.edge.packaged import PREFIX, example_path
    from pfverify.edge.stdin import DASH, copied

    if name == DASH:
        return copied("the problem")
    if name.startswith(PREFIX):
        return example_path(name.removeprefix(PREFIX))
    return Path(name)


def certificate_path(name: str) -> Path:
    """Return the file behind CERTIFICATE: a copy of standard input, or the file itself."""
    from pfverify.edge.stdin import DASH, copied

    return copied("the certificate") if name == DASH else Path(name)


def load(name: str) -> Problem:
    """Return the problem behind PROBLEM; InputError that begins with its name."""
    from pfverify.edge.mistaken import no_problem
    from pfverify.edge.stdin import DASH, NAME
    from pfverify.model.problem import Problem

    path = path_of(name)
    try:
        return Problem.load(path)
    except InputError as error:
        if (other := no_problem(name, path)) is not None:
            raise other from None
        if name != DASH:
            raise
        raise InputError(f"{NAME}{str(error).removeprefix(str(path))}") from None


def loadable(name: str) -> Problem | None:
    """Return the problem behind PROBLEM, None where its file is no problem."""
    try:
        return load(name)
    except InputError:
        return None


def check_output(output: str | None, problem: str, *overrides: tuple[str, ...]) -> None:
    """Refuse an output that is no file name, or would replace an input, before any work.

    Nor is there a certificate of overrides, where no problem file is written beside it.
    """
    if output is None:
        return
    refuse_inputs(output, path_of(problem))
    if any(overrides):
        raise InputError(
            "-o: a certificate is about the problem file as it is; put the new numbers there "
            "instead of --epsilon, --delta or --scale (certify, of one problem, and calibrate "
            "--write do it)"
        )


def refuse_inputs(output: str, *inputs: Path, option: str = "-o") -> None:
    """Raise InputError for an output that is no file name, or is one of the inputs."""
    if output in ("", "-"):
        raise InputError(f"{option}: {output!r} is no file name, expected the file to write")
    for path in inputs:
        if Path(output).exists() and path.exists() and Path(output).samefile(path):
            raise InputError(
                f"{option}: {output} is an input of this command, expected another file"
            )
