"""The steps after the noise, by their keys in files: the rest is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.steps.lattices import Ceil, Floor, Round
from pfverify.model.steps.limits import Clamp, Threshold, ToBins
from pfverify.model.steps.modulo import Modulo
from pfverify.model.steps.step import PostStep
from pfverify.model.words import check_keys

STEPS: dict[str, type[PostStep]] = {
    kind.key: kind for kind in (Clamp, Round, Floor, Ceil, Threshold, ToBins, Modulo)
}


def steps_of(value: object) -> tuple[PostStep, ...]:
    """Return the steps of a list of tables with one key each, or of steps.

    Raises InputError naming the place, for an order that makes no sense too.
    Example: ``steps_of([{"round": {"to": 1}}])[0].key`` is ``"round"``.
    """
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise InputError("post: expected a list of steps, at least one")
    steps = tuple(_step(entry, f"post[{k}]") for k, entry in enumerate(value))
    for k, step in enumerate(steps):
        if k and steps[k - 1].naming:
            raise InputError(
                f"post[{k}]: {step.key} follows {steps[k - 1].key}, whose outputs have names; "
                f"expected {steps[k - 1].key} as the last step"
            )
        if k and isinstance(step, Modulo):
            raise InputError(f"post[{k}]: modulo follows {steps[k - 1].key}, expected it first")
    return steps


def _step(entry: object, where: str) -> PostStep:
    if isinstance(entry, PostStep) and type(entry) in STEPS.values():
        return entry
    if not isinstance(entry, Mapping) or len(entry) != 1:
        raise InputError(f"{where}: expected a table with one of {', '.join(STEPS)}")
    ((key, value),) = entry.items()
    check_keys(entry, STEPS, f"{where}: ")
    needed = STEPS[key].schema().get("required", ())
    if needed and not isinstance(value, Mapping):
        raise InputError(f"{where}.{key}: expected a table, got {shorten(value, 30)!r}")
    for name in needed:
        if name not in value:
            raise InputError(f"{where}.{key}: missing key {name!r}")
    try:
        return STEPS[key].from_value(value)
    except InputError as error:
        raise InputError(f"{where}.{key}: {error}") from None


def steps_table(steps: Sequence[PostStep]) -> list[dict[str, Any]]:
    """Return the list that `steps_of` reads as these steps."""
    return [{step.key: step.canonical()} for step in steps]


def steps_schema() -> dict[str, Any]:
    """Return the definition of `post` in the published schema."""
    step = {
        "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": False,
        "properties": {key: kind.schema() for key, kind in STEPS.items()},
    }  # fmt: skip
    return {
        "type": "array", "minItems": 1, "items": step,
        "description": "what is done to the noisy number before it is published, in this order; "
        "below a threshold the output is the symbol suppressed",
    }  # fmt: skip
