"""Measurements as OpenDP has them: the steps that are drawn for two inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

from pfverify.bridges.keys_step import KeysStep
from pfverify.bridges.opendp_data import (
    TOP,
    AnswerDomain,
    AtomDomain,
    Data,
    MovedNumber,
    Pair,
    Space,
    bounds_of,
    check_fits,
    space_of,
    transformation_of,
)
from pfverify.bridges.opendp_json import FLOATS, Built, binary, built, read_as, scale_of
from pfverify.bridges.opendp_keys import ThresholdedKeys
from pfverify.bridges.steps import AnswerStep, NoisyStep, Step, moved
from pfverify.errors import InputError, shorten

_LAWS = {"max_divergence": "laplace", "zero_concentrated_divergence": "gaussian"}
_ROUNDS_UP = (0, 14)  # from this version on a tie between two multiples of 2**k goes up


class DrawnStep(NamedTuple):
    """A step that is drawn for a pair of inputs, and which data are its hardest pair."""

    step: Step
    hardest: Data


class ReadMeasurement(NamedTuple):
    """A measurement of a space: the steps that are drawn for a pair in it."""

    source: Space
    of: Callable[[Any], list[DrawnStep]]


def measured_of(value: object) -> ReadMeasurement:
    """Return the measurement that a tree states; InputError for one that is not known."""
    return read_as(value, "measurement", _MEASUREMENTS)


def _laplace(found: Built) -> ReadMeasurement:
    options = found.taken("input_domain input_metric scale", "k MO")
    return _noise(found, "laplace", _of_measure(options, "MaxDivergence"))


def _gaussian(found: Built) -> ReadMeasurement:
    options = found.taken("input_domain input_metric scale", "k MO")
    return _noise(found, "gaussian", _of_measure(options, "ZeroConcentratedDivergence"))


def _by_measure(found: Built) -> ReadMeasurement:
    options = found.taken("input_domain input_metric output_measure scale", "k")
    return _noise(found, _law_of(options["output_measure"]), options)


def _law_of(measure: object) -> str:
    """The noise that OpenDP draws for a measure."""
    found = built(measure, "output_measure")
    if found.name not in _LAWS:
        found.refused("measure", _LAWS)
    found.taken("")
    return _LAWS[found.name]


def _laplace_threshold(found: Built) -> ReadMeasurement:
    options = found.taken("input_domain input_metric scale threshold", "k MO")
    return _threshold("laplace", _of_measure(options, "Approximate<MaxDivergence>"))


def _gaussian_threshold(found: Built) -> ReadMeasurement:
    options = found.taken("input_domain input_metric scale threshold", "k MO")
    return _threshold("gaussian", _of_measure(options, "Approximate<ZeroConcentratedDivergence>"))


def _threshold_by_measure(found: Built) -> ReadMeasurement:
    options = found.taken("input_domain input_metric output_measure scale threshold", "k")
    measure = built(options["output_measure"], "output_measure")
    if measure.name != "approximate":
        measure.refused("measure", {"approximate": None})
    return _threshold(_law_of(measure.taken("measure")["measure"]), options)


def _threshold(law: str, options: Mapping[str, Any]) -> ReadMeasurement:
    kept = ThresholdedKeys(space_of(options), law, options)
    return ReadMeasurement(kept.space, lambda pair: [DrawnStep(kept.step(pair), None)])


def _of_measure(options: Mapping[str, Any], measure: str) -> Mapping[str, Any]:
    if options["MO"] not in (None, measure):
        raise InputError(f"MO: {shorten(options['MO'])} is not known, expected {measure}")
    return options


def _noise(found: Built, law: str, options: Mapping[str, Any]) -> ReadMeasurement:
    space = space_of(options)
    atoms = _numbers(space, found.name)
    scale, k = scale_of(options), options["k"]
    size = scale if law == "laplace" else scale**2
    on_line = NoisyStep(law, size, moved(0), moved(0))
    on_lattice = replace(on_line, noise=f"discrete-{law}")
    if atoms.whole and k is not None:
        raise InputError("k: integers have none")
    if k is None or k == FLOATS[atoms.kind][1]:
        plain = on_lattice if atoms.whole else on_line
        return ReadMeasurement(space, lambda pair: [_of_number(plain, pair)])
    step = _granularity(k, atoms, found)

    def of(pair: MovedNumber) -> list[DrawnStep]:
        if pair.start is not None or atoms.bounds is not None:
            raise InputError("k: known where the number itself is the input, without bounds")
        by = _rounded(pair.by, step, atoms)
        hardest = pair.hardest if by == pair.by else frozenset({k})
        return [_of_number(replace(on_lattice, step=step), MovedNumber(None, by, hardest))]

    return ReadMeasurement(space, of)


def _of_number(noisy: NoisyStep, pair: MovedNumber) -> DrawnStep:
    return DrawnStep(replace(noisy, present=moved(abs(pair.by))), pair.hardest)


def _granularity(k: object, atoms: AtomDomain, found: Built) -> Fraction:
    """The lattice of 2**k on which OpenDP draws: it takes the nearest multiple of each number."""
    least = FLOATS[atoms.kind][1]
    if isinstance(k, bool) or not isinstance(k, int) or not least < k <= -least:
        raise InputError(f"k: {shorten(k)} is no whole number from {least} to {-least}")
    version = [int(part) for part in found.version.split(".")[:2] if part.isdecimal()]
    if (*version,) < _ROUNDS_UP:
        raise InputError(
            f"k: known as of OpenDP 0.14, this is of version {shorten(found.version) or 'none'}"
        )
    return Fraction(2) ** k


def _rounded(by: Fraction, step: Fraction, atoms: AtomDomain) -> Fraction:
    """The furthest that two floats at most `by` apart may be after both are rounded.

    Of a multiple of `step` these are 0 and `by`. Else, as ties go up, there are n multiples from
    just below the tie step/2 to the tie (2n - 1) step/2, and never more, where n is the least with
    by <= n step. The first is `gap` below its tie, and the second has to be a float.
    """
    digits, least = FLOATS[atoms.kind]
    multiples = Fraction(-(-by // step))
    gap = max(step / 2 ** (digits + 1), Fraction(2) ** least)
    if multiples * step == by:
        return by
    if 2 * multiples >= 2**digits or by - (multiples - 1) * step < gap:
        raise InputError("k: it is not known which floats are furthest apart at this d_in")
    return multiples * step


def _geometric(found: Built) -> ReadMeasurement:
    options = found.taken("input_domain input_metric scale", "bounds MO")
    space = space_of(_of_measure(options, "MaxDivergence"))
    atoms = _numbers(space, found.name)
    if not atoms.whole:
        raise InputError(f"{found.name}: {atoms.kind} is no type of integers")
    noisy = NoisyStep("discrete-laplace", scale_of(options), moved(0), moved(0))
    if options["bounds"] is None:
        return ReadMeasurement(space, lambda pair: [_of_number(noisy, pair)])
    low, high = bounds_of(options["bounds"], atoms.kind)
    return ReadMeasurement(space, lambda pair: [_clamped(noisy, pair, low, high, atoms)])


def _clamped(
    noisy: NoisyStep, pair: MovedNumber, low: Fraction, high: Fraction, atoms: AtomDomain
) -> DrawnStep:
    """Both the number and what is published are clamped to the same bounds."""
    start, by, hardest = pair.start, pair.by, pair.hardest
    if start is None:
        free = (low, high) if atoms.bounds is None else atoms.bounds
        start, end = (min(max(x, low), high) for x in free)
        by, hardest = min(by, end - start), frozenset({(low, high)})
    elif hardest is not None:
        hardest = hardest & {TOP} or hardest  # the one that `by` is of
    first, last = sorted((start, start + by))
    if not low <= first <= last <= high:
        raise InputError(
            f"bounds: it is not known which data are hardest to tell apart in [{low}, {high}]"
        )
    present, absent = moved(start + by), moved(start)
    drawn = replace(noisy, present=present, absent=absent, within=(low, high))
    return DrawnStep(drawn, hardest)


def _response_of_two(found: Built) -> ReadMeasurement:
    options = found.taken("prob", "constant_time")
    if options["constant_time"] not in (None, False, True):
        raise InputError(f"constant_time: {shorten(options['constant_time'])} is no truth value")
    return _response(frozenset({"false", "true"}), options["prob"])


def _response_of_many(found: Built) -> ReadMeasurement:
    options = found.taken("categories prob", "T")
    names = options["categories"]
    if not isinstance(names, list) or not all(type(name) in (str, int) for name in names):
        raise InputError("categories: expected a list of texts, or of integers")
    if len({*map(type, names)}) > 1 or len({*names}) < len(names):
        raise InputError("categories: expected each once, all of one type")
    if len(names) < 2:
        raise InputError("categories: expected at least two")
    return _response(frozenset(names), options["prob"])


def _response(names: frozenset[str | int], prob: object) -> ReadMeasurement:
    """The true answer with a chance, and each other one with the same part of the rest.

    Who has an answer that is none of them is told apart less, at every epsilon >= 0.
    """
    count = len(names)
    true = binary(prob, "prob")
    if not Fraction(1, count) <= true <= 1:
        raise InputError(f"prob: {shorten(prob)} is outside [1/{count}, 1]")
    other = (1 - true) / (count - 1)
    rest = (count - 2) * other
    told, swapped = (true, other, rest), (other, true, rest)
    step = AnswerStep(told, swapped) if count > 2 else AnswerStep(told[:2], swapped[:2])
    same = replace(step, absent=step.present)
    space = Space(AnswerDomain(names))
    return ReadMeasurement(space, lambda pair: [DrawnStep(step if pair.whether else same, None)])


def _chain_to_measurement(found: Built) -> ReadMeasurement:
    options = found.taken("measurement1 transformation0")
    measured = measured_of(options["measurement1"])
    first = transformation_of(options["transformation0"])
    check_fits(found, first.target, measured.source)
    return ReadMeasurement(first.source, lambda pair: measured.of(first.of(pair)))


def _joined(first: Data, second: Data) -> Data:
    """The data that are the hardest pair of both; InputError where there is none for sure."""
    if first is None or second is None:
        return second if first is None else first
    both = first & second
    if not both:
        raise InputError(
            "make_composition: no pair of inputs is known that is the hardest of all parts: "
            "expected bounds, and k, that do not differ so"
        )
    return both


def _numbers(space: Space, by: str) -> AtomDomain:
    if not isinstance(space.domain, AtomDomain):
        raise InputError(f"{by}: a vector is not known, expected one number")
    return space.domain


def _composition(found: Built) -> ReadMeasurement:
    listed = found.taken("measurements")["measurements"]
    if not isinstance(listed, list) or not listed:
        raise InputError(f"{found.name}: expected a list of measurements")
    parts = [measured_of(one) for one in listed]
    for part in parts[1:]:
        if part.source != parts[0].source:
            raise InputError(f"{found.name}: its measurements are not of one input")
    return ReadMeasurement(parts[0].source, lambda pair: _together(parts, pair))


def _together(parts: Sequence[ReadMeasurement], pair: Pair) -> list[DrawnStep]:
    drawn = [one for part in parts for one in part.of(pair)]
    if any(isinstance(one.step, KeysStep) for one in drawn):
        raise InputError("make_composition: a threshold is known where it is not part of another")
    hardest = reduce(_joined, [one.hardest for one in _telling(drawn)], None)
    return [one._replace(hardest=hardest) for one in drawn]


def _telling(drawn: Sequence[DrawnStep]) -> Iterator[DrawnStep]:
    """Those whose laws differ."""
    return (one for one in drawn if one.step.present != one.step.absent)


def _same_law(found: Built) -> ReadMeasurement:
    """Another measure of the same measurement."""
    options = found.taken("measurement", "delta")
    return measured_of(options["measurement"])


_MEASUREMENTS: Mapping[tuple[str, str], Callable[[Built], ReadMeasurement]] = {
    ("measurements", "make_laplace"): _laplace,
    ("measurements", "make_gaussian"): _gaussian,
    ("measurements", "make_noise"): _by_measure,
    ("measurements", "make_geometric"): _geometric,
    ("measurements", "make_laplace_threshold"): _laplace_threshold,
    ("measurements", "make_gaussian_threshold"): _gaussian_threshold,
    ("measurements", "make_noise_threshold"): _threshold_by_measure,
    ("measurements", "make_randomized_response_bool"): _response_of_two,
    ("measurements", "make_randomized_response"): _response_of_many,
    ("combinators", "make_chain_mt"): _chain_to_measurement,
    ("combinators", "make_composition"): _composition,
    ("combinators", "make_basic_composition"): _composition,
    ("combinators", "make_approximate"): _same_law,
    ("combinators", "make_pureDP_to_zCDP"): _same_law,
    ("combinators", "make_zCDP_to_approxDP"): _same_law,
    ("combinators", "make_fix_delta"): _same_law,
}
