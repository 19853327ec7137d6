"""What a certificate claims, as far as there are theorems for it: read from it and its problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pfverify.decide.targets import target_of
from pfverify.edge.proved import accepted_steps, is_about
from pfverify.errors import InputError, shorten
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.number import Number
from pfverify.model.notion import OfDivergence
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.model.question import Question

COVERED = (
    "covered are priors of atoms with laplace or discrete-laplace noise or none and pure epsilon, "
    "and delta > 0 under laplace noise"
)
_WITH_DELTA = {
    "events": {"pure", "delta-upper", "delta-tie", "event-refuted"},
    "pointwise": {"pure", "pointwise", "pointwise-refuted"},
}
"""Form of a bound with a delta -> the rules of what the checker in Coq decides anew."""
_REFUTING = {"pure-refuted", "event-refuted", "pointwise-refuted"}


@dataclass(frozen=True)
class Group:
    """The pairs that are held to one epsilon."""

    epsilon: Number
    items: list[Question]


@dataclass(frozen=True)
class AtScale:
    """One scale, a decimal, with its labels; `failing`: the group with a pair that fails there.

    The scale "0" is that of no noise at all.
    """

    scale: str
    labels: list[str]
    failing: Group | None


@dataclass(frozen=True)
class MinimumClaim:
    """The ends of the smallest private scale; `failing`: the group that fails at the lower one.

    At the upper end "inf" it fails at every scale.
    """

    lower: str
    upper: str
    failing: Group | None


@dataclass(frozen=True)
class AcceptedClaim:
    """What the kernel accepts of a problem.

    `word`: certified, refuted or scales; `scale`: that of the problem, None of scales; `groups`:
    all pairs, and of a refutation the one that fails; `pairs`: how many the problem has;
    `bits`: the working precision that the kernel needed;
    `form`: the problem's, where the bound has its delta (None: delta = 0 is proved or refuted).
    """

    word: str
    scale: Number | None
    groups: list[Group]
    pairs: int
    bits: int
    scales: list[AtScale]
    minimum: MinimumClaim | None
    form: str | None

    @property
    def silent(self) -> bool:
        """Whether it is the verdict of a problem without noise."""
        return self.scale is not None and self.scale.sign() == 0

    @property
    def at_ends(self) -> bool:
        """Whether it names scales without noise, or that there is no private scale at all."""
        named = {at.scale for at in self.scales}
        if self.minimum is not None:
            named.add(self.minimum.upper)
        return not named.isdisjoint(("0", "inf"))


def claim_of(problem: Problem, problem_path: Path, certificate_path: Path) -> AcceptedClaim:
    """Return what a certificate that the kernel accepts claims.

    Raises InputError when the kernel does not accept it, and when there is no Coq rule for it.
    """
    _require_covered(problem)
    word, steps = accepted_steps(problem_path, certificate_path)
    groups = _groups(problem)
    pairs = sum(len(group.items) for group in groups)
    scale = problem.scale() if word in ("certified", "refuted") else None
    if any(step.get("ties") for step in _all(steps)):
        _require_ties_covered(groups, scale)
    form = _form(problem, scale, steps)
    bits = max((step.get("bits", 0) for step in _all(steps)), default=0)
    scales: list[AtScale] = []
    minimum = None
    match word:
        case "certified":
            pass
        case "refuted":
            group, item = _failing(groups, steps[0])
            groups = [Group(group.epsilon, [item])]
        case "scales":
            scales, minimum = _scales(groups, steps), _minimum(groups, steps)
        case _:
            raise not_covered(f"a certificate of a {word}")
    claim = AcceptedClaim(word, scale, groups, pairs, bits, scales, minimum, form)
    if form is not None and claim.at_ends:
        raise not_covered("delta > 0 without noise, or at no scale")
    return claim


def _require_ties_covered(groups: list[Group], scale: Number | None) -> None:
    """Ties are decided in Coq where 1/scale and epsilon are linear in 1 and logarithms.

    1/scale may have one logarithm of a quotient of exponential sums.
    """
    forms: list[tuple[Exponent | None, tuple[type, ...]]] = [
        (group.epsilon.linear, (int,)) for group in groups
    ]
    if scale is not None:
        forms.append((scale.reciprocal, (int, ExpSum)))
    for form, kinds in forms:
        if form is None or not all(key is None or isinstance(key, kinds) for key in form.parts):
            raise not_covered("a tie with roots or products in epsilon or 1/scale")


def not_covered(what: str) -> InputError:
    """Return the error about what no theorem is about yet. Example: ``not_covered("noise")``."""
    return InputError(f"--coq: there is no Coq rule for {what} yet; {COVERED}")


def _require_covered(problem: Problem) -> None:
    if isinstance(problem.notion, OfDivergence):
        raise not_covered(f"the form {problem.form}")
    if problem.release.named:
        raise not_covered(f"a channel ({problem.release.kind})")
    if problem.release.several is not None:
        raise not_covered(f"several releases, or scales by coordinate ({problem.release.several})")
    if problem.numbers:
        raise not_covered(f"priors of several numbers ({', '.join(problem.numbers)})")
    if not problem.noise.exponential and problem.noise.kind != "none":
        raise not_covered(f"{problem.noise.kind} noise")
    for item in problem.questions():
        for secret, prior in ((item.first, item.first_prior), (item.second, item.second_prior)):
            if not isinstance(prior, Discrete):
                raise not_covered(f"a prior with a density, that of {shorten(secret)!r}")


def _form(problem: Problem, scale: Number | None, steps: list[Any]) -> str | None:
    """The form of the bound with a delta that is proved or refuted; None where delta is 0."""
    rules = {step["rule"] for step in _all(steps)} - {"scale", "minimum"}
    if problem.delta.sign() == 0 or rules == {"pure"}:
        return None
    known = _WITH_DELTA[problem.form]
    if (scale is not None and scale.sign() == 0) or problem.noise.step is not None:
        known = {"pure"}
    if others := sorted(rules - known):
        raise not_covered(f"delta > 0 (the rule {others[0]})")
    return problem.form


def _groups(problem: Problem) -> list[Group]:
    """The pairs by their epsilon, in the order of the problem."""
    found: dict[str, Group] = {}
    for item in problem.questions():
        epsilon = target_of(item).epsilon
        found.setdefault(epsilon.text, Group(epsilon, [])).items.append(item)
    return list(found.values())


def _failing(groups: list[Group], step: Any) -> tuple[Group, Question]:
    """The pair that a refuting step is about; where it fails, Coq finds by itself."""
    if step["rule"] not in _REFUTING:
        raise not_covered(f"a refutation by the rule {step['rule']}")
    for group in groups:
        for item in group.items:
            if is_about(step, item):
                return group, item
    raise InputError("--coq: the certificate names no pair of this problem")


def _all(steps: list[Any]) -> Iterator[Any]:
    """The steps, with those inside steps about scales."""
    for step in steps:
        yield step
        yield from step.get("steps", [])
        yield from step.get("upper_steps", [])
        if step.get("lower_step") is not None:
            yield step["lower_step"]


def _scale(text: str) -> str:
    """A decimal as it is written, and 0 as "0"."""
    return text if Fraction(text) else "0"


def _scales(groups: list[Group], steps: list[Any]) -> list[AtScale]:
    """Every scale that the certificate names, once, with all its labels."""
    found: dict[str, AtScale] = {}
    for step in steps:
        if step["rule"] == "scale":
            scale = _scale(step["scale"])
            if scale not in found:
                certified = step["verdict"] == "certified"
                failing = None if certified else _failing(groups, step["steps"][0])[0]
                found[scale] = AtScale(scale, [], failing)
            found[scale].labels.append(step["method"])
    return list(found.values())


def _minimum(groups: list[Group], steps: list[Any]) -> MinimumClaim | None:
    for step in steps:
        if step["rule"] == "minimum":
            if step["upper"] == "inf":
                return MinimumClaim(step["lower"], "inf", _hopeless(groups))
            below = step["lower_step"]
            failing = None if below is None else _failing(groups, below)[0]
            return MinimumClaim(step["lower"], _scale(step["upper"]), failing)
    return None


def _hopeless(groups: list[Group]) -> Group:
    """The pairs with epsilon = 0 and two different priors, which no scale makes private."""
    for group in groups:
        different = any(item.first_prior != item.second_prior for item in group.items)
        if different and group.epsilon.sign() == 0:
            return group
    raise not_covered("a minimum that is infinite for another reason than epsilon = 0")
