"""Implementations that are sound, and ones with a mistake planted: exact but for the mistake."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf, nextafter

import numpy as np

from pfverify.crosscheck import density
from pfverify.crosscheck.case import AtomLaw, Case
from pfverify.crosscheck.draw import normalised
from pfverify.crosscheck.finding import Finding
from pfverify.crosscheck.kinds import KINDS, judge
from pfverify.decide.routes import comparison
from pfverify.exact.published import Infinite
from pfverify.exact.written import written
from pfverify.transport.line import monotone_plan


def upward(value):
    """The least float that is not below a number."""
    if isinstance(value, Infinite):
        return inf
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)


def number(case):
    """The exact answer to a question about a number, rounded up."""
    return upward(KINDS[case.kind].truth(case).enclosure.upper)


def densities(case):
    return np.array([float(around.upper) for around in density.densities(case)])


def plan(case):
    """The monotone plan, each mass rounded to the nearest float."""
    places = {Fraction(atom): k for k, atom in enumerate(case.p.atoms)}
    found = monotone_plan(case.p.prior(), case.q.prior())
    return np.array([
        (places[Fraction(x, found.denominator)], places[Fraction(y, found.denominator)],
         float(Fraction(mass, found.total)))
        for x, y, mass in found.edges
    ])  # fmt: skip


SOUND = {"scale": number, "loss": number, "delta": number, "density": densities, "plan": plan}


def shortened(case):
    """The answer times 1 - 1e-12."""
    return SOUND[case.kind](case) * (1 - 1e-12)


def one_order(case):
    """A loss or a divergence from p to q alone."""
    problem = case.problem()
    order, _ = comparison(next(problem.questions()))
    found = written(order.loss().value if case.kind == "loss" else order.exceeding(), 20)
    return upward(found.upper)


def _answered_without(kept, case):
    """The exact answer about those atoms that are kept."""
    indices = [k for k, _ in enumerate(case.p.atoms) if kept(case, k)]
    laws = []
    for law in (case.p, case.q):
        if law is None:
            laws.append(None)
            continue
        masses = [law.masses[k] for k in indices]
        if not any(masses):
            return SOUND[case.kind](case)
        laws.append(AtomLaw(tuple(law.atoms[k] for k in indices), normalised(masses)))
    answer = SOUND[case.kind](replace(case, p=laws[0], q=laws[1]))
    if case.kind == "plan":
        answer[:, :2] = np.array(indices)[answer[:, :2].astype(int)]
    return answer


def _all_but(forgotten, case, k):
    return k != forgotten % len(case.p.atoms)


def _heavy(case, k):
    return max(law.masses[k] for law in (case.p, case.q) if law is not None) > 1e-8


def transposed(case):
    """A plan with its rows and columns in each other's place."""
    return plan(case)[:, [1, 0, 2]]


PLANTED = {
    ("scale", "times 1 - 1e-12"): shortened,
    ("scale", "no light atoms"): partial(_answered_without, _heavy),
    ("scale", "no last atom"): partial(_answered_without, partial(_all_but, -1)),
    ("scale", "no first atom"): partial(_answered_without, partial(_all_but, 0)),
    ("loss", "times 1 - 1e-12"): shortened,
    ("loss", "one order"): one_order,
    ("loss", "no light atoms"): partial(_answered_without, _heavy),
    ("loss", "no last atom"): partial(_answered_without, partial(_all_but, -1)),
    ("loss", "no atom in the middle"): partial(_answered_without, partial(_all_but, 2)),
    ("delta", "times 1 - 1e-12"): shortened,
    ("delta", "one order"): one_order,
    ("delta", "no light atoms"): partial(_answered_without, _heavy),
    ("delta", "no first atom"): partial(_answered_without, partial(_all_but, 0)),
    ("density", "times 1 - 1e-10"): lambda case: densities(case) * (1 - 1e-10),
    ("density", "no last atom"): partial(_answered_without, partial(_all_but, -1)),
    ("plan", "transposed"): transposed,
    ("plan", "no last atom"): partial(_answered_without, partial(_all_but, -1)),
}


def judged(subject, case: Case) -> Finding:
    return judge(case, subject(case))
