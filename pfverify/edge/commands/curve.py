"""``pfverify curve``."""

from __future__ import annotations

from pfverify.answers.curves.curve import curve as find
from pfverify.edge.certificates import AskedCertificate
from pfverify.edge.commands.options import check_output, load, path_of
from pfverify.edge.commands.plotting import check_plot, drawn
from pfverify.edge.commands.shown import show_result
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form


def curve(problem: str, kind: str, start: str | None, end: str | None, gap: str,
          output: str | None, plot: str | None, form: Form) -> int:
    """Prove a whole curve of PROBLEM: what holds at every place, also between points."""
    check_output(output, problem)
    check_plot(plot, form)
    stated, certificate = load(problem), AskedCertificate(output, path_of(problem))
    certificate.tell_refused(stated)
    with progress("looking") as report:
        found = find(stated, kind, start=start, end=end, gap=gap, progress=report)
    certificate.save(stated, found)
    show_result(found, form, problem, stated, done=drawn(plot, stated, found))
    return certificate.code(0)
