"""``pfverify coupling``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pfverify.edge.commands.options import (
    check_output,
    json_option,
    load,
    path_of,
    refuse_inputs,
)
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.commands.sections import SectionCommand, of_certificate, section
from pfverify.edge.progress import progress
from pfverify.errors import InputError, shorten

if TYPE_CHECKING:
    from pfverify.model.problem import Problem
    from pfverify.model.question import Question

_which, _judged = section("Which pairs"), section("A plan to judge")
_between = section("Distances and relations")


@click.command(cls=SectionCommand)
@click.argument("problem", type=PROBLEM)
@_which("--pair", metavar="A,B", help="Only this pair of secrets.")
@_which("--belief", metavar="NAME", help="Only this belief.")
@_judged("--plan", "plan", type=click.Path(path_type=Path), metavar="FILE",
              help="Judge this plan: CSV with the header from,to,mass, or JSON, or npz.")
@_judged("--within", metavar="T",
              help="Every edge of the plan (with a channel: of a coupling) is at most this long.")
@_judged("--require", multiple=True, metavar="PROPERTY",
              help="The plan must be: forest, monotone, optimal, connected.")
@_judged("--repair", type=click.Path(path_type=Path), metavar="FILE",
              help="Write the nearest exact plan on the same support (CSV).")
@_between("--metric", type=click.Path(path_type=Path), metavar="FILE",
              help="Distances instead of |x - x'|: CSV with the header from,to,distance.")
@_between("--relation", type=click.Path(path_type=Path), metavar="FILE",
              help="Is the pair in the lifted relation? CSV with the header from,to.")
@of_certificate("-o", "--output", type=FILE, metavar="CERT",
              help="Write the certificate to this file.")
@json_option
def coupling(problem: str, pair: str | None, belief: str | None, plan: Path | None,
             within: str | None, require: tuple[str, ...], repair: Path | None,
             metric: Path | None, relation: Path | None, output: str | None,
             as_json: bool) -> int:
    """Show plan, W1, W-infinity and the best coupling of each pair; or judge a given plan.

    Of a channel problem: whether priors over its inputs are related by --relation, or by being
    --within T of each other; by default their W-infinity over the distance of inputs.

    Exit code 1 for a plan with wrong marginals, an edge outside --within or --relation, or a
    required property that fails; other properties are reported.

    \b
    Examples:
      pfverify coupling example:census
      pfverify coupling example:census -o census.coupling
      pfverify coupling example:largest-move
      pfverify coupling mine.toml --plan plan.csv --pair yes,no --within 2 --require monotone
    """
    from pfverify.answers.coupling import couplings
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of
    from pfverify.edge.views.view import Asked, Remark
    from pfverify.model.releases.stepped import Stepped
    from pfverify.transport.plan_file import read_metric, read_relation

    form = form_of(as_json=as_json)
    loaded = load(problem)
    asked = Asked(problem, loaded)
    check_output(output, problem)
    inputs = [path_of(problem), *(file for file in (plan, metric, relation) if file is not None)]
    for written in (output, repair):
        if written is not None:
            refuse_inputs(str(written), *inputs)
    items = _chosen_pairs(loaded, pair, belief)
    if isinstance(loaded.release, Stepped):
        raise InputError(
            "coupling: steps follow the noise, and couplings are about the numbers before it; "
            "expected a problem without post"
        )
    if loaded.release.named:
        from pfverify.answers.lifting import liftings

        if plan is not None or metric is not None or require or repair or output:
            raise InputError(
                "coupling: with a channel only --relation, --within, --pair, --belief and --json; "
                "plans, metrics and certificates are about numbers"
            )
        with progress("pairs") as report:
            lifted = liftings(loaded, items, relation, within, report)
        show([view_of(lifted, problem, asked)], form)
        return 0
    table = None if metric is None else read_metric(metric)
    pairs = None if relation is None else read_relation(relation)
    if plan is not None:
        from pfverify.answers.plan_check import judged, repaired_csv
        from pfverify.edge.codes import held
        from pfverify.exact.number import rational
        from pfverify.files import write_text
        from pfverify.transport.plan_file import read_plan

        if output is not None:
            raise InputError(
                "-o: a certificate is about the problem's own couplings, leave --plan out"
            )
        item, given = _only_pair(items), read_plan(plan)
        limit = None if within is None else rational(within, "--within")
        result = judged(item, given, table, pairs, limit, require)
        remarks = []
        if repair is not None:
            write_text(repair, repaired_csv(item, given))
            done = f"wrote the nearest exact plan on the same support to {repair}"
            remarks.append(Remark(done, level=1, folds=True))
        show([view_of(result, str(plan), asked)], form, remarks)
        return held(result.valid)
    if within is not None or require or repair:
        raise InputError("--within, --require and --repair judge a plan: add --plan FILE")
    if output is not None and table is not None:
        raise InputError("-o: the kernel's rules are about |x - x'|, not about --metric")
    with progress("pairs") as report:
        found = couplings(loaded, items, table, pairs, report)
    if output is not None:
        from pfverify.certificate.build import write_couplings

        write_couplings(Path(output), path_of(problem), loaded, found)
    done = f"wrote {output}; check it: pfverify check {problem} {output} --expect coupling"
    show([view_of(found, problem, asked)], form, [] if output is None else [Remark(done)])
    return 0


def _chosen_pairs(problem: Problem, pair: str | None, belief: str | None) -> list[Question]:
    """The pairs of a problem that were asked for.

    Raises InputError for a pair or belief that the problem does not have, and, without a channel,
    for a chosen pair with a prior that has a density.
    """
    from pfverify.answers.plan_check import priors_with_atoms

    items = list(problem.questions())
    if belief is not None:
        items = [item for item in items if item.belief == belief]
        if not items:
            raise InputError(f"--belief: there is no belief {shorten(belief)} with a pair")
    if pair is not None:
        known = [(item, f"{item.first},{item.second}") for item in items]
        items = [item for item, name in known if name == pair.strip()]
        if not items:
            names = "; ".join(dict.fromkeys(name for _, name in known))
            raise InputError(f"--pair: {shorten(pair)} is no pair, expected one of: {names}")
    if not problem.release.named:
        for item in items:
            priors_with_atoms(item)
    return items


def _only_pair(items: list[Question]) -> Question:
    """The one pair that a plan is about; InputError where there are several."""
    if len(items) == 1:
        return items[0]
    beliefs = {item.belief for item in items}
    way = f"--belief {sorted(beliefs)[0]}" if len(beliefs) > 1 else "--pair A,B"
    raise InputError(f"--plan: the problem has several pairs, say which, as with {way}")
