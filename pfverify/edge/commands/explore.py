"""``pfverify explore``."""

from __future__ import annotations

from pfverify.edge.commands.options import load, path_of, refuse_inputs
from pfverify.edge.explore.explore import FORMATS, save_explored
from pfverify.edge.explore.explore import explore as decided
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form, show
from pfverify.edge.report.report import check_place
from pfverify.edge.stdin import DASH
from pfverify.edge.sweep import split_values
from pfverify.edge.views.registry import views_of
from pfverify.edge.views.view import Remark


def explore(problem: str, output: str, scale: tuple[str, ...], epsilon: tuple[str, ...],
            values: int, digits: int, form: Form) -> int:
    """Write one page about PROBLEM on which scale and epsilon are moved."""
    path = path_of(problem)
    refuse_inputs(output, path)
    check_place(output, FORMATS)
    asked = load(problem)
    scales, epsilons = (
        [one for one in split_values(given, option) if one is not None] or None
        for given, option in ((scale, "--scale"), (epsilon, "--epsilon"))
    )
    with progress("deciding") as seen:
        found = decided(asked, scales=scales, epsilons=epsilons, values=values, digits=digits,
                        progress=seen)  # fmt: skip
    with progress("drawing") as seen:
        save_explored(found, output, path.name if problem == DASH else problem, seen)
    show(views_of([found], problem, [asked], digits), form, [Remark(f"Wrote {output}.")])
    return 0
