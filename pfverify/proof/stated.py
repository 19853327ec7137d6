"""What a part of a claim says, for readers: in text and in LaTeX."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pfverify.proof.claim import Part, Proved, Refuted
from pfverify.proof.meaning import Instance
from pfverify.proof.outcome import StatedPart
from pfverify.proof.rules import Certificate
from pfverify.proof.terms import Verdict
from pfverify.proof.written import described, instance_latex, latex


def stated(name: str, part: Part, symbols: Mapping[str, str]) -> StatedPart:
    """Return what a part says, with the data that it is about: data belong to the statement."""
    kept = [*part.examples] if isinstance(part, Proved) else [part.instance or Instance()]
    data, data_latex = [], []
    if isinstance(part, Proved):
        if part.data is not None:
            data = [described(part.data)]
            data_latex = [instance_latex(part.data, symbols)]
        shown = {s.formula.problem: s.rule.problem for s in part.all_steps()
                 if isinstance(s.rule, Certificate) and isinstance(s.formula, Verdict)}  # fmt: skip
    else:
        shown = {"" if part.problem is None else "the problem": part.problem or {}}
        kept = [kept[0].updated(Instance({str(k): v for k, v in part.at.items()}))]
    for title, problem in shown.items():
        if problem:
            data.append(f"{title}: {json.dumps(problem)}")
            data_latex.append(rf"\texttt{{{data[-1]}}}")
    steps = part.steps if isinstance(part, Proved) else ()
    where = f", where {'; '.join(data)}" if data else ""
    where_latex = rf"\quad\text{{where }} {'; '.join(data_latex)}" if data else ""
    if isinstance(part, Proved) and part.denied is not None:
        where += f"; this denies: {part.denied}"
        where_latex += rf"\quad\text{{this denies }} {latex(part.denied, symbols)}"
    return StatedPart(
        name,
        "refuted" if isinstance(part, Refuted) else "proved against it" * part.denies or "proved",
        part.words,
        {key: str(formula) for key, formula in part.given.items()},
        f"{part.statement}{where}",
        f"{latex(part.statement, symbols)}{where_latex}",
        {key: latex(formula, symbols) for key, formula in part.given.items()},
        "; ".join(data),
        "; ".join(data_latex),
        [described(instance) for instance in kept],
        [instance_latex(instance, symbols) for instance in kept],
        {step.name: latex(step.formula, symbols) for step in steps},
    )
