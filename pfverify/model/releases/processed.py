"""Steps behind several noisy numbers, each of one coordinate, or behind many releases of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.priors.joint import Joint
from pfverify.model.protection import Protection
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.of_noise import OfNoise
from pfverify.model.releases.release import Laws, Noise, Release
from pfverify.model.releases.repeated import Repeated, Several
from pfverify.model.releases.stepped import Stepped
from pfverify.model.steps.kinds import steps_of, steps_table
from pfverify.model.steps.step import PostStep

COORDINATE = "coordinate"
_NAMED = 4  # coordinates with the same steps that are all named


class OneStep(NamedTuple):
    """A step, and the coordinate that it acts on; None: on every release."""

    coordinate: str | None
    step: PostStep


def names_coordinates(post: object) -> bool:
    """Say whether a step of a list names its coordinate.

    Example: ``names_coordinates([{"coordinate": "age", "round": {"to": 1}}])`` is ``True``.
    """
    entries = post if isinstance(post, Sequence) else []
    return any(isinstance(entry, Mapping) and COORDINATE in entry for entry in entries)


class Processed(OfNoise):
    """Noise on several numbers, or many releases, then steps.

    What the noisy numbers promise holds of what the steps make of them. They may promise more, of
    which little is known: a part of the outputs may fail by itself. `of_a_part`: the laws are of a
    part of X, to which anything may be added. Raises InputError naming the step.
    Example: ``Processed(Laplace(1), [{"coordinate": "age", "round": {"to": 1}}]).of("age")[0].key``
    is ``"round"``. Source: post-processing.
    """

    kind = "processed"
    additive = True
    more_scale = None
    before: Noise | Coordinates | Several
    steps: tuple[OneStep, ...]
    of_a_part: bool

    def __init__(self, before: Release, steps: object, *, of_a_part: bool = False) -> None:
        if not isinstance(before, Noise | Coordinates | Several):
            raise InputError(f"post: steps follow noise, not {before.kind}")
        self._keep(before=before, _noise=before.noise, steps=_read(steps), of_a_part=of_a_part)

    def over(self, laws: Laws) -> Laws:
        """Return the laws as they are; InputError for a step without its coordinate."""
        for table in laws.values():
            for secret, law in table.items():
                self._check(secret, law.names if isinstance(law, Joint) else None)
        return self.before.over(laws)

    def _check(self, secret: str, names: Sequence[str] | None) -> None:
        for k, (coordinate, step) in enumerate(self.steps):
            where = f"post[{k}].{COORDINATE}"
            if names is None and coordinate is not None:
                raise InputError(f"{where}: the prior of {shorten(secret)!r} is of one number")
            if names is not None and coordinate not in names:
                what = "missing" if coordinate is None else f"{shorten(coordinate)!r} is unknown"
                raise InputError(
                    f"{where}: {what}, expected which of {', '.join(names)} {step.key} acts on"
                )

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError for distances of inputs, or of laws."""
        super().check_protection(protection)
        if protection.extended:
            raise InputError("notion: with steps after the noise, expected distp")

    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Raise InputError where the noise is not meant for these priors, or there is none."""
        if not self._noise.has_size:
            kind = self._noise.kind
            unscaled = "scale" not in self._noise.known_keys()
            why = f", and noise of kind {kind} has no scale" if unscaled else ""
            raise InputError(f"post: steps {self._behind} need noise of a scale above 0{why}")
        self.before.check_priors(beliefs, pairs)

    def of(self, coordinate: str | None) -> list[PostStep]:
        """Return the steps of a coordinate, or of every release."""
        return [step for name, step in self.steps if name == coordinate]

    def part(self, coordinates: Sequence[str], names: Sequence[str]) -> Release:
        """Return the release of some coordinates: one with its steps, or several without.

        Example: ``Processed(Laplace(1), [{"coordinate": "a", "floor": {"to": 1}}]).part(["b"],
        ["a", "b"])`` is ``Laplace('1')``.
        """
        one = self.before.one if isinstance(self.before, Several) else self.before
        scales = one.scales if isinstance(one, Coordinates) else None
        found: Noise | Coordinates = one.noise
        if scales is not None:
            chosen = [scales[names.index(name)] for name in coordinates]
            found = Coordinates(one.noise, chosen)
            if len(chosen) == 1:
                found = one.noise.with_scale(chosen[0])
        steps = [step for name in coordinates for step in self.of(name)]
        if steps:
            return Stepped(found.noise, steps)
        if isinstance(self.before, Repeated):
            return Repeated(found, count=self.before.count, draws=self.before.draws)
        return found

    def released(self, *, bare: bool) -> str:
        """Return how ideal the noise is, and the steps."""
        return f"{self.before.released(bare=bare)}, then exactly these steps: {self.steps_said}"

    @property
    def steps_said(self) -> str:
        """The steps in words; coordinates that have the same ones are named together."""
        alike: dict[tuple[str, ...], list[str | None]] = {}
        for name in dict.fromkeys(name for name, _ in self.steps):
            alike.setdefault(tuple(step.words for step in self.of(name)), []).append(name)
        return "; ".join(
            f"{_together(names)}{words}" for told, names in alike.items() for words in told
        )

    def assumed(self, *, bare: bool) -> list[str]:
        """Return how ideal the noise is, with the steps, and how many releases there are."""
        return [self.released(bare=bare), *self.before.assumed(bare=bare)[1:]]

    @property
    def several(self) -> str:
        """What is said of the noisy numbers, and that steps follow."""
        before = self.before.several
        return f"{'' if before is None else f'{before}, '}then the steps in post"

    @property
    def decided_output(self) -> str | None:
        """Of which outputs a decision is about that is made before the steps."""
        return self.before.decided_output

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise` and `post`."""
        return {**self.before.tables(protection), "post": self._table()}

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise` and `post`."""
        return {**self.before.canonical_tables(protection), "post": self._table()}

    def _table(self) -> list[dict[str, Any]]:
        return [
            {**({} if name is None else {COORDINATE: name}), **steps_table([step])[0]}
            for name, step in self.steps
        ]

    def key(self) -> object:
        """Return that of what is before the steps, and the steps."""
        return self.before.key(), repr(self._table())

    def require_scale(self, what: str) -> None:
        """Refuse: what is known of a scale is known without the steps."""
        raise InputError(
            f"{what}: {self._behind} nothing more is known of a scale than without the "
            "steps; leave out post: what is private then is private with the steps too"
        )

    @property
    def _behind(self) -> str:
        return "behind a sum with rest = any" if self.of_a_part else "behind several numbers"

    def with_scale(self, scale: AnyNumber) -> Processed:
        """Return the same steps after noise of another scale."""
        return Processed(
            self.before.with_scale(scale), self._table(), of_a_part=self.of_a_part
        )

    def __repr__(self) -> str:
        return f"Processed({self.before!r}, {self._table()!r})"


def _together(names: Sequence[str | None]) -> str:
    """The coordinates that a step acts on; "" where it acts on every release."""
    told = [shorten(name, 24) for name in names if name is not None]
    if len(told) > _NAMED:
        return f"{', '.join(told[:2])}, … ({len(told)}): "
    return f"{', '.join(told)}: " if told else ""


def _read(steps: object) -> tuple[OneStep, ...]:
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not steps:
        raise InputError("post: expected a list of steps, at least one")
    found: list[OneStep] = []
    for k, entry in enumerate(steps):
        name, rest = None, entry
        if isinstance(entry, OneStep):
            name, rest = entry
        elif isinstance(entry, Mapping):
            name = entry.get(COORDINATE)
            rest = {key: value for key, value in entry.items() if key != COORDINATE}
        if name is not None and not isinstance(name, str):
            raise InputError(f"post[{k}].{COORDINATE}: {shorten(name)!r} is not text")
        try:
            (step,) = steps_of([rest])
        except InputError as error:
            raise InputError(str(error).replace("post[0]", f"post[{k}]", 1)) from None
        found.append(OneStep(name, step))
    for name in {name for name, _ in found}:
        steps_of([step for other, step in found if other == name])
    return tuple(found)
