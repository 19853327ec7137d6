"""OpenDP's noisy maximum: the name of the largest of several noisy scores.

With exponential noise two vectors tell a score best where it is behind all others by as much as
both moves together: by then its chance is exactly e**(2 d_in/scale) times as large after it moved
up, and all others down, as before. No other pair has a larger ratio, since a survival function of
exponential noise falls by at most e**(-z/scale) over a distance of z, and of any two scores the
difference moves by at most 2 d_in (by d_in, where all move alike). So it does for delta = 0, and
for any number of scores. With Gumbel noise the ratio nears that bound and does not reach it, and
of a delta the hardest pair is another one: there the caller states two vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pfverify.bridges.opendp_data import AtomDomain, rows_of
from pfverify.bridges.opendp_json import Built, binary, built, ends, kind_of, typed
from pfverify.bridges.steps import WITH, WITHOUT, above_zero
from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import number
from pfverify.model.noises.exponential import Exponential
from pfverify.model.noises.gumbel import Gumbel
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise

Inputs = tuple[Sequence[AnyNumber | float], Sequence[AnyNumber | float]]
"""Two vectors of scores."""
_Vectors = tuple[Sequence[Fraction], Sequence[Fraction]]
STATE_TWO = "no pair of inputs is its hardest one, expected inputs=(scores, scores) of problem_of"
_EXPONENTIAL_FROM = (0, 14)  # from this version on make_report_noisy_max_gumbel draws no such noise


class NoisyMaximum(NamedTuple):
    """The largest of noisy scores; `size`: how many there are, if that is known; `distance`: the
    type of their distances.

    `monotonic`: scores move all up, or all down; `negate`: the scores are negated first.
    """

    noise: Noise
    atoms: AtomDomain
    size: int | None
    distance: str
    monotonic: bool
    negate: bool

    def hardest(self, d_in: object) -> _Vectors | None:
        """Return the two vectors that are hardest to tell apart for delta = 0; None where none are.

        Raises InputError where it is not known which.
        """
        far = self._far(d_in)
        if not isinstance(self.noise, Exponential):
            raise InputError(f"gumbel noise: {STATE_TWO}")
        if not far or self.size == 1:
            return None
        lead = far if self.monotonic else 2 * far
        low, high = self._ends(lead)
        if low + lead > high:
            raise InputError(f"bounds: so near each other, {STATE_TWO}")
        if self.negate:
            return (high - far, high - far), (high, high - lead)
        return (low + far, low + far), (low, low + lead)

    def _ends(self, lead: Fraction) -> tuple[Fraction, Fraction]:
        """Between which numbers scores may be, near 0 where they may be any."""
        if self.atoms.bounds is not None:
            return self.atoms.bounds
        if self.atoms.whole:
            least, most = ends(self.atoms.kind)
            return Fraction(0 if lead <= most else least), Fraction(most)
        return Fraction(0), lead

    def _far(self, d_in: object) -> Fraction:
        far = binary(d_in, "d_in")
        if far < 0:
            raise InputError(f"d_in: {shorten(d_in)} is negative")
        if typed(d_in, self.distance, "d_in") != far:
            raise InputError(f"d_in: {shorten(d_in)} is no {self.distance}")
        if self.atoms.whole and far.denominator != 1:
            raise InputError(f"d_in: {shorten(d_in)} is no whole number")
        return far

    def problem(
        self, inputs: Inputs, d_in: object, epsilon: AnyNumber, delta: AnyNumber
    ) -> Problem:
        """Return the problem of two vectors; InputError where they are no two at this distance."""
        if not isinstance(inputs, Sequence) or isinstance(inputs, str) or len(inputs) != 2:
            raise InputError("inputs: expected two vectors of scores")
        first, second = (self._scores(scores) for scores in inputs)
        return self._of_two(first, second, d_in, epsilon, delta)

    def hardest_problem(self, d_in: object, epsilon: AnyNumber, delta: AnyNumber) -> Problem | None:
        """Return the problem of the hardest pair for delta = 0; None where nothing is told."""
        found = self.hardest(d_in)
        if number(delta, "delta").fraction != 0:
            raise InputError(f"delta: with one {STATE_TWO}")
        return None if found is None else self._of_two(*found, d_in, epsilon, delta)

    def _of_two(
        self, first: Sequence[Fraction], second: Sequence[Fraction], d_in: object,
        epsilon: AnyNumber, delta: AnyNumber,
    ) -> Problem:  # fmt: skip
        """The problem of two vectors; InputError where they are no two at this distance."""
        if len(first) != len(second):
            raise InputError(f"inputs: {len(first)} and {len(second)} scores, expected as many")
        moves = [a - b for a, b in zip(first, second, strict=True)]
        far = self._far(d_in)
        if max(map(abs, moves)) > far:
            apart = shorten(max(map(abs, moves)))
            raise InputError(f"inputs: a score moves by {apart}, more than d_in = {shorten(d_in)}")
        if self.monotonic and min(moves) < 0 < max(moves):
            raise InputError("inputs: scores move up and down, which a monotonic metric excludes")
        sign = -1 if self.negate else 1
        rows = {name: [sign * x for x in scores]
                for name, scores in ((WITH, first), (WITHOUT, second))}  # fmt: skip
        names = [str(k) for k in range(len(first))]
        return Problem(
            lists={"names": names, "rows": rows}, noise=self.noise, post=[{"select": "argmax"}],
            epsilon=epsilon, delta=delta,
        )  # fmt: skip

    def _scores(self, scores: object) -> list[Fraction]:
        if not isinstance(scores, Sequence) or isinstance(scores, str):
            raise InputError(f"inputs: {shorten(scores)} is no vector of scores")
        if len(scores) < 2 or len(scores) != (self.size or len(scores)):
            wanted = "at least 2" if self.size is None else self.size
            raise InputError(f"inputs: {len(scores)} scores, expected {wanted}")
        found = [typed(x, self.atoms.kind, "inputs") for x in scores]
        if self.atoms.bounds is not None:
            low, high = self.atoms.bounds
            for x in found:
                if not low <= x <= high:
                    raise InputError(f"inputs: {shorten(x)} is outside [{low}, {high}]")
        return found


def states_maximum(value: object) -> bool:
    """Say whether a tree states a noisy maximum.

    Example: ``states_maximum({})`` is ``False``.
    """
    name = value.get("__function__") if isinstance(value, Mapping) else None
    return isinstance(name, str) and name in _MAXIMA


def maximum_of(value: object) -> NoisyMaximum:
    """Return the noisy maximum that a tree states; InputError for anything else."""
    found = built(value, "measurement")
    if found.module != "measurements" or found.name not in _MAXIMA:
        raise InputError(
            f"inputs: {shorten(found.name)} has its own hardest pair, expected none but with "
            f"{' or '.join(_MAXIMA)}"
        )
    return _MAXIMA[found.name](found)


def _maximum(found: Built) -> NoisyMaximum:
    options = found.taken("input_domain input_metric output_measure scale", "negate")
    measure = built(options["output_measure"], "output_measure")
    if measure.name not in _NOISES:
        measure.refused("measure", _NOISES)
    measure.taken("")
    return _of_options(options, _NOISES[measure.name], _truth(options, "negate"))


def _reported(found: Built) -> NoisyMaximum:
    options = found.taken("input_domain input_metric scale", "optimize")
    if (*(int(part) for part in found.version.split(".")[:2] if part.isdecimal()),) < (
        _EXPONENTIAL_FROM
    ):
        version = shorten(found.version) or "none"
        raise InputError(f"{found.name}: known as of OpenDP 0.14, this is of version {version}")
    which = options["optimize"]
    if which not in (None, "max", "min"):
        raise InputError(f"optimize: {shorten(which)} is not known, expected max or min")
    return _of_options(options, Exponential, which == "min")


def _of_options(
    options: Mapping[str, Any], noise: Callable[[Fraction], Noise], negate: bool
) -> NoisyMaximum:
    domain = built(options["input_domain"], "input_domain")
    if domain.name != "vector_domain":
        domain.refused("domain", {"vector_domain": None})
    rows = rows_of(domain)
    rows.atoms.whole  # noqa: B018 (only numbers that are there can be compared)
    metric = built(options["input_metric"], "input_metric")
    if metric.name != "linf_distance":
        metric.refused("metric", {"linf_distance": None})
    stated = metric.taken("T", "monotonic")
    scale = above_zero(binary(options["scale"], "scale"), "scale")
    monotonic, distance = _truth(stated, "monotonic"), kind_of(stated["T"])
    return NoisyMaximum(noise(scale), rows.atoms, rows.size, distance, monotonic, negate)


def _truth(options: Mapping[str, Any], key: str) -> bool:
    if options[key] not in (None, False, True):
        raise InputError(f"{key}: {shorten(options[key])} is no truth value")
    return bool(options[key])


_NOISES: Mapping[str, Callable[[Fraction], Noise]] = {
    "max_divergence": Exponential,
    "zero_concentrated_divergence": Gumbel,
}
_MAXIMA: Mapping[str, Callable[[Built], NoisyMaximum]] = {
    "make_noisy_max": _maximum,
    "make_report_noisy_max_gumbel": _reported,
}
