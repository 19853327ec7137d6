"""What every source of laws says of itself; `sources.kinds` lists the tables that state one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from typing import Any, ClassVar

from pfverify.model.fixed import Fixed
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.kinds import of_a_part
from pfverify.model.releases.release import Laws, Release
from pfverify.model.requirement import Requirement
from pfverify.model.steps.step import AnyStep

DEFAULT_BELIEF = "default"


class Source(Fixed, ABC):
    """Where the laws of X under each belief and secret come from.

    Attributes: `laws`, belief -> secret -> law, which may be worked out when asked for;
    `part_alone`, whether they are laws of a part of X, to which anything independent may be added;
    `worked_out`, whether they come from other laws, as a sum does; `partial`,
    whether a secret may be impossible under a belief, which then says nothing of it; `unit`, what a
    value of a record is divided by in X; `law_word`, what the laws that are stated are those of;
    `remedy`, what to do where exact laws are too large; `steps`, what was done to X before the
    noise, after which the laws are those of what comes out; `numbers`, their names where the source
    makes several numbers at once; `ratio_only`, whether its laws stand for many, and only where a
    ratio is bounded; `uncertified`, why no certificate is written, None where one may
    be.
    """

    laws: Laws
    part_alone: bool = False
    worked_out: bool = False
    partial: bool = False
    unit: int = 1
    law_word: ClassVar[str] = "prior"
    remedy: ClassVar[str] = "; fewer pairs in one problem file are less work"
    steps: tuple[AnyStep, ...] = ()
    numbers: tuple[str, ...] = ()
    ratio_only: bool = False
    uncertified: str | None = None

    pairs_stand_for: str | None = None
    """What pairs those that are decided stand for, in words; None where they are all."""

    @property
    def stands_for(self) -> str | None:
        """What its beliefs stand for, in words, where they are chosen from many; else None."""
        return None

    @property
    def origin(self) -> Source:
        """The source of X itself, before any steps."""
        return self

    def taking(self, release: Release) -> Release:
        """Return a release of X as it is known where the laws are these."""
        return of_a_part(release) if self.part_alone else release

    @abstractmethod
    def for_release(self, release: Release, required: Requirement) -> Source:
        """Return the same source with its laws as a release takes them that is held to this.

        Raises InputError where they are not for this release or notion.
        """

    @abstractmethod
    def pairs(self, stated: object) -> object:
        """Return the pairs that are asked for, given those that the problem states (None: none).

        None means every pair. Raises InputError where the source says itself which pairs.
        """

    @property
    @abstractmethod
    def names_pairs(self) -> bool:
        """Whether the source says itself which pairs are compared."""

    @abstractmethod
    def assumed(self) -> list[str]:
        """Return what the laws take for granted, in words."""

    @abstractmethod
    def stated(self) -> list[tuple[str, str, str]]:
        """Return belief, secret and law in words, of the laws that are stated."""

    @abstractmethod
    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return secret -> law of the value of one record, where records are what was counted."""

    def said(self, *, sized: bool = True) -> str:
        """Return what X is, as a sentence; "" where its laws say it all.

        `sized`: with how many users there are.
        """
        del sized
        return ""

    @abstractmethod
    def tables(self) -> dict[str, Any]:
        """Return its keys of a problem file."""

    @abstractmethod
    def canonical_tables(self) -> dict[str, Any]:
        """Return the one form of the same that goes into the digest of a problem."""

    @abstractmethod
    def key(self) -> object:
        """Return what is equal where the canonical forms are."""


def tables_of(beliefs: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the keys of a problem file under the only belief, or `beliefs` where it has a name.

    Example: ``tables_of({"default": {"priors": {}}})`` is ``{"priors": {}}``.
    """
    alone = list(beliefs) == [DEFAULT_BELIEF]
    return beliefs[DEFAULT_BELIEF] if alone else {"beliefs": beliefs}


class OfLaws(Source):
    """A source that is its laws: a digest needs nothing but these, beliefs and secrets in order.

    What it says itself is how they are written (`tables`) and what they assume.
    """

    names_pairs = False

    def for_release(self, release: Release, required: Requirement) -> Source:
        """Return the same laws, in the order of what releases."""
        del required
        found = copy(self)
        found._keep(laws=release.over(self.laws))
        return found

    def pairs(self, stated: object) -> object:
        """Return the pairs that the problem states."""
        return stated

    def stated(self) -> list[tuple[str, str, str]]:
        """Return every law."""
        return [
            (belief, secret, repr(prior))
            for belief, table in self.laws.items() for secret, prior in table.items()
        ]  # fmt: skip

    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return nothing: no record was counted."""
        return {}

    def canonical_tables(self) -> dict[str, Any]:
        """Return belief, secret and prior as plain data."""
        laws = [
            [belief, [[secret, prior.canonical()] for secret, prior in table.items()]]
            for belief, table in self.laws.items()
        ]
        return {"beliefs": laws}

    def key(self) -> object:
        """Return the same with priors that compare."""
        return tuple((belief, *table.items()) for belief, table in self.laws.items())
