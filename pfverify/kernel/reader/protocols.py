"""What a source and a release are to the rest of the kernel; loaded for no answer.

A problem is a source, a release and a target, and nothing of it is what it is by default: `reader`
finds each in the tables of `kinds`, by the name of its table in the file or of its notion, and
refuses what no row names.

To add a source, write a module with a class like `Source` and a function

    source(value, release) -> Source        from the tables of the problem, and how X is released

and give it a row in SOURCES: the name of its table, the module, the releases that it goes with.
Nothing else knows of it: goals, rules, digests and messages ask the methods below.  Its laws may be
worked out when a goal asks for them, as those of `system` are.

To add a release, write a module with a class like `Release` and a function `release(value)`, with
rows in RELEASES and NOISES, and rows in KINDS for the laws that its rules judge: of each the
module, whose KIND names the rules.  A step after another release wraps that release.  Goals that
follow from other goals say so by the `reduction` of their KIND (`core.reduce`).

To add a notion, write a module with a class like `Notion`, which has its parameters, and a function
`notion(stated, name, release, source)`, with a row in NOTIONS that lists its keys: beside another
notion they are refused.  Where they stand beside noise, the row `noise` of RELEASES has them too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Set
    from fractions import Fraction

    from core.grammar import Number
    from core.kinds import Beliefs, Pairs
    from core.rules import Names


class Notion(Protocol):
    """What is asked of the pairs; its parameters are its own."""

    @property
    def name(self) -> str:
        """The row of NOTIONS."""

    @property
    def written(self) -> dict[str, Any]:
        """Its keys as they go into a digest."""

    def words(self) -> str:
        """It, in a message."""

    def epsilon(self, stated: Number, names: Names) -> Number:
        """The epsilon of a belief and two secrets, of the one that the problem states."""


class Source(Protocol):
    """Where the laws of X come from."""

    @property
    def of(self) -> str:
        """Whose laws they are: priors, users, inputs or parts."""

    @property
    def notion(self) -> str:
        """The notion that is meant where none is stated."""

    @property
    def beliefs(self) -> Mapping[str, Mapping[str, Any]]:
        """Belief -> secret -> law of X, now or when it is asked for."""

    @property
    def asked(self) -> Any:
        """A table whose `pairs`, if it has any, are those that are asked about."""

    @property
    def partial(self) -> bool:
        """Whether a belief may lack a secret, of which it then says nothing."""

    def canonical(self) -> dict[str, Any]:
        """Its keys as they go into a digest."""

    def given(self, problem: Any) -> str:
        """What is taken for granted about it, in words."""

    def seen(self) -> tuple[str, set[str]]:
        """What its beliefs are, in words, and the facts by which they stand for others."""


class Release(Protocol):
    """What becomes of X before it is seen."""

    @property
    def kind(self) -> str:
        """The row of NOISES, and with the laws that of KINDS."""

    @property
    def amount(self) -> Number | None:
        """How much of it there is, where that is stated and means something."""

    @property
    def step(self) -> Fraction | None:
        """Of the lattice that it lives on, if it does."""

    @property
    def also(self) -> str:
        """What is taken for granted before the source, in words."""

    @property
    def own(self) -> Set[str]:
        """Keys of notions that are its own."""

    def at(self, amount: Number | None) -> Release:
        """The same with another amount; None or 0: without it."""

    def law(self, value: Any, what: str) -> Any:
        """The law of X that the table of a prior states."""

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """What the rules take for the laws of X."""

    def seen(self, result: str) -> tuple[str, set[str]]:
        """How many releases there are, in words, and the facts by which one stands for them."""

    def words(self, notion: Notion) -> str:
        """It and the notion, in a message."""

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """Its keys, and the notion's, as they go into a digest."""
