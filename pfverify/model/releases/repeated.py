"""Many releases of one quantity: how many there are, of which noise, and of one draw or of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import Number, number
from pfverify.model.keys import NUMBERS, Key
from pfverify.model.noises.scale import positive_scale
from pfverify.model.priors.joint import Joint
from pfverify.model.protection import Protection
from pfverify.model.releases.coordinates import Coordinates, ratios_text
from pfverify.model.releases.of_noise import OfNoise, checked_noise
from pfverify.model.releases.release import Laws, Noise, Release

SAME, FRESH = "same", "fresh"
MOST_RELEASES = 1_000_000
_ONE = Number.of_rational(1)


class Share(NamedTuple):
    """Releases of one scale: what each is, how many there are, and what each is worth.

    That is 1/scale, of gaussian noise 1/variance, the first being worth 1: what adds up (F40, F41).
    """

    release: Noise | Coordinates
    times: int
    worth: Number


class Several(OfNoise):
    """Many releases of one quantity, which stand beside `one` release that is the last word.

    `collapsed` is one release of the same kind. What is proved private of it is proved of them
    all; where `exact_at` a target, the two have the same verdict.
    """

    more_scale = "F2"
    additive = True
    one: Noise | Coordinates

    @property
    def collapses(self) -> bool:
        """Whether many releases of one X are worth one of the kind."""
        return self.noise.adds_up is not None

    @property
    def collapsed(self) -> Release:
        """The one release that they are worth; InputError where `collapses` is not so."""
        raise NotImplementedError(f"{type(self).__name__} collapses to nothing")

    def over(self, laws: Laws) -> Laws:
        """Return the laws as one release takes them."""
        return self.one.over(laws)

    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Raise InputError where one release is not meant for these priors."""
        self.one.check_priors(beliefs, pairs)

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise` with what is said of the releases."""
        return self._told(self.one.tables(protection), canonical=False)

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return the same with the notion where it multiplies epsilon."""
        return self._told(self.one.canonical_tables(protection), canonical=True)

    def _told(self, tables: dict[str, Any], *, canonical: bool) -> dict[str, Any]:
        stated, said = tables["noise"], self._said(canonical=canonical)
        if "releases" not in said:  # the scales are told there
            keys = {"scale", "variance"} & stated.keys()
            stated = {k: v for k, v in stated.items() if k not in keys}
            stated |= dict.fromkeys(keys) if canonical else {}
        return {**tables, "noise": {**stated, **said}}

    def _said(self, *, canonical: bool) -> dict[str, Any]:
        """What a table `noise` says of the releases."""
        raise NotImplementedError(f"{type(self).__name__} is in no file")

    def key(self) -> object:
        """Return that of one release, and what is said of them all."""
        return self.one.key(), repr(self._said(canonical=True))

    def assumed(self, *, bare: bool) -> list[str]:
        """Return how ideal the noise is, and how many releases there are."""
        return [self.released(bare=bare), self.several]

    def released(self, *, bare: bool) -> str:
        """Return how ideal the noise is."""
        return self.one.released(bare=bare)

    @property
    def several(self) -> str:
        """How many releases there are, in words."""
        raise NotImplementedError(f"{type(self).__name__} says nothing")


class Repeated(Several):
    """So many releases, each of its own scale, of one draw of X or of as many draws.

    Parameters: `one`, the first release; `count`, how many there are of its scale, or `scales`,
    those of all of them (sigmas of gaussian noise); `draws`, "same" or "fresh".

    Raises InputError naming what was wrong, also for noise of which many releases are not one.
    Example: ``Repeated(Laplace(3), count=10).collapsed`` is ``Laplace('3/10')``.
    Source: design facts F40, F41 and F43.
    """

    kind = "releases"
    draws: str
    shares: tuple[Share, ...]
    _places: tuple[int, ...] | None  # of each release its share, where their scales are listed

    def __init__(
        self,
        one: Noise | Coordinates,
        *,
        count: int | None = None,
        scales: Sequence[AnyNumber] | None = None,
        draws: str = SAME,
    ) -> None:
        of = one.noise if isinstance(one, Coordinates) else checked_noise(one, "Repeated")
        if of.adds_nothing and "scale" not in of.known_keys() and draws != FRESH:
            check_collapses(of, "releases" if scales is None else "scales")
        if draws not in (SAME, FRESH):
            raise InputError(f"draws: {shorten(draws)!r} is unknown, expected same or fresh")
        if scales is None:
            shares, places = [Share(one, _checked_count(count), _ONE)], None
        else:
            if isinstance(one, Coordinates):
                raise InputError("scales: releases of several numbers take `releases`, not a list")
            one, shares, places = _listed(one, scales)
            if count is not None and count != len(places):
                raise InputError(
                    f"releases: {shorten(count)}, and scales has {len(places)} of them"
                )
        self._keep(
            one=one, _noise=one.noise, draws=draws, shares=tuple(shares),
            _places=None if places is None else tuple(places), more_scale=_more(one),
        )  # fmt: skip

    @property
    def count(self) -> int:
        """How many releases there are."""
        return sum(share.times for share in self.shares)

    @property
    def listed(self) -> list[Noise]:
        """The noise of every release, in order."""
        places = [0] * self.count if self._places is None else self._places
        return [self.shares[k].release.noise for k in places]

    @property
    def first_places(self) -> list[int]:
        """The place of the first release of each share, from 0."""
        if self._places is None:
            return [0]
        return [self._places.index(k) for k in range(len(self.shares))]

    @property
    def fresh(self) -> bool:
        """Whether each release is of its own draw."""
        return self.draws == FRESH

    @cached_property
    def worth(self) -> Number:
        """What all releases are worth together, the first being worth 1: k of one scale k."""
        total = Number.of_rational(0)
        for share in self.shares:
            total = total + share.worth * Number.of_rational(share.times)
        return total

    @property
    def scale_worth(self) -> Number:
        """How many times the scale of one release they all need, the first being of scale 1."""
        return self.worth.sqrt() if self._noise.squares else self.worth

    @property
    def collapsed(self) -> Release:
        """One release at 1/scale = sum 1/scale_i, of gaussian noise 1/variance = sum 1/variance_i.

        Of one draw only. Source: design facts F40 and F41.
        """
        check_collapses(self.noise, "releases")
        return _worth(self.one, self.worth)

    def over(self, laws: Laws) -> Laws:
        """Return the laws as one release takes them; InputError for vectors drawn anew."""
        joint = [s for of in laws.values() for s, law in of.items() if isinstance(law, Joint)]
        if joint and (self.fresh or self._places is not None):
            what = "draws: fresh" if self.fresh else "scales: a list"
            raise InputError(
                f"{what} beside the joint prior of {shorten(joint[0])!r} has no rule; expected "
                "releases = K of one draw"
            )
        return super().over(laws)

    @property
    def decided_output(self) -> str | None:
        """Every release, or their mean; None of fresh draws, of which no release stands for all."""
        if self.fresh or self.count == 1:
            return None
        if self._noise.squares and not self._noise.adds_nothing:
            weighted = ", weighted by 1/variance" if len(self.shares) > 1 else ""
            return f"the mean of the releases{weighted}"
        return "every release"

    def with_scale(self, scale: AnyNumber) -> Repeated:
        """Return as many releases with another first scale, the others in proportion."""
        one = self.one.with_scale(scale)
        if not isinstance(one, Noise | Coordinates):
            raise InputError("scale: expected noise at another scale")
        return self.of(one)

    @property
    def each(self) -> Iterator[Release]:
        """Every release, in order."""
        places = [0] * self.count if self._places is None else self._places
        return (self.shares[k].release for k in places)

    def of(self, one: Noise | Coordinates) -> Repeated:
        """Return as many releases of which this is the first, the others in proportion."""
        found = Repeated.__new__(Repeated)
        shares = tuple(
            Share(_worth(one, share.worth), share.times, share.worth) for share in self.shares
        )
        found._keep(
            one=one, _noise=one.noise, draws=self.draws, shares=shares, _places=self._places,
            more_scale=_more(one),
        )
        return found

    def _said(self, *, canonical: bool) -> dict[str, Any]:
        draws = {"draws": self.draws}
        if self._places is None:
            count = self.shares[0].times
            return {"releases": str(count) if canonical else count, **draws}
        noises = [share.release.noise for share in self.shares]
        texts = [(one.divisor if canonical else one.stated_scale()).text for one in noises]
        return {"scales": [texts[k] for k in self._places], **draws}

    @property
    def several(self) -> str:
        """How many releases there are, and of how many draws."""
        of = "each of its own draw of X" if self.fresh else "all of one X"
        if self._places is None:
            what = "" if self.one.several is None else f" of {self.one.several}"
            return f"{self.count} release{'s' if self.count > 1 else ''}{what}, {of}"
        texts = [shorten(x, 16) for x in self._said(canonical=False)["scales"]]
        shown = ", ".join(texts[:6]) + (", ..." if texts[6:] else "")
        return f"{self.count} releases of the scales {shown}, {of}"

    @property
    def whose_scale(self) -> str:
        """That of every release, or of the first where they are listed."""
        of = "each of its own draw of X" if self.fresh else "all of one X"
        if self._places is None:
            each = "" if self.one.whose_scale is None else f"{self.one.whose_scale}; "
            return f"{each}of each of {self.count} releases, {of}"
        worth = [self.shares[k].worth for k in self._places]
        ratios = [(_ONE / one).sqrt() if self._noise.squares else _ONE / one for one in worth]
        return (
            f"of the first of {self.count} releases, the others in the ratios "
            f"{ratios_text(ratios)}, {of}"
        )

    @property
    def has_one_scale(self) -> bool:
        """Whether all releases are of one scale, and all coordinates in them."""
        return len(self.shares) == 1 and self.one.has_one_scale

    def __repr__(self) -> str:
        return f"Repeated({self.one!r}, {self._said(canonical=False)!r})"


class Budget(Several):
    """Releases of one X whose scales may depend on what came out, within a total that is promised.

    The total is the sum of 1/scale_i (of gaussian noise 1/variance_i, of discrete Laplace noise
    step/scale_i) on every path. Any such releases are made of one at that total, which is one of
    them: the verdict is on the worst way to spend it. Raises InputError unless the total is > 0,
    and as `Repeated` for other noise.
    Example: ``Budget(Laplace(), "6/5").collapsed`` is ``Laplace('5/6')``.
    Source: design facts F40 and F41.
    """

    kind = "total"
    total: Number | None

    def __init__(self, one: Noise, total: AnyNumber | None) -> None:
        check_collapses(checked_noise(one, "Budget"), "total")
        found = None if total is None else positive_scale(total, "total")
        if found is not None:
            one = _spending(one, found)
        self._keep(one=one, _noise=one, total=found)

    @property
    def collapsed(self) -> Release:
        """The one release at the total."""
        return self.one

    @property
    def decided_output(self) -> str:
        """That of one release, which is one of the ways."""
        return "one release that spends the whole total"

    def with_scale(self, scale: AnyNumber) -> Release:
        """Return the same at the total of one release of this scale."""
        one = self._noise.with_scale(scale)
        if one.adds_nothing:
            return one
        return Budget(self._noise, _unit(one) / one.divisor)

    def _said(self, *, canonical: bool) -> dict[str, Any]:
        del canonical
        return {} if self.total is None else {"total": self.total.text}

    @property
    def several(self) -> str:
        """What is promised."""
        each = self._noise.adds_up
        total = "the total" if self.total is None else shorten(self.total.text, 24)
        return f"any releases of one X whose {each} sum to at most {total} on every path"

    @property
    def whose_scale(self) -> str:
        """That of the one release."""
        return "of the one release that all of them are worth, at the total"

    @property
    def has_one_scale(self) -> bool:
        """No: the scales are chosen on the way."""
        return False

    def __repr__(self) -> str:
        total = None if self.total is None else self.total.text
        return f"Budget({self._noise!r}, {total!r})"


AnyNoise = Noise | Coordinates | Repeated | Budget
"""Noise on one number or on several, once or many times."""


def read_several(table: Mapping[str, Any], read: Any) -> Release:
    """Return the release of a table `noise` that says more than one number's noise, else None.

    `read` reads the table of noise alone. Raises InputError naming the key.
    """
    names = [key.name for key in KEYS]
    told = {key: table[key] for key in names if key in table}
    rest = {key: value for key, value in table.items() if key not in names}
    vector = isinstance(rest.get("scale"), list)
    for key in ("total", "scales"):
        if key in told and (sized := {"scale", "variance"} & rest.keys()):
            raise InputError(f"noise.{key}: it stands in place of {' and '.join(sorted(sized))}")
    try:
        noise: Noise = read({k: v for k, v in rest.items() if not (vector and k == "scale")})
        one = Coordinates(noise, rest["scale"]) if vector else noise
        if "total" in told:
            if extra := [key for key in told if key != "total"]:
                raise InputError(f"total: it says all of the releases, expected no {extra[0]}")
            return Budget(noise, told["total"])
        if not told:
            return one
        if not {"releases", "scales"} & told.keys():
            raise InputError("draws: of how many releases? expected releases or scales beside it")
        if noise.adds_nothing and "scale" not in noise.known_keys():  # no file states so many draws
            check_collapses(noise, next(iter(told)))
        return Repeated(
            one, count=_count_of(told.get("releases")), scales=told.get("scales"),
            draws=told.get("draws", SAME),
        )  # fmt: skip
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith("noise") else f"noise.{text}") from None


KEYS = (
    Key("releases", "how many releases there are, each at this scale"),
    Key("scales", "of as many releases of one X, in place of scale", NUMBERS),
    Key(
        "draws", "whether the releases are of one draw of X (default) or of fresh ones",
        {"enum": [SAME, FRESH]},
    ),
    Key(
        "total",
        "what 1/scale (gaussian: 1/variance; discrete-laplace: step/scale) of adaptive releases "
        "sum to at most, in place of scale",
    ),
)  # fmt: skip
"""Keys of a table `noise` about several releases."""


def check_collapses(noise: Noise, key: str) -> None:
    """Raise InputError, which names the key, for noise of which many releases are not one.

    Example: ``check_collapses(Laplace(1), "releases")`` is None.
    """
    if noise.adds_up is None:
        raise InputError(
            f"{key}: nothing is known of many releases with {noise.kind} noise; expected laplace, "
            "discrete-laplace or gaussian"
        )


def _count_of(value: object) -> int | None:
    if value is None:
        return None
    found = number(value, "releases").fraction
    if found is None or found.denominator != 1:
        raise InputError(f"releases: {shorten(value)} is not a whole number")
    return int(found)


def _checked_count(count: object) -> int:
    if type(count) is not int or not 1 <= count <= MOST_RELEASES:
        raise InputError(
            f"releases: {shorten(count)!r} is not a whole number from 1 to {MOST_RELEASES}"
        )
    return count


def _listed(
    one: Noise, scales: Sequence[AnyNumber]
) -> tuple[Noise, list[Share], list[int]]:
    """The first release, the shares of all, and of each release its share."""
    if not scales or len(scales) > MOST_RELEASES:
        raise InputError(f"scales: {len(scales)} of them, expected 1 to {MOST_RELEASES}")
    values = [positive_scale(s, f"scale {k} of scales") for k, s in enumerate(scales, 1)]
    noises = {value: one.with_scale(value) for value in values}
    counts = Counter(values)  # in order of first appearance
    first = noises[values[0]]
    shares = [
        Share(noises[value], count, first.divisor / noises[value].divisor)
        for value, count in counts.items()
    ]
    places = {value: k for k, value in enumerate(counts)}
    return first, shares, [places[value] for value in values]


def _more(one: Noise | Coordinates) -> str | None:
    """The fact by which more of it is never less private, as of one number; None for none."""
    return None if one.noise.more_scale is None else Several.more_scale


def _worth(one: Noise | Coordinates, worth: Number) -> Noise | Coordinates:
    """Return the release that is worth so many of one."""
    if one.noise.scale is None or worth.fraction == 1:
        return one
    first = one.noise.with_divisor(one.noise.divisor / worth)
    return first if isinstance(one, Noise) else one.of(first)


def _spending(one: Noise, total: Number) -> Noise:
    """One release at a total."""
    if one.squares and total.fraction is None:
        raise InputError(f"total: {shorten(total.text)} is not rational, as 1/variance is")
    return one.with_divisor(_unit(one) / total)


def _unit(one: Noise) -> Number:
    """What over the divisor adds up."""
    return Number.of_rational(one.step or Fraction(1))
