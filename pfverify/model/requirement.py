"""What a release is held to: a notion, what is kept apart, epsilon and delta."""

from __future__ import annotations

from functools import cached_property

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, printable
from pfverify.model.fixed import Fixed
from pfverify.model.notion import Notion, exact_notion
from pfverify.model.protection import Protection
from pfverify.model.ranges import within_one
from pfverify.model.target import Target


class Requirement(Fixed):
    """The requirement on every ordered pair: `target` resolves it for one of them.

    Parameters: `epsilon` >= 0, `delta` in [0, 1]; `form`, a privacy notion or its name, as in a
    problem file; `protection`, what is kept apart and whether epsilon is per unit of distance.
    Raises InputError naming what was wrong.
    Example: ``Requirement(1, 0, "events", Protection("distp")).target(None).epsilon.text`` is
    ``"1"``.
    """

    epsilon: Number
    delta: Number
    notion: Notion
    protection: Protection

    def __init__(
        self, epsilon: object, delta: object, form: object, protection: Protection
    ) -> None:
        if type(protection) is not Protection:
            raise InputError(f"protection: expected Protection, got {type(protection).__name__}")
        notion = exact_notion(form)
        self._keep(
            epsilon=checked_epsilon(epsilon), delta=checked_delta(delta), notion=notion,
            protection=protection,
        )  # fmt: skip
        notion.check_delta(self.delta)

    def target(self, factor: Number | None) -> Target:
        """Return what one ordered pair is held to, where `factor` multiplies epsilon (None: 1)."""
        if factor is None or factor.fraction == 1:
            return self._plain
        return Target(self.epsilon * factor, self.delta, self.notion)

    @cached_property
    def _plain(self) -> Target:
        """The target of every pair whose epsilon is not multiplied: what it works out is shared."""
        return Target(self.epsilon, self.delta, self.notion)

    @property
    def one_target(self) -> Target:
        """The target of every pair; InputError where epsilon is multiplied by a distance."""
        return Target(self.one_epsilon, self.delta, self.notion)

    @property
    def one_epsilon(self) -> Number:
        """The epsilon of every pair; InputError where it is multiplied by a distance."""
        if self.protection.extended:
            raise InputError(
                f"notion: with {self.protection.notion} epsilon is multiplied by a distance, and "
                "differs from pair to pair"
            )
        return self.epsilon


def checked_epsilon(value: object) -> Number:
    """Return an exact epsilon >= 0, or raise InputError."""
    epsilon = printable(value, "epsilon")
    sign = epsilon.sign()
    if sign is None or sign < 0:
        what = "cannot be told from a negative number" if sign is None else "is negative"
        raise InputError(f"epsilon: {shorten(epsilon.text)} {what}, expected a number >= 0")
    return epsilon


def checked_delta(value: object) -> Number:
    """Return an exact delta in [0, 1], or raise InputError."""
    return within_one(value, "delta")
