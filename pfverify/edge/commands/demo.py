"""``pfverify demo``."""

from __future__ import annotations

from pathlib import Path

from pfverify.edge import packaged
from pfverify.edge.commands.shown import show_result
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form, show
from pfverify.edge.views.view import Remark


def demo(figures: bool, properties: bool, locations: bool, examples: bool, folder: Path | None,
         form: Form) -> int:
    """Recompute Table 4 of the noise-reduction paper from real priors, with proofs."""
    if folder is not None:
        count = packaged.write_examples(folder)
        show([Remark(f"wrote {count} problem files to {folder}")], "terminal")
        return 0
    if examples:
        show_result(packaged.listed_examples(), form)
        return 0
    from pfverify.edge.papers import distribution, scales
    from pfverify.edge.papers import locations as places

    with progress("recomputing") as report:
        result: object
        if figures:
            result = scales.multi_user_curves(report)
        elif properties:
            result = distribution.properties(report)
        else:
            result = places.compare_locations(report) if locations else scales.demo(report)
    show_result(result, form)
    return 0
