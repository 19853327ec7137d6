"""What a sampler's draws came to: two answers, the events that were tested, what would be seen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended


class SamplerFindings(StrEnum):
    """What the draws say. It has no truth value: compare with `is`."""

    REFUTED = "refuted"
    NOT_REFUTED = "not refuted"

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "SamplerFindings has no truth value: compare it, as in "
            "`found is SamplerFindings.REFUTED`"
        )


@dataclass(frozen=True)
class SecretDraws(NoTruth, ask="read .draws"):
    """How many draws there are of a secret."""

    belief: str
    secret: str
    draws: int


@dataclass(frozen=True)
class TestedEvent(NoTruth, ask="read .refuted"):
    """An event whose exact chance is known, and how often it was drawn.

    `refuted`: "more" or "fewer" draws than its chance explains at the level, else None.
    """

    belief: str
    secret: str
    event: str
    chance: Enclosure
    draws: int
    count: int
    refuted: str | None


@dataclass(frozen=True)
class TestedClaim(NoTruth, ask="read .refuted"):
    """The claim (epsilon, delta) about one event, in one order.

    `count` of `draws` are those of the secret `from_`, `count_to` of `draws_to` those of `to`;
    `delta` is a confidence interval of P(B | from) - e**epsilon P(B | to), `exact` what the exact
    law says, both at least 0, and `seen` the excess over the claimed delta that would have been
    seen, in 99 of 100 runs at least.
    """

    belief: str
    from_: str
    to: str
    event: str
    claimed: Enclosure
    draws: int
    count: int
    draws_to: int
    count_to: int
    delta: Enclosure
    exact: Enclosure
    seen: Extended
    refuted: bool


@dataclass(frozen=True)
class TestedLeak(NoTruth, ask="read .refuted"):
    """An event about the digits of outputs, chosen on one half of the draws, in one order.

    `looked_at`: what of an output; `classes`: how many sets of outputs the event is made of;
    `allowed`: the delta that every event has at most, by the exact law, or by the claim. `count` of
    `draws` are those of the secret `from_` in the other half, `count_to` of `draws_to` those of
    `to`; `delta` as of a `TestedClaim`. What would have been seen of such an event, in 99 of 100
    runs at least: `seen`, an excess over what is allowed; `alone`, its chance given `from_` where
    it has none given `to`.
    """

    belief: str
    from_: str
    to: str
    looked_at: str
    event: str
    classes: int
    allowed: Extended
    draws: int
    count: int
    draws_to: int
    count_to: int
    delta: Enclosure
    seen: Extended
    alone: Extended
    refuted: bool


@dataclass(frozen=True)
class SamplerResult(NoTruth, ask="compare .found"):
    """What was found of a sampler. Attributes are the JSON keys.

    `level`: of all tests together; `tests`: how many one-sided tests it is shared by; `seen`: what
    would have been seen: an event's chance that is off by so much (kind sampler), or an excess over
    the claimed delta (kind release); `leaks`: what the digits of outputs tell. `enough`: how many
    draws of each secret would have shown the `excess` that was asked about, None where none was, or
    a thousand million do not.
    """

    function: str
    kind: str
    signature: str | None
    found: SamplerFindings
    level: Extended
    tests: int
    seed: int | None
    draws: list[SecretDraws]
    events: list[TestedEvent]
    claims: list[TestedClaim]
    leaks: list[TestedLeak]
    seen: Extended
    excess: Extended | None
    enough: int | None
    assumed: list[str]
