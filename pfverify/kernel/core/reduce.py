"""The rules of goals that follow from other goals, or fail with them: several releases, fresh
draws, steps behind several numbers, independent outputs.  As in `rules`.

What these goals are a goal's kind says, by a `Reduction`.
"""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction
from typing import Any, Protocol

from core.defined import number_of
from core.grammar import Malformed, Number, combine
from core.judge import apply, plain, shaped
from core.kinds import CERTIFYING, REFUTING, Rules, kind_of
from core.rules import Facts, Goal, Rejected, Step, margin_of
from core.shapes import array, string, table
from core.value import sign

Of = Goal[Any, Any]
NOTHING: Number = Fraction(0)
EXCESSES = {"event-refuted", "outputs-refuted"}  # margins of P(B) - e^epsilon Q(B)
OF_PARTS = EXCESSES | {"pure-refuted", "output-refuted"}


class Reduction(Protocol):
    """What goals one goal follows from, or fails with."""

    @property
    def named(self) -> bool:
        """Whether a step names the independent parts; else they stand in order."""

    def whole(self, step: Step) -> tuple[Of, Facts]:
        """The goal that this one follows from, which the step is about, and the facts by which it
        does."""

    def fails_with(self, step: Step) -> Facts:
        """The facts by which it fails where that goal fails as the step says, or Rejected."""

    def part(self, named: Any, epsilon: Number, delta: Number) -> tuple[Of, Facts]:
        """The goal of a part of the outputs, and the facts by which it is that."""

    def parts(self) -> list[tuple[Any, int]]:
        """All parts of the outputs by their names, independent of each other, and how many there
        are of each, or Rejected."""

    # of one X, given which they are independent

    @property
    def shared(self) -> bool:
        """Whether all outputs are of one X that is no point."""

    def parts_of_x(self) -> list[tuple[Any, int]]:
        """As `parts`, of parts that are independent given X, or Rejected."""

    def atoms(self) -> list[tuple[Any, Fraction, Fraction]]:
        """The values of X, and their masses under P and under Q."""

    def part_of_x(self, named: Any, values: list[Any]) -> tuple[Of, Facts, list[Any]]:
        """The goal of a part, the facts by which it is that, and the law of its outputs for each
        value of X."""

    def between(self, x: Any, y: Any) -> Of:
        """The goal where X is one value under the first secret, and one under the second."""

    def alike(self, x: Any, y: Any) -> Any:
        """What two values of X have in common with all those that diverge as they do."""


def under(goal: Of, p: Any, q: Any, release: Any, **changed: Any) -> Of:
    """The same goal of other laws and another release."""
    kind = kind_of(release.kind, p, q)
    return goal.about(*kind.laws(p, q, release), release=release, kind=kind, **changed)


def composite(goal: Of) -> Reduction:
    """What goals a goal follows from."""
    if goal.kind.reduction is None:
        raise Malformed("a goal that follows from no other")
    found: Reduction = goal.kind.reduction(goal)
    return found


def _by(one: Of, step: Step, rules: Rules) -> Facts:
    """The facts by which a step settles another goal."""
    name = step["rule"]
    if name not in rules:
        raise Rejected(one.kind.other)
    return rules[name].load(name)(one, step)


def _inner(goal: Of, value: Any, rules: Set[str]) -> Step:
    """A step inside another, which is about the same pair."""
    names = dict(zip(("belief", "from", "to"), goal.names, strict=True))
    if type(value) is not dict or not names.keys().isdisjoint(value):
        raise Malformed("a step inside another must be a table that names no pair")
    return shaped({**value, **names}, rules)


def _is_product(step: Step, found: Reduction) -> bool:
    """Whether a step is about independent parts; else, if it has parts, they are of the whole."""
    parts = array(step["parts"], "parts") if "parts" in step else None
    return parts is not None and (
        not found.named or any(type(part) is dict and "part" in part for part in parts)
    )


def _shares(step: Step, found: Reduction) -> list[tuple[int, Of, Facts, dict[str, Any]]]:
    """Of each independent part that a step is about, in order: how many there are, its goal with an
    epsilon and a delta of its own, the facts by which it is that, and what the step says of it."""
    parts, due, certifies = step["parts"], found.parts(), step["rule"] == "product"
    if not found.named and len(parts) != len(due):
        raise Malformed(f"parts must be {len(due)}, one for each different scale")
    if certifies and len(parts) != len(due):
        raise Rejected("some outputs have no part")
    keys = {"epsilon", "step"} | ({"delta"} if certifies else set())
    left, shares = iter(due), []
    for k, part in enumerate(parts):
        table(part, "a part", keys | ({"part"} if found.named else set()))
        stated = part["part"] if found.named else k
        count = next((n for name, n in left if type(name) is type(stated) and name == stated), None)
        if count is None:
            raise Rejected("no such part is due here")
        epsilon = number_of(string(part["epsilon"], "epsilon"), "epsilon", Fraction(0))
        text = string(part.get("delta", "0"), "delta")
        delta = plain(number_of(text, "delta", Fraction(0), Fraction(1)))
        shares.append((count, stated, epsilon, delta, part))
    return [
        (count, *found.part(stated, epsilon, delta), part)
        for count, stated, epsilon, delta, part in shares
    ]


def _more(total: Number, count: int, x: Number) -> Number:
    return combine("+", total, combine("*", Fraction(count), x))


def reduce(goal: Of, step: Step) -> Facts:
    """
    the rule proves another goal     what is released here is made of what is released there alone,
                                     or as good as what is (post-processing; one release for all of
                                     one X: F40, F40k, F40l, F41)
    -----------------------------------------------------------------------------------------------
    the goal holds

    the outputs are independent     each part of them satisfies its epsilon_i and delta_i
    sum of epsilon_i <= epsilon     sum of delta_i <= delta
    ------------------------------------------------------------------------------------- F43
    all of them together satisfy epsilon and delta
    """
    found = composite(goal)
    if not _is_product(step, found):
        one, facts = found.whole(step)
        return facts | _by(one, step, {**one.kind.unscaled, **one.kind.certified})
    facts, sums = {"F43"}, (NOTHING, NOTHING)
    for count, one, by, part in _shares(step, found):
        rules = CERTIFYING[one.release.amount is None]
        facts |= by | apply(one, _inner(goal, part["step"], rules), one.kind.certified)
        sums = _more(sums[0], count, one.epsilon), _more(sums[1], count, one.delta)
    for what, total, bound in zip(
        ("epsilons", "deltas"), sums, (goal.epsilon, goal.delta), strict=True
    ):
        if sign(combine("-", bound, total)) < 0:
            raise Rejected(f"the {what} of the releases sum to more")
    return facts


def reduce_refuted(goal: Of, step: Step) -> Facts:
    """
    the goal fails for a part of the outputs, for one of the releases alone
    ----------------------------------------------------------------------- post-processing
    it fails for all of them together

    the rule refutes the goal of the noisy numbers, and the steps do not hide where it fails: the
    rest moves it past them (F43i), or that output is made of it alone (F43f, F43g)
    ---------------------------------------------------------------------------------------------
    the goal fails for what the steps make of them

    delta = 0     the outputs are independent
    P_i(B_i) >= e^(epsilon_i) Q_i(B_i) + margin_i, or e^(epsilon_i + margin_i) Q_i(B_i), for some
    sum of epsilon_i >= epsilon     sum of margin_i >= margin > 0
    --------------------------------------------------------------------------------- F43, F43h
    the goal fails on the product of the B_i     (P_i <= 1, so that the first gives the second)
    """
    found = composite(goal)
    if "part" in step or ("release" in step and not found.named):
        named = step["part"] if "part" in step else step["release"]
        one, facts = found.part(named, goal.epsilon, goal.delta)
        inside = _inner(goal, step["step"], REFUTING - ({step["rule"]} & {"part-refuted"}))
        return {"DPI"} | facts | apply(one, inside, one.kind.refuted)
    if not _is_product(step, found):
        one, _ = found.whole(step)
        facts = _by(one, step, one.kind.refuted)
        return facts | found.fails_with(step)
    if not goal.delta_is_zero:
        raise Rejected("losses that add refute a pure bound only")
    facts, epsilons, margins = {"F43"}, NOTHING, Fraction(0)
    for count, one, by, part in _shares(step, found):
        inside = _inner(goal, part["step"], OF_PARTS if found.named else {"pure-refuted"})
        facts |= by | apply(one, inside, one.kind.refuted)
        facts |= {"F43h"} if inside["rule"] in EXCESSES else set()
        epsilons, margins = _more(epsilons, count, one.epsilon), margins + count * margin_of(inside)
    if sign(combine("-", epsilons, goal.epsilon)) < 0 or margins < margin_of(step):
        raise Rejected("the losses of the releases sum to less")
    return facts
