"""Whether what the kernel took is true: atoms by sums, densities by quadrature-free scans."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import kernel_builder as kb
from support.smooth_oracle import Gap, Noise, Part, ctx, real

Json = dict[str, Any]
CLOSE = ctx.mpf(10) ** -45


class Judge:
    """The oracles with a memory: many forgeries claim the same."""

    def __init__(self) -> None:
        self.known: dict[str, bool] = {}
        self.private: dict[str, bool] = {}

    def is_true(self, problem: Json, cert: Json, word: str) -> bool:
        """Whether an accepted certificate's claim holds."""
        claim = [problem, word, [] if word == "certified" else cert["steps"]]
        key = json.dumps(claim, sort_keys=True)
        if key not in self.known:
            if word == "coupling":
                epsilon = str(Fraction(kb.fraction_text(kb.real(problem["epsilon"]))))
                problem = {**problem, "epsilon": epsilon}
            densities = any(
                prior["kind"] != "discrete"
                for priors in kb.beliefs(problem).values()
                for prior in priors.values()
            )
            gaussian = problem["noise"]["kind"] == "gaussian" and not kb.is_bare(problem)
            smooth = densities or gaussian
            judge = self._smooth if smooth and word != "coupling" else kb.is_true
            self.known[key] = bool(judge(problem, cert, word))
        return self.known[key]

    def _smooth(self, problem: Json, cert: Json, word: str) -> bool:
        if word == "certified":
            return self._private(problem, size_of(problem))
        if word == "refuted":
            return refutation_holds(problem, cert["steps"][0], size_of(problem))
        for step in cert["steps"]:
            if step["rule"] == "scale":
                if self._private(problem, kb.exact(step["scale"])) != (
                    step["verdict"] == "certified"
                ):
                    return False
                continue
            if step["upper"] == "inf" or not self._private(problem, kb.exact(step["upper"])):
                return False
            if step["lower_step"] and self._private(problem, kb.exact(step["lower"])):
                return False
        return True

    def _private(self, problem: Json, size: Fraction) -> bool:
        key = json.dumps([problem, str(size)], sort_keys=True)
        if key not in self.private:
            self.private[key] = all(
                excess(problem, goal, size) <= CLOSE for goal in kb.ordered_goals(problem)
            )
        return self.private[key]


def size_of(problem: Json) -> Fraction:
    """The scale of Laplace noise, the standard deviation of Gaussian noise when rational."""
    noise = problem["noise"]
    if "variance" in noise:
        return -kb.exact(_plain(noise["variance"]))  # negative: a variance, not a deviation
    return kb.exact(_plain(noise["scale"]))


def _plain(text: Any) -> str:
    return str(Fraction(kb.fraction_text(kb.real(text))))


def parts(prior: Json) -> list[Part]:
    """(weight, mean, variance) of a prior of a problem file."""
    if prior["kind"] == "discrete":
        weights = prior.get("mass") or prior["counts"]
        whole = sum(kb.exact(w) for w in weights.values())
        return [(kb.exact(w) / whole, kb.exact(a), Fraction(0)) for a, w in weights.items()]
    listed = prior["components"] if prior["kind"] == "mixture" else [{**prior, "weight": 1}]
    found = []
    for part in listed:
        variance = kb.exact(part["variance"]) if "variance" in part else kb.exact(part["sd"]) ** 2
        found.append((kb.exact(part["weight"]), kb.exact(part["mean"]), variance))
    return [part for part in found if part[0]]


def gap(problem: Json, goal: tuple[str, str, str], size: Fraction) -> Gap:
    """The oracle for one ordered pair at one scale."""
    priors = kb.beliefs(problem)[goal[0]]
    if problem["noise"]["kind"] == "gaussian":
        noise: Noise = ("gaussian", -size if size < 0 else size * size)
    else:
        noise = ("laplace", size)
    epsilon = ctx.mpf(kb.mpmath.nstr(kb.real(problem["epsilon"]), 58))
    flat = 0
    if problem.get("form") == "pointwise":
        flat = real(_plain(problem.get("delta", 0)))
    return Gap(parts(priors[goal[1]]), parts(priors[goal[2]]), noise, epsilon, flat)


def excess(problem: Json, goal: tuple[str, str, str], size: Fraction) -> Any:
    """> 0 iff the ordered pair fails; never more than the truth."""
    here, delta = gap(problem, goal, size), kb.real(problem.get("delta", 0))
    if delta == 0:
        return here.largest_ratio() - ctx.log(here.factor)
    delta = real(_plain(problem["delta"]))
    if problem.get("form") == "pointwise":
        return here.largest_excess() - delta
    return here.divergence() - delta


def refutation_holds(problem: Json, step: Json, size: Fraction) -> bool:
    """Whether the margin is true at the output, or for the event, of a step."""
    here = gap(problem, (step["belief"], step["from"], step["to"]), size)
    delta, margin = real(_plain(problem.get("delta", 0))), real(Fraction(step["margin"]))
    if step["rule"] == "event-refuted":
        ends = [
            (None if a == "-inf" else Fraction(a), None if b == "inf" else Fraction(b))
            for a, b in step["event"]
        ]
        found = here.excess(ends) - delta
    elif step["rule"] == "pure-refuted":
        found = here.log_ratio(Fraction(step["y"])) - ctx.log(here.factor)
    else:
        found = here.excess_at(Fraction(step["y"])) - delta
    return bool(found >= margin - CLOSE)
