"""Several different releases, each of a draw of its own: what is published is all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from pfverify.errors import InputError, listed, shorten, told_at
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.by_secret import BySecret
from pfverify.model.priors.of_parts import OfParts
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import PUFFERFISH, Protection
from pfverify.model.releases.of_noise import check_together
from pfverify.model.releases.release import Laws, Noise, Release

PARTS, TIMES, WORD = "parts", "times", "part"
MOST_TIMES = 1_000_000
"""Releases of all parts together."""
_SHOWN = 3  # parts in words
_KEPT = 16  # laws that are kept, as each may be large


class Told(NamedTuple):
    """A part: what is released, and how many independent times."""

    release: Release
    times: int


class ComposedReleases(Release):
    """Releases that are independent given the secret, each so many times.

    Parameters: `parts`, each a release and how often. Raises InputError naming the part: for one
    that is composed itself or has no scale, and for times that are none.
    Example: ``ComposedReleases([(Laplace(1), 52), (Laplace(2), 1)]).count`` is 53.
    Source: design facts F43 and F70.
    """

    kind = "composition"
    named = True
    plain = False
    more_scale = None
    parts: tuple[Told, ...]

    def __init__(self, parts: Sequence[tuple[Release, int]]) -> None:
        found = [_checked(k, *part) for k, part in enumerate(listed(parts, PARTS, "a list"))]
        if not found:
            raise InputError(f"{PARTS}: the list is empty, expected at least one part")
        if (count := sum(part.times for part in found)) > MOST_TIMES:
            raise InputError(f"{PARTS}: {count} releases in all, expected at most {MOST_TIMES}")
        self._keep(parts=tuple(found))

    @property
    def count(self) -> int:
        """How many releases there are in all."""
        return sum(part.times for part in self.parts)

    @property
    def releases(self) -> list[Release]:
        """What each part releases."""
        return [part.release for part in self.parts]

    def of(self, releases: Iterable[Release]) -> ComposedReleases:
        """Return as many of other releases."""
        both = zip(releases, self.parts, strict=True)
        return ComposedReleases([(release, part.times) for release, part in both])

    @property
    def noise(self) -> Noise:
        """None that is added to all parts."""
        return NoNoise()

    def notion(self, *, with_priors: bool) -> str:
        """Return the notion between priors."""
        del with_priors
        return PUFFERFISH.notion

    def over(self, laws: Laws) -> Laws:
        """Return the laws as each part takes its own."""
        return together([
            part.release.over(own) for part, own in zip(self.parts, self.apart(laws), strict=True)
        ])  # fmt: skip

    def apart(self, laws: Laws) -> list[Laws]:
        """Return the laws of each part."""
        return [
            {belief: OfOnePart(table, k) for belief, table in laws.items()}
            for k in range(len(self.parts))
        ]

    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        """Refuse: the inputs of one part are not those of another."""
        raise InputError(f"notion: {protection.notion} is not for several parts, expected distp")

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError for any notion but that of priors with one epsilon."""
        if protection != PUFFERFISH:
            raise InputError(
                f"notion: {protection.notion} is not for several parts, expected distp"
            )

    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Raise InputError naming the part whose release is not meant for its priors."""
        asked = list(pairs)
        for k, (part, own) in enumerate(zip(self.parts, self.apart(beliefs), strict=True)):
            with told_at(f"{place(k)}: "):
                part.release.check_priors(own, asked)

    def released(self, *, bare: bool) -> str:
        """Return what each part is taken to be."""
        del bare  # of each part its own noise says it
        return "; ".join(f"{word(k)}: {text}" for k, text in enumerate(self._assumed()))

    def _assumed(self) -> list[str]:
        return [
            ", ".join(part.release.assumed(bare=part.release.noise.adds_nothing))
            for part in self.parts
        ]

    def assumed(self, *, bare: bool) -> list[str]:
        """Return what each part is taken to be, and how many of them there are."""
        return [self.released(bare=bare), self.several]

    @property
    def several(self) -> str:
        """How many releases there are of each part, in words."""
        times = [f"{part.times} of {word(k)}" for k, part in enumerate(self.parts)]
        more = f" and {len(times) - _SHOWN} more parts" if len(times) > _SHOWN else ""
        return (
            f"{self.count} release{'s' if self.count > 1 else ''}, each of its own draw given the "
            f"secret ({', '.join(times[:_SHOWN])}{more})"
        )

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return the keys of each part, and how many times."""
        del protection
        return {PARTS: [
            {**({TIMES: part.times} if part.times > 1 else {}), **part.release.tables(PUFFERFISH)}
            for part in self.parts
        ]}  # fmt: skip

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return the same in the one form of a digest."""
        del protection
        return {PARTS: [
            {TIMES: str(part.times), **part.release.canonical_tables(PUFFERFISH)}
            for part in self.parts
        ]}  # fmt: skip

    def key(self) -> object:
        """Return the parts' keys, and how many times."""
        return tuple((part.release.kind, part.release.key(), part.times) for part in self.parts)

    def resolved(self, laws: Laws, *, single: bool) -> tuple[Release, Laws]:
        """Return what is decided in place of each part, with its laws."""
        found = [
            part.release.resolved(own, single=single)
            for part, own in zip(self.parts, self.apart(laws), strict=True)
        ]
        return self.of([release for release, _ in found]), together([own for _, own in found])

    def require_scale(self, what: str) -> NoReturn:
        """Refuse: each part has its own."""
        raise InputError(
            f"{what}: the problem has several parts, and no one scale; certify and loss decide it"
        )

    def with_scale(self, scale: AnyNumber) -> NoReturn:
        """Refuse: each part has its own."""
        del scale
        self.require_scale("scale")

    def __repr__(self) -> str:
        return f"ComposedReleases({[tuple(part) for part in self.parts]!r})"


def place(part: int) -> str:
    """Return the place of a part in a file.

    Example: ``place(0)`` is ``"parts[0]"``.
    """
    return f"{PARTS}[{part}]"


def word(part: int) -> str:
    """Return what a part is called in words, and in certificates.

    Example: ``word(0)`` is ``"part 1"``.
    """
    return f"{WORD} {part + 1}"


def _checked(k: int, release: object, times: object) -> Told:
    if not isinstance(release, Release) or isinstance(release, ComposedReleases):
        raise InputError(f"{place(k)}: expected noise or a channel, got {type(release).__name__}")
    if type(times) is not int or not 1 <= times <= MOST_TIMES:
        raise InputError(
            f"{place(k)}.{TIMES}: {shorten(times)!r} is no integer from 1 to {MOST_TIMES}"
        )
    with told_at(f"{place(k)}: "):
        release.noise.stated_scale()
        check_together(release.noise)
    return Told(release, times)


class OfOnePart(BySecret):
    """Secret -> law of one of several parts."""

    def __init__(self, laws: Mapping[str, Prior], part: int) -> None:
        super().__init__(laws)
        self._laws, self._part = laws, part

    def __getitem__(self, name: str) -> Prior:
        law = self._laws[name]
        if not isinstance(law, OfParts):
            raise InputError(f"prior of {shorten(name)!r}: expected a law for each part")
        return law.laws[self._part]


class OfAllParts(BySecret):
    """Secret -> the laws of all parts."""

    def __init__(self, tables: Sequence[Mapping[str, Prior]]) -> None:
        super().__init__(tables[0])
        self._made = lru_cache(maxsize=_KEPT)(lambda name: OfParts([of[name] for of in tables]))

    def __getitem__(self, name: str) -> Prior:
        return self._made(name)


def together(laws: Sequence[Laws]) -> Laws:
    """Return the laws of several parts as one for each belief and secret of the first.

    Example: ``together([{"b": {"s": Discrete({0: 1})}}])["b"]["s"].kind`` is ``"parts"``.
    """
    return {belief: OfAllParts([of[belief] for of in laws]) for belief in laws[0]}
