"""Laws of X after steps that act on it before the noise."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.priors.by_secret import BySecret
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Laws, Release
from pfverify.model.requirement import Requirement
from pfverify.model.sources.families import Families
from pfverify.model.sources.source import Source
from pfverify.model.steps.kinds import steps_before, steps_table, through
from pfverify.model.steps.step import AnyStep

_KEPT = 16  # laws that are kept of those that are worked out when asked for: each may be large


class Prepared(Source):
    """A source whose X goes through steps, in order, before anything is added to it.

    Its laws are those of what comes out: the masses of numbers that become one are summed. Of a
    system the steps act on the sum or mean, not on what each user adds.
    Raises InputError for steps that are none, and a sum of which only one user's part is known.
    Example: ``Prepared(Given.to_one({"a": Discrete({7: 1})}), [{"clamp": [0, 1]}]).steps[0].words``
    is ``"clamp to [0, 1]"``. Source: the law of a function of X.
    """

    _source: Source
    _laws_of: Laws | None  # of X, which the laws were made of

    def __init__(self, source: Source, steps: object) -> None:
        if source.part_alone:
            raise InputError(
                "pre: with rest = any nothing is known of the sum, which the steps act on (a clamp "
                "of a sum is no sum of clamped values); expected rest = known"
            )
        if isinstance(source, Families):
            raise InputError(
                "pre: steps before the noise beside families are not worked out; expected families "
                "of what comes out of the steps"
            )
        if source.numbers:
            raise InputError(
                f"pre: steps act on one number, and X is several: {', '.join(source.numbers)}"
            )
        self._keep(
            _source=source, steps=steps_before(steps), worked_out=source.worked_out,
            unit=source.unit, law_word=source.law_word, partial=source.partial,
            remedy=source.remedy, _laws_of=None,
        )  # fmt: skip

    @property
    def origin(self) -> Source:
        """The source of X itself."""
        return self._source

    def for_release(self, release: Release, required: Requirement) -> Prepared:
        """Return the same with its laws worked out.

        Raises InputError for a distance between the priors, and a law that is not of atoms.
        """
        protection = required.protection
        if protection.extended:
            raise InputError(
                f"notion: {protection.notion} multiplies epsilon by a distance of the priors, "
                "which steps before the noise change; expected distp"
            )
        source = self._source.for_release(release, required)
        if self._laws_of is source.laws:
            return self  # so far for another scale
        found = Prepared(source, self.steps)
        if source.worked_out:
            found._keep(laws={name: _Made(of, self.steps) for name, of in source.laws.items()})
        else:
            laws = {
                name: {secret: _made(secret, law, self.steps) for secret, law in of.items()}
                for name, of in source.laws.items()
            }
            found._keep(laws=laws)
        found._keep(_laws_of=source.laws)
        return found

    def pairs(self, stated: object) -> object:
        """Return the pairs of the source."""
        return self._source.pairs(stated)

    @property
    def names_pairs(self) -> bool:
        """Whether the source says which pairs are compared."""
        return self._source.names_pairs

    def assumed(self) -> list[str]:
        """Return what the source takes for granted, and what is done to X."""
        return [*self._source.assumed(), self._done()]

    def _done(self) -> str:
        steps = "; ".join(step.words for step in self.steps)
        return f"X goes through exactly these steps before the noise: {steps}"

    def stated(self) -> list[tuple[str, str, str]]:
        """Return the laws that the source states, of X before the steps."""
        return self._source.stated()

    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return secret -> law of the value of one record."""
        return self._source.laws_of_records()

    def said(self, *, sized: bool = True) -> str:
        """Return what X is, and what is done to it."""
        return " ".join(filter(None, [self._source.said(sized=sized), f"{self._done()}."]))

    def tables(self) -> dict[str, Any]:
        """Return the keys of the source, and `pre`."""
        return {**self._source.tables(), "pre": steps_table(self.steps)}

    def canonical_tables(self) -> dict[str, Any]:
        """Return those of the source, and `pre`."""
        return {**self._source.canonical_tables(), "pre": steps_table(self.steps)}

    def key(self) -> object:
        """Return the source's, and the steps."""
        return self._source.key(), repr(steps_table(self.steps))


class _Made(BySecret):
    """Laws after the steps, worked out when asked for."""

    def __init__(self, laws: Mapping[str, Prior], steps: tuple[AnyStep, ...]) -> None:
        super().__init__(laws)
        self._made = lru_cache(maxsize=_KEPT)(lambda name: _made(name, laws[name], steps))

    def __getitem__(self, name: str) -> Prior:
        return self._made(name)


def _made(secret: str, law: Prior, steps: tuple[AnyStep, ...]) -> Prior:
    """The law of what steps make of X; InputError naming the secret."""
    with told_at(f"prior of {shorten(secret)!r}: "):
        if isinstance(law, Nothing):
            other = None if law.other is None else _through(law.other, steps)
            return law if other is None else Nothing(other, law.chance)
        if isinstance(law, Discrete):
            return _through(law, steps)
    why = " (a clamp leaves atoms and a density)" if law.has_density else ""
    raise InputError(
        f"prior of {shorten(secret)!r}: steps before the noise take priors of atoms, not of kind "
        f"{law.kind}{why}"
    )


def _through(law: Discrete, steps: tuple[AnyStep, ...]) -> Discrete:
    weights: dict[Fraction | int, int] = {}
    for atom, weight in zip(law.atoms, law.weights, strict=True):
        found = through(steps, atom)
        image = found.numerator if found.denominator == 1 else found  # integers are read fast
        weights[image] = weights.get(image, 0) + weight
    return Discrete(counts=weights)
