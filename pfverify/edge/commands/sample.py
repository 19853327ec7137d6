"""``pfverify sample``."""

from __future__ import annotations

from pathlib import Path

from pfverify.answers.certify import certify
from pfverify.decide.verdict import Verdict
from pfverify.edge.checked import checked
from pfverify.edge.codes import decided
from pfverify.edge.commands.options import certificate_path, load, path_of, refuse_inputs
from pfverify.edge.commands.shown import show_result
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form, show
from pfverify.edge.views.view import Remark
from pfverify.sampling.sample import CERTIFICATE, DECISION, planned


def sample(
    problem: str, count: int, value: str | None, certificate: str | None, uncertified: bool,
    lattice: str | None, output: str | None, form: Form,
) -> int:  # fmt: skip
    """Draw exactly the noise that PROBLEM is about, after certifying it."""
    stated = load(problem)
    if lattice is not None:
        stated = stated.on_lattice(lattice)
    if output is not None:
        refuse_inputs(output, path_of(problem))
        stated.save(Path(output))
        show([Remark(f"wrote {output}: certify it, then sample it; nothing was drawn")], form)
        return 0
    plan = planned(stated, count, value)
    if certificate is not None:
        answer = checked(path_of(problem), certificate_path(certificate), "certified")
        if not answer.ok:
            show_result(answer, form, problem, stated)
            return answer.code
        verdict, proved_by = Verdict.CERTIFIED, CERTIFICATE
    else:
        with progress("deciding") as report:
            verdict, proved_by = certify(stated, digits=1, progress=report).verdict, DECISION
    result = plan.done(verdict, proved_by, uncertified=uncertified)
    show_result(result, form, problem, stated)
    return decided(verdict)
