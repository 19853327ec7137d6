"""OpenDP itself: what a measurement of it serializes to, what its map says, and one from a tree."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from pfverify.bridges.opendp_data import Distance
from pfverify.bridges.opendp_json import built, tree_of
from pfverify.errors import InputError, shorten


class MapRefusedError(InputError):
    """A map says nothing at a distance."""


Said = tuple[int | float, int | float]
"""An epsilon and a delta, as a map gives them."""


def is_measurement(value: object) -> bool:
    """Return whether a value is a measurement of OpenDP, which is not imported for this.

    Example: ``is_measurement("{}")`` is False.
    """
    mod = sys.modules.get("opendp.mod")
    return mod is not None and isinstance(value, mod.Measurement)


def tree_of_measurement(measurement: object) -> object:
    """Return the tree of constructors of a measurement, of its text, or of the dict of that.

    Raises InputError for anything else, and without OpenDP for what is not text or dict.
    Example: ``tree_of_measurement("{}")`` is ``{}``.
    """
    if isinstance(measurement, str):
        return tree_of(measurement)
    if isinstance(measurement, Mapping):
        return measurement
    mod = _library(measurement)
    if not isinstance(measurement, mod.Measurement):
        raise InputError(f"measurement: expected one, got {type(measurement).__name__}")
    if not hasattr(mod, "serialize"):
        raise InputError("measurement: OpenDP writes none before 0.13: pip install '.[opendp]'")
    try:
        text = mod.serialize(_plain(measurement, mod.__version__))
    except Exception as error:  # OpenDP raises Exception itself
        raise InputError(f"measurement: OpenDP serializes none: {shorten(error, 200)}") from None
    return tree_of(text)


def _plain(value: Any, version: str) -> Any:
    """A measurement as tables, with names of types as texts: OpenDP writes none but plain ones."""
    if hasattr(value, "__opendp_dict__"):
        return {**_plain(value.__opendp_dict__, version), "__version__": version}
    if isinstance(value, dict):
        return {key: _plain(one, version) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_plain(one, version) for one in value)
    return str(value) if type(value).__name__ == "RuntimeType" else value


def said_by(measurement: Any, d_in: Distance, delta: float | None = None) -> Said:
    """Return the epsilon and the delta that a measurement's own map says at a distance.

    Where its measure is about other divergences, they are those of OpenDP's own conversion at
    `delta`. Raises InputError for what is no measurement, a measure that is not known, a delta
    that is missing or too many; MapRefusedError where the map says nothing.
    Example: ``said_by("{}", 1)`` raises an InputError.
    """
    mod = _library(measurement)
    if not isinstance(measurement, mod.Measurement):
        raise InputError(
            f"measurement: expected one of OpenDP, got {type(measurement).__name__}; a text or "
            "dict has no map: problem_of takes it, with the epsilon that it claims"
        )
    measure = str(measurement.output_measure)
    convert = _CONVERSIONS.get(measure)
    if convert is None:
        known = ", ".join(_CONVERSIONS)
        raise InputError(f"measurement: {shorten(measure)} is not known, expected {known}")
    if convert and delta is None:
        raise InputError(
            f"delta: a {measure} needs a delta, expected delta=, or --delta of the command"
        )
    if not convert and delta is not None:
        raise InputError(f"delta: a {measure} says its delta itself, expected none")
    try:
        for combinator in convert:
            from opendp import combinators

            options = {"delta": delta} if combinator == "make_fix_delta" else {}
            measurement = getattr(combinators, combinator)(measurement, **options)
        said = measurement.map(tuple(d_in) if isinstance(d_in, list) else d_in)
    except Exception as error:  # OpenDP's, and those of its conversions of types
        raise MapRefusedError(f"OpenDP's map: {shorten(error, 200)}") from None
    return said if isinstance(said, tuple) else (said, 0)


def rebuilt(measurement: Any) -> Any:
    """Return a measurement of OpenDP: as it is, or built from a text or dict of it.

    Only constructors that are known are called, and with the features that they need, which stay
    enabled: this is for a process of its own. Raises InputError naming one that is not known.
    Example: ``rebuilt("{}")`` raises "measurement: {} is no constructor of OpenDP".
    """
    if not isinstance(measurement, str | Mapping):
        return measurement
    mod = _library(measurement)
    tree = tree_of_measurement(measurement)
    built(tree, "measurement")
    for one in _dicts(tree):
        if {*one} != {"__tuple__"}:
            found = built(one, "measurement")
            if found.name not in _BUILT.get(found.module, ()):
                found.refused("constructor", dict.fromkeys(_BUILT["measurements"]))
    mod.enable_features("contrib", "floating-point")
    try:
        return mod.deserialize(json.dumps(tree))
    except Exception as error:  # OpenDP's, and what its constructors make of options
        raise InputError(f"measurement: OpenDP builds none: {shorten(error, 200)}") from None


def _library(measurement: object) -> Any:
    try:
        from opendp import mod
    except ModuleNotFoundError as error:
        if error.name != "opendp":
            raise
        raise InputError(
            f"measurement: of a {type(measurement).__name__} OpenDP is needed, which is not "
            "installed: pip install '.[opendp]'; expected a text or dict that it serialized"
        ) from None
    return mod


def _dicts(tree: object) -> Iterator[Mapping[str, Any]]:
    """Each table in a tree, but for the options of a constructor: without recursion, if it is deep.

    OpenDP builds whatever has its marks, so that options with one are told too.
    """
    left = [tree]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left += one
        elif isinstance(one, Mapping):
            yield one
            options = one.get("__kwargs__")
            if isinstance(options, Mapping) and not any(key[:2] == "__" for key in options):
                left += options.values()
            else:
                left += one.values()


_CONVERSIONS: Mapping[str, tuple[str, ...]] = {
    "MaxDivergence": (),
    "Approximate(MaxDivergence)": (),
    "SmoothedMaxDivergence": ("make_fix_delta",),
    "Approximate(SmoothedMaxDivergence)": ("make_fix_delta",),
    "Approximate(ZeroConcentratedDivergence)": ("make_zCDP_to_approxDP", "make_fix_delta"),
    "ZeroConcentratedDivergence": ("make_zCDP_to_approxDP", "make_fix_delta"),
}
_BUILT: Mapping[str, frozenset[str]] = {
    "measurements": frozenset({
        "make_laplace", "make_gaussian", "make_noise", "make_geometric",
        "make_randomized_response_bool", "make_randomized_response",
        "make_noisy_max", "make_report_noisy_max_gumbel",
        "make_laplace_threshold", "make_gaussian_threshold", "make_noise_threshold",
    }),
    "transformations": frozenset(
        {"make_clamp", "make_sum", "make_mean", "make_count", "make_count_by"}
    ),
    "combinators": frozenset({
        "make_chain_mt", "make_chain_tt", "make_composition", "make_basic_composition",
        "make_approximate", "make_pureDP_to_zCDP", "make_zCDP_to_approxDP", "make_fix_delta",
    }),
    "domains": frozenset({"atom_domain", "vector_domain", "map_domain"}),
    "metrics": frozenset({
        "absolute_distance", "linf_distance", "symmetric_distance", "l01inf_distance",
        "l02inf_distance",
    }),
    "measures": frozenset({"approximate", "max_divergence", "zero_concentrated_divergence"}),
    "core": frozenset({"transformation_output_domain", "transformation_output_metric"}),
}  # fmt: skip
