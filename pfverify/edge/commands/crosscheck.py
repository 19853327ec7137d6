"""``pfverify crosscheck``."""

from __future__ import annotations

import click
from click.core import ParameterSource

from pfverify.edge.commands.options import json_option, load
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.commands.sections import SectionCommand, of_output, section
from pfverify.edge.progress import progress
from pfverify.errors import InputError

_question, _cases = section("What is asked"), section("Cases")
_draws = section("Draws of a sampler or a release")
_map = section("A privacy map")
_curve = section("Points of a curve")
_promise, _process = section("What an answer promises"), section("The function's process")
_written = section("Files to write")

_OF_DRAWS = ("--problem", "--draws", "--level", "--excess", "--seed", "--timeout", "--memory")
_OF_MAPS = ("--d-in", "--map", "--delta", "--waste", "--problem", "--timeout", "--memory")
_OF_CURVES = ("--problem", "--curve", "--places", "--waste", "--timeout", "--memory")
_CURVES = ("profile", "trade-off", "odds", "renyi")
_OF_CASES = (
    "noise", "laws", "cases", "claim", "waste", "digits", "absolute", "epsilons", "tolerance",
    "replay", "vectors", "shipped",
)  # fmt: skip


@click.command(cls=SectionCommand)
@click.argument("function", required=False, metavar="[MODULE:FUNCTION|FILE]")
@_question("--kind", metavar="KIND",
              help="What the function computes: scale, loss, delta, density, plan, "
                   "relaxed_columns or accountant; of what it draws: sampler or release; of an "
                   "OpenDP measurement: map; points of a curve: curve.")
@_question("--noise", metavar="NOISE",
              help="laplace (by default), discrete-laplace or gaussian (scale: sigma); delta and "
                   "accountant: discrete-gaussian too; accountant: none, X itself is released.")
@_question("--laws", metavar="LAWS",
              help="atoms (by default), or normal: rows of weight, mean and variance.")
@_cases("--cases", default=200, show_default=True, help="How many cases.")
@_cases("--seed", default=0, show_default=True, help="Of the random ones among them.")
@_draws("--draws", type=int, metavar="N",
        help="Draws of each secret that are asked for.  [default: 100000]")
@_draws("--level", metavar="NUMBER",
        help="How likely a right sampler may be refuted, by all tests together.  [default: 1e-6]")
@_draws("--excess", metavar="DELTA",
        help="Say how many draws would have shown this excess.")
@_map("--d-in", metavar="NUMBERS",
      help="The distances of inputs at which the map is asked, as in 1,2 (or 1:1:1 of maps).")
@_map("--map", "stated_map", type=FILE, metavar="VALUES",
      help="What the map says: CSV or JSON with d_in, epsilon and, if there is one, delta.")
@_map("--delta", metavar="NUMBER",
      help="Of a map of other divergences: the delta of OpenDP's conversion.")
@_curve("--curve", "curve_kind", type=click.Choice(_CURVES),
        help="Which curve of --problem, as `pfverify curve` names them.  [default: profile]")
@_curve("--places", metavar="NUMBERS",
        help="The places at which a function is asked, as in 0.5,1.")
@_process("--timeout", default=10.0, show_default=True, help="Seconds for each call.")
@_process("--memory", default=4096, show_default=True,
              help="MiB of address space for the function's process; 0: no limit.")
@_promise("--claim", metavar="CLAIM",
              help="What an answer promises: upper (never below the truth), lower, or nearest.")
@_promise("--waste", type=float, metavar="FACTOR",
              help="Fail (exit code 1) for answers this many times the truth, not only say so.")
@_promise("--digits", default=12, show_default=True,
              help="Right significant digits that nearest promises.")
@_promise("--absolute", default=0.0,
              help="How far an answer of nearest may be off where fewer digits are right.")
@_cases("--epsilons", metavar="LOW,HIGH",
              help="Ask about epsilons between these alone, as in 0.1,10.")
@_promise("--tolerance", default=1e-12, show_default=True,
              help="How far the marginals of a plan may be off.")
@_cases("--replay", type=FILE, metavar="CASE",
              help="Ask one case again: as JSON, or a file; of a --json report its first.")
@_written("--vectors", type=FILE, metavar="OUT.json",
              help="Write the cases with their exact answers, for other languages.")
@_written("--problem", "problem_file", type=PROBLEM, metavar="FILE",
          help="Write the smallest failing case (of a map: the first) as a problem file; sampler, "
               "release and curve: read the law (and the claim) from this problem.")
@_written("--shipped", type=FILE, metavar="PAGE.md",
              help="Ask every subject of the project instead, and write a page of their verdicts.")
@of_output("--csv", "as_csv", is_flag=True, help="Print CSV, one row per case.")
@json_option
def crosscheck(
    function: str | None,
    kind: str | None,
    noise: str | None,
    laws: str | None,
    cases: int,
    seed: int,
    draws: int | None,
    level: str | None,
    excess: str | None,
    d_in: str | None,
    stated_map: str | None,
    delta: str | None,
    curve_kind: str | None,
    places: str | None,
    timeout: float,
    memory: int,
    claim: str | None,
    waste: float | None,
    digits: int,
    absolute: float,
    epsilons: str | None,
    tolerance: float,
    replay: str | None,
    vectors: str | None,
    problem_file: str | None,
    shipped: str | None,
    as_csv: bool,
    as_json: bool,
) -> int:
    """Hold somebody's function against the exact answer, on many cases.

    MODULE:FUNCTION is a function of a module that can be imported here, or FILE.py:FUNCTION. It
    gets numpy arrays of float64 and numbers, and returns numbers:

    \b
      scale(atoms, p, q, epsilon, delta=...)  a private scale, for both orders
      relaxed_columns(atoms, p, q, epsilon)   the relaxed scale over columns of
                                              the plan from p to q (Algorithm 1)
      loss(atoms, p, q, scale)                the loss, the larger of both orders
      delta(atoms, p, q, scale, epsilon)      the divergence, the larger of both
      density(atoms, p, scale, y)             the density (mass) at each output y
      plan(atoms, p, q)                       a coupling of least mean distance,
                                              as rows (i, j, mass)
      accountant(atoms, p, q, scale, count, epsilon)
                                              the divergence of count releases, each
                                              of a new draw of X (p^count and q^count
                                              with noise), the larger of both orders
      sampler(x, n, seed=..., scale=...)      n draws of the release at the input x
                                              (--kind sampler or release)
      measurement()                           an OpenDP measurement, or the text
                                              that it serializes to (--kind map)
      delta(epsilon), type_2(type_1),         what is claimed at a place of a curve
      success(weight), divergence(order)      (--kind curve)

    It runs in a process of its own, which may crash, hang or print as it likes; that process is no
    sandbox, so run only code that you would import. The truth is that of the floats passed, taken
    as rational numbers, each law divided by its exact sum. Failing cases are shrunk. No number of
    cases certifies a function.

    --kind sampler holds draws (of a function, or of DRAWS.csv with the columns secret and output)
    against the exact law of --problem FILE, by exact binomial tests on events that were chosen
    before, and what the digits of outputs tell of a secret, on events that one half of the draws
    chooses and the other tests. --kind release tests its claim (epsilon, delta) too, on the event
    that the exact law finds worst. Exit code 1: refuted at the level. 0: not refuted, which is no
    proof; what would have been seen is told.

    --kind map holds the privacy map of a measurement (of a function, or of MEASUREMENT.json as
    opendp.mod.serialize writes it) to the truth of what it serializes to, at each --d-in: is the
    epsilon enough, and how many times the least one is it? With --map OpenDP is not needed.

    --kind curve holds points of a curve (of a function at --places, or of a CSV or JSON file with
    the columns epsilon,delta; type_1,type_2; weight,success or order,divergence) to what is proved
    of --problem there: unsound by how much, loose by how much, or between the bounds.

    Exit code 1: an answer is unsound, has wrong digits, is no number, or there is none (crash,
    timeout, memory); --json tells these apart. 3: an answer could not be decided. 0: none of these;
    a wasteful answer is told, and fails only with --waste. --shipped: 0 when the page is written.

    \b
    Examples:
      pfverify crosscheck mine:scale --kind scale --cases 20
      pfverify crosscheck mine.py:loss --kind loss --claim nearest --cases 20
      pfverify crosscheck mine:loss --kind loss --claim nearest --absolute 1e-9 --cases 20
      pfverify crosscheck mine:scale --kind scale --epsilons 0.1,10 --cases 20
      pfverify crosscheck mine:scale --kind scale --problem smallest.toml --json
      pfverify crosscheck --kind delta --cases 10 --vectors vectors.json
      pfverify crosscheck mine:noisy --kind sampler --problem example:census --draws 2000
      pfverify crosscheck mine:noisy --kind release --problem example:census --draws 2000
      pfverify crosscheck mine.py:measurement --kind map --d-in 1,2
      pfverify crosscheck measurement.json --kind map --map values.csv
      pfverify crosscheck points.csv --kind curve --problem example:census
      pfverify crosscheck mine.py:delta --kind curve --problem example:census --places 0.1,0.2
    """
    from pfverify.crosscheck.curves.held import CURVE
    from pfverify.crosscheck.finding import Promised
    from pfverify.crosscheck.isolated import crosscheck_isolated
    from pfverify.crosscheck.maps.held import MAP
    from pfverify.crosscheck.samplers.plan import KINDS as SAMPLERS
    from pfverify.edge.codes import found_code
    from pfverify.edge.crosschecked import (
        asked_question,
        check_outputs,
        curve_result,
        failing_map,
        failing_problem,
        map_result,
        sampler_result,
        written_vectors,
    )
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.shipped import write_page
    from pfverify.edge.views.registry import view_of
    from pfverify.edge.views.view import Asked, Remark
    from pfverify.workers.function import Limits

    form = form_of(as_json=as_json, as_csv=as_csv)
    if kind == MAP:
        if _given(*(name for name in _OF_CASES if name != "waste"), "draws", "level", "excess",
                  "seed", "curve_kind", "places"):
            raise InputError(f"--kind {kind}: takes {', '.join(_OF_MAPS)}, and what is printed")
        if function is None:
            raise InputError(f"--kind {kind}: expected MODULE:FUNCTION or MEASUREMENT.json")
        with progress("asking"):
            mapped = map_result(
                function, d_in, stated_map, delta, waste, problem_file, Limits(timeout, memory)
            )
        done = [] if problem_file is None else [Remark(failing_map(mapped, problem_file))]
        show([view_of(mapped, function)], form, done)
        return found_code(mapped.found)
    if _given("d_in", "stated_map", "delta"):
        raise InputError(f"--d-in, --map, --delta: only with --kind {MAP}")
    if kind == CURVE:
        if _given(*(name for name in _OF_CASES if name != "waste"), "draws", "level", "excess",
                  "seed"):
            raise InputError(f"--kind {kind}: takes {', '.join(_OF_CURVES)}, and what is printed")
        if function is None or problem_file is None:
            raise InputError(f"--kind {kind}: expected MODULE:FUNCTION or FILE, and --problem FILE")
        stated = load(problem_file)
        with progress("looking") as report:
            curved = curve_result(
                function, stated, curve_kind or "profile", places=places, waste=waste,
                limits=Limits(timeout, memory), report=report,
            )  # fmt: skip
        show([view_of(curved, function, Asked(problem_file, stated))], form)
        return found_code(curved.found)
    if _given("curve_kind", "places"):
        raise InputError(f"--curve, --places: only with --kind {CURVE}")
    if kind in SAMPLERS:
        if _given(*_OF_CASES):
            raise InputError(f"--kind {kind}: takes {', '.join(_OF_DRAWS)}, and what is printed")
        if function is None or problem_file is None:
            raise InputError(
                f"--kind {kind}: expected MODULE:FUNCTION or DRAWS.csv, and --problem FILE"
            )
        stated = load(problem_file)
        with progress("drawing") as report:
            drawn = sampler_result(
                function, kind, stated, draws=draws, level=level, excess=excess,
                seed=seed if _given("seed") else None, limits=Limits(timeout, memory),
                report=report,
            )  # fmt: skip
        show([view_of(drawn, function, Asked(problem_file, stated))], form)
        return found_code(drawn.found)
    if _given("draws", "level", "excess"):
        raise InputError(f"--draws, --level, --excess: only with --kind {' or '.join(SAMPLERS)}")
    if shipped is not None:
        given = (function, kind, noise, laws, claim, waste, replay, vectors, problem_file, epsilons)
        if any(one is not None for one in given) or absolute or form != "terminal":
            raise InputError("--shipped: takes --cases, --seed, --timeout and --memory only")
        with progress("asking") as report:
            written = write_page(shipped, cases, seed, Limits(timeout, memory), report)
        show([Remark(written)], form)
        return 0
    if replay is not None and _given("cases", "seed"):
        raise InputError("--replay: asks one case, without --cases and --seed")
    wasteful = Promised().waste if waste is None else waste
    held = Promised(claim, digits, wasteful, tolerance, absolute)
    question = asked_question(kind, noise, laws, cases, seed, replay, held, epsilons)
    source = None if function is None else function.rpartition(":")[0]
    check_outputs(question, vectors, problem_file, [source, replay])
    done = []
    if function is None:
        if vectors is None or problem_file is not None or form != "terminal":
            raise InputError("expected MODULE:FUNCTION, or --vectors alone to write test vectors")
        show([Remark(written_vectors(question, vectors))], form)
        return 0
    limits = Limits(timeout, memory)
    with progress("asking") as report:
        result = crosscheck_isolated(function, question, limits, waste, report)
    if vectors is not None:
        done.append(Remark(written_vectors(question, vectors)))
    if problem_file is not None:
        done.append(Remark(failing_problem(result, problem_file)))
    show([view_of(result, function)], form, done)
    return found_code(result.found)


def _given(*options: str) -> bool:
    """Whether any of these options was written, rather than left at its default."""
    source = click.get_current_context().get_parameter_source
    return any(source(name) is not ParameterSource.DEFAULT for name in options)
