"""The steps before and after the noise, by their keys in files: the rest is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar, cast

from pfverify.errors import InputError, shorten
from pfverify.model.choices.stated import choices_schema
from pfverify.model.keys import check_needed
from pfverify.model.steps.lattices import Ceil, Floor, Round
from pfverify.model.steps.limits import Clamp, Threshold, ToBinNumbers, ToBins
from pfverify.model.steps.modulo import Modulo
from pfverify.model.steps.step import AnyStep, PostStep
from pfverify.model.words import check_keys

_S = TypeVar("_S", bound=AnyStep)

STEPS: dict[str, type[PostStep]] = {
    kind.key: kind for kind in (Clamp, Round, Floor, Ceil, Threshold, ToBins, Modulo)
}
"""Those after the noise."""
BEFORE: dict[str, type[AnyStep]] = {
    kind.key: kind for kind in (Clamp, Round, Floor, Ceil, ToBinNumbers, Modulo)
}
"""Those before it, each from a number to a number."""


def steps_of(value: object) -> tuple[PostStep, ...]:
    """Return the steps of a list of tables with one key each, or of steps.

    Raises InputError naming the place, for an order that makes no sense too.
    Example: ``steps_of([{"round": {"to": 1}}])[0].key`` is ``"round"``.
    """
    steps = _listed(value, "post", STEPS)
    for k, step in enumerate(steps):
        if k and steps[k - 1].naming:
            raise InputError(
                f"post[{k}]: {step.key} follows {steps[k - 1].key}, whose outputs have names; "
                f"expected {steps[k - 1].key} as the last step"
            )
    return steps


def steps_before(value: object) -> tuple[AnyStep, ...]:
    """Return the steps of such a list that act on X before the noise; InputError naming the place.

    They may come in any order, as each makes a number of a number.
    Example: ``steps_before([{"clamp": [0, 1]}])[0].key`` is ``"clamp"``.
    """
    return _listed(value, "pre", BEFORE)


def through(steps: Sequence[AnyStep], number: Fraction) -> Fraction:
    """Return what steps before the noise make of a number.

    Example: ``through(steps_before([{"clamp": [0, 1]}]), Fraction(7))`` is ``1``.
    """
    for k, step in enumerate(steps):
        try:
            image = step.apply(number)
        except InputError as error:
            raise InputError(f"pre[{k}].{error}") from None
        if not isinstance(image, Fraction):
            raise InputError(f"pre[{k}]: {step.key} makes no number of {shorten(number, 24)}")
        number = image
    return number


def _listed(value: object, what: str, kinds: Mapping[str, type[_S]]) -> tuple[_S, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise InputError(f"{what}: expected a list of steps, at least one")
    return tuple(_step(entry, f"{what}[{k}]", kinds) for k, entry in enumerate(value))


def _step(entry: object, where: str, kinds: Mapping[str, type[_S]]) -> _S:
    for kind in kinds.values():
        if type(entry) is kind:
            return entry
    if not isinstance(entry, Mapping) or len(entry) != 1:
        raise InputError(f"{where}: expected a table with one of {', '.join(kinds)}")
    ((key, value),) = entry.items()
    check_keys(entry, kinds, f"{where}: ")
    kind = kinds[key]
    if kind.keys and not isinstance(value, Mapping):
        raise InputError(f"{where}.{key}: expected a table, got {shorten(value, 30)!r}")
    check_needed(value, kind.keys, f"{where}.{key}: ")
    try:
        return cast(_S, kind.from_value(value))
    except InputError as error:
        raise InputError(f"{where}.{key}: {error}") from None


def steps_table(steps: Sequence[AnyStep]) -> list[dict[str, Any]]:
    """Return the list that `steps_of`, or `steps_before`, reads as these steps."""
    return [{step.key: step.canonical()} for step in steps]


def steps_schema() -> dict[str, Any]:
    """Return the definitions of `pre` and `post` in the published schema."""
    said = {
        "pre": "what is done to X before the noise is added, in this order; of a system to the sum "
        "or mean itself, not to what each user adds",
        "post": "what is done to the noisy number, or to a channel's output where all its outputs "
        "are numbers, before it is published, in this order; below a threshold the output is the "
        "symbol suppressed; of several numbers also, as the only step, the name of one of them",
    }
    kinds: dict[str, Mapping[str, type[AnyStep]]] = {"pre": BEFORE, "post": STEPS}
    more = {"pre": {}, "post": choices_schema()}
    return {
        key: _schema(kinds[key], more[key]) | {"description": text} for key, text in said.items()
    }


def _schema(kinds: Mapping[str, type[AnyStep]], more: Mapping[str, Any]) -> dict[str, Any]:
    step = {
        "type": "object", "minProperties": 1, "maxProperties": 3, "additionalProperties": False,
        "properties": {
            "coordinate": {"type": "string", "description": "of several numbers, which one"},
            **{key: kind.schema() for key, kind in kinds.items()},
            **more,
        },
    }  # fmt: skip
    return {"type": "array", "minItems": 1, "items": step}
