"""Noise on several numbers at once, of which each has its own scale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import Number
from pfverify.exact.simplify import simple_text
from pfverify.model.noises.scale import positive_scale
from pfverify.model.priors.joint import Joint
from pfverify.model.protection import Protection
from pfverify.model.releases.of_noise import OfNoise, checked_noise
from pfverify.model.releases.release import Laws, Noise, Release

_SHOWN = 6  # scales of a list


class Coordinates(OfNoise):
    """Independent noise of one kind on every coordinate of X, each at its own scale.

    Attributes: `scales`, one per coordinate, > 0 (of gaussian noise sigmas), and `each`, the noise
    of every coordinate. The scale of the release is the first of them; at another one all keep
    their ratios. Raises InputError naming the coordinate, and for noise
    that is not by coordinate.
    Example: ``Coordinates(Laplace(), ["3", "2"]).with_scale(6).scales[1].text`` is ``"4"``.
    Source: design facts F42 and F44.
    """

    kind = "coordinates"
    additive = True
    each: tuple[Noise, ...]
    scales: tuple[Number, ...]

    def __init__(self, noise: Noise, scales: Sequence[AnyNumber]) -> None:
        if not checked_noise(noise, "Coordinates").by_coordinate:
            raise InputError(
                f"scale: {noise.kind} noise has one scale, a list is for laplace, "
                "discrete-laplace, gaussian and discrete-gaussian noise on joint priors"
            )
        if not scales:
            raise InputError("scale: the list is empty, expected a scale for every coordinate")
        found = [positive_scale(s, f"scale {k}") for k, s in enumerate(scales, 1)]
        self._keep_each([noise.with_scale(scale) for scale in found])

    def _keep_each(self, each: Sequence[Noise]) -> None:
        scales = tuple(noise.stated_scale() for noise in each)
        self._keep(_noise=each[0], each=tuple(each), scales=scales, more_scale=_more(each[0]))

    def over(self, laws: Laws) -> Laws:
        """Return the laws as they are; InputError unless each has a coordinate for every scale."""
        for table in laws.values():
            for secret, prior in table.items():
                size = len(prior.names) if isinstance(prior, Joint) else 1
                if size != len(self.scales) or not isinstance(prior, Joint):
                    raise InputError(
                        f"noise.scale: {len(self.scales)} scales, and the prior of "
                        f"{shorten(secret)!r} is of {size} number{'s' if size > 1 else ''}"
                    )
        return self._noise.over(laws)

    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Raise InputError where the points do not lie on the lattice of the noise."""
        self._noise.check_priors(beliefs, pairs)

    def released(self, *, bare: bool) -> str:
        """Return how ideal the noise is."""
        return self._noise.released(bare=bare)

    @property
    def several(self) -> str:
        """The scales."""
        scales = ", ".join(shorten(scale.text, 24) for scale in self.scales)
        return f"scales {scales} by coordinate"

    @property
    def whose_scale(self) -> str:
        """That of the first coordinate."""
        return f"of the first coordinate, the others in the ratios {ratios_text(self.ratios)}"

    @property
    def has_one_scale(self) -> bool:
        """Whether the scales are written the same."""
        return len({scale.text for scale in self.scales}) == 1

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise` with a list of scales."""
        return _listed(self._noise.tables(protection), scale=[scale.text for scale in self.scales])

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return the same with the notion where it multiplies epsilon.

        Of noise that is known by its variance there all variances stand in it.
        """
        stated = [noise.canonical() for noise in self.each]
        size = "variance" if "variance" in stated[0] else "scale"
        found = self._noise.canonical_tables(protection)
        return {**found, "noise": {**found["noise"], size: [one[size] for one in stated]}}

    def key(self) -> object:
        """Return the noise's, and the scales."""
        return self._noise.key(), tuple(scale.text for scale in self.scales)

    def with_scale(self, scale: AnyNumber) -> Release:
        """Return the same kind of noise with another first scale, the others in proportion."""
        first = self._noise.with_scale(scale)
        if first.adds_nothing:
            return first
        return self.of(first)

    def of(self, first: Noise) -> Coordinates:
        """Return the noise of which this is that of the first coordinate, the others in proportion.
        """
        found = Coordinates.__new__(Coordinates)
        unit = self._noise.divisor
        found._keep_each([
            first, *(first.with_divisor(first.divisor * (one.divisor / unit))
                     for one in self.each[1:])
        ])  # fmt: skip
        return found

    @property
    def ratios(self) -> list[Number]:
        """What every scale is of the first."""
        return [scale / self.scales[0] for scale in self.scales]

    def __repr__(self) -> str:
        return f"Coordinates({self._noise!r}, {[scale.text for scale in self.scales]!r})"


def ratios_text(ratios: Sequence[Number]) -> str:
    """Return what scales are of the first, in words; of many the first six.

    Example: ``ratios_text([number(1), number("2/3")])`` is ``"1 : 2/3"``.
    """
    values = [ratio if ratio.fraction is None else ratio.fraction for ratio in ratios[:_SHOWN]]
    texts = [simple_text(x) if isinstance(x, Number) else str(x) for x in values]
    return " : ".join([*(shorten(text, 24) for text in texts), *["..."] * (len(ratios) > _SHOWN)])


def _listed(tables: dict[str, Any], scale: Sequence[str]) -> dict[str, Any]:
    """The tables of one noise with a list of scales, which a variance would stand beside."""
    noise = {key: value for key, value in tables["noise"].items() if key != "variance"}
    return {**tables, "noise": {**noise, "scale": scale}}


def _more(noise: Noise) -> str | None:
    """The fact by which more of it is never less private; None for none."""
    return None if noise.more_scale is None else "F44"
