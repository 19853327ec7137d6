"""Laws of several parts, each of which states where its own come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.closed import check_closed
from pfverify.model.notion import OF_PARTS
from pfverify.model.pairs import resolved_pairs
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.composition import PARTS, ComposedReleases, place, together, word
from pfverify.model.releases.release import Release
from pfverify.model.requirement import Requirement
from pfverify.model.sources.families import Families
from pfverify.model.sources.inputs import SingleInputs
from pfverify.model.sources.source import Source

Pairs = tuple[tuple[str, str], ...]


class GivenParts(Source):
    """A source for each part, all about the same beliefs, secrets and pairs.

    Given the secret what the parts are about is independent.
    Raises InputError naming the part: where there is none, for families and single inputs, and,
    once it is known what is released, where beliefs, secrets or pairs differ.
    Example: ``GivenParts([Given.to_one(priors)]).names_pairs`` is ``False``.
    """

    law_word = "part"
    sources: tuple[Source, ...]

    def __init__(self, sources: Sequence[Source]) -> None:
        if not sources:
            raise InputError(f"{PARTS}: the list is empty, expected at least one part")
        for k, source in enumerate(sources):
            if isinstance(source, Families):
                raise InputError(
                    f"{place(k)}: a family of priors is decided by its extreme members, and those "
                    "of several parts together are not worked out; expected given laws"
                )
            if isinstance(source, SingleInputs | GivenParts):
                raise InputError(f"{place(k)}: expected a source of priors")
        self._keep(
            sources=tuple(sources),
            worked_out=any(source.worked_out for source in sources),
            partial=any(source.partial for source in sources),
        )  # fmt: skip

    def taking(self, release: Release) -> Release:
        """Return the release, each part as its source has it."""
        found = self._composition(release)
        both = zip(self.sources, found.releases, strict=True)
        return found.of([source.taking(one) for source, one in both])

    def _composition(self, release: Release) -> ComposedReleases:
        if not isinstance(release, ComposedReleases) or len(release.parts) != len(self.sources):
            raise InputError(f"{PARTS}: expected what is released, and its laws, of each part")
        return release

    def for_release(self, release: Release, required: Requirement) -> GivenParts:
        """Return the same parts with their laws; InputError naming the part, and for other forms.
        """
        if not isinstance(required.notion, OF_PARTS):
            raise InputError(
                f"form: {required.notion.text} says nothing of several parts together; expected "
                "form = events or renyi"
            )
        found: list[Source] = []
        for k, (source, one) in enumerate(
            zip(self.sources, self._composition(release).releases, strict=True)
        ):
            with told_at(f"{place(k)}: "):
                own = source.for_release(one, required)
                check_closed(own, one, required)
                if own.uncertified is not None:
                    why = own.uncertified
                    raise InputError(f"beside other parts its laws have to be exact; {why}")
            found.append(own)
        _check_alike(found)
        made = GivenParts(found)
        made._keep(laws=together([source.laws for source in found]))
        return made

    def pairs(self, stated: object) -> object:
        """Return the pairs, which are the same of all parts; InputError where they are not."""
        found: list[Pairs] = []
        for k, source in enumerate(self.sources):
            with told_at(f"{place(k)}: "):
                own = source.pairs(stated)
                found.append(resolved_pairs(source.laws, own, partial=source.partial))
        for k, pairs in enumerate(found):
            if set(map(frozenset, pairs)) != set(map(frozenset, found[0])):
                raise InputError(
                    f"{place(k)}: its pairs of secrets are not those of {place(0)}; state `pairs` "
                    "beside the parts"
                )
        return found[0]

    @property
    def names_pairs(self) -> bool:
        """Whether some part says itself which pairs are compared."""
        return any(source.names_pairs for source in self.sources)

    def assumed(self) -> list[str]:
        """Return what each part takes for granted, and that they are independent."""
        return [
            *(
                f"{word(k)}: {text}"
                for k, source in enumerate(self.sources) for text in source.assumed()
            ),
            "given the secret the parts are independent of each other, and so are all releases",
        ]  # fmt: skip

    def stated(self) -> list[tuple[str, str, str]]:
        """Return every law that a part states."""
        return [
            (belief, secret, f"{word(k)}: {law}")
            for k, source in enumerate(self.sources) for belief, secret, law in source.stated()
        ]  # fmt: skip

    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return nothing: no one law is that of a record."""
        return {}

    def said(self, *, sized: bool = True) -> str:
        """Return what X is in the parts that say it."""
        told = [source.said(sized=sized) for source in self.sources]
        return " ".join(f"{word(k)}: {text}" for k, text in enumerate(told) if text)

    def tables(self) -> dict[str, Any]:
        """Return the keys of each part."""
        return {PARTS: [source.tables() for source in self.sources]}

    def canonical_tables(self) -> dict[str, Any]:
        """Return the same in the one form of a digest."""
        return {PARTS: [source.canonical_tables() for source in self.sources]}

    def key(self) -> object:
        """Return the keys of the parts."""
        return tuple(source.key() for source in self.sources)


def _check_alike(sources: Sequence[Source]) -> None:
    """Raise InputError unless all parts are about the same beliefs and secrets."""
    first = sources[0].laws
    for k, source in enumerate(sources):
        if source.laws.keys() != first.keys():
            raise InputError(
                f"{place(k)}: its beliefs are {_names(source.laws)}, and those of {place(0)} "
                f"{_names(first)}; expected the same in all parts"
            )
        for belief, table in source.laws.items():
            if set(table) != set(first[belief]):
                raise InputError(
                    f"{place(k)}: its secrets are {_names(table)}, and those of {place(0)} "
                    f"{_names(first[belief])}; expected the same in all parts"
                )


def _names(table: Mapping[str, object]) -> str:
    return shorten(", ".join(table), 60)
