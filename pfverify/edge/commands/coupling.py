"""``pfverify coupling``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pfverify.answers.coupling import couplings
from pfverify.answers.plan_check import judged, priors_with_atoms, repaired_csv
from pfverify.edge.codes import held
from pfverify.edge.commands.options import check_output, load, path_of, refuse_inputs
from pfverify.edge.commands.shown import show_result
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form, show
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Asked, Remark
from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.files import write_text
from pfverify.model.releases.stepped import Stepped
from pfverify.transport.plan_file import read_metric, read_plan, read_relation

if TYPE_CHECKING:
    from pfverify.model.problem import Problem
    from pfverify.model.question import Question


def coupling(problem: str, pair: str | None, belief: str | None, plan: Path | None,
             within: str | None, require: tuple[str, ...], repair: Path | None,
             metric: Path | None, relation: Path | None, output: str | None, form: Form) -> int:
    """Show plan, W1, W-infinity and the best coupling of each pair; or judge a given plan."""
    loaded = load(problem)
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

        if plan is not None or metric is not None or output:
            raise InputError(
                "coupling: with a channel only --relation, --within, --pair, --belief and --json; "
                "plans, metrics and certificates are about numbers"
            )
        with progress("pairs") as report:
            lifted = liftings(loaded, items, relation, within, report)
        show_result(lifted, form, problem, loaded)
        return 0
    table = None if metric is None else read_metric(metric)
    pairs = None if relation is None else read_relation(relation)
    if plan is not None:
        item, given = _only_pair(items), read_plan(plan)
        limit = None if within is None else rational(within, "--within")
        result = judged(item, given, table, pairs, limit, require)
        remarks = []
        if repair is not None:
            write_text(repair, repaired_csv(item, given))
            done = f"wrote the nearest exact plan on the same support to {repair}"
            remarks.append(Remark(done, level=1, folds=True))
        show([view_of(result, str(plan), Asked(problem, loaded))], form, remarks)
        return held(result.valid)
    if within is not None:
        raise InputError("--within: judges a plan, or a problem with a channel; add --plan FILE")
    with progress("pairs") as report:
        found = couplings(loaded, items, table, pairs, report)
    if output is not None:
        from pfverify.certificate.build import write_couplings

        write_couplings(Path(output), path_of(problem), loaded, found)
    told = f"wrote {output}; check it: pfverify check {problem} {output} --expect coupling"
    show_result(found, form, problem, loaded, done=[] if output is None else [told])
    return 0


def _chosen_pairs(problem: Problem, pair: str | None, belief: str | None) -> list[Question]:
    """The pairs of a problem that were asked for.

    Raises InputError for a pair or belief that the problem does not have, and, without a channel,
    for a chosen pair with a prior that has a density.
    """
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
