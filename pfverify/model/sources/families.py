"""Laws that are any of a family, for some secrets, and given for the others."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.channels.channel import Channel
from pfverify.model.families.confidence import MOST_CHECKED, Confidence, percent
from pfverify.model.families.expanded import WorstOutputs, expanded, of_channel, of_noise
from pfverify.model.families.family import Family, Members, OfFile, Place
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.notion import OfDivergence
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Repeated
from pfverify.model.requirement import Requirement
from pfverify.model.sources.given import Given, checked_tables, prior_tables
from pfverify.model.sources.source import DEFAULT_BELIEF, Source

EVERY = "each belief is any member of the families stated, of every secret independently"
SAMPLE = (
    "the records of every secret are a random sample, independent draws from its law, which has no "
    "value outside the alphabet"
)
UNCERTIFIED = (
    "the kernel works out every confidence interval anew, which of so many records is more work "
    "than it takes on: it does some 3,000,000, of each cell those in it, or outside if fewer"
)


class _Asked(NamedTuple):
    """What the pairs that decide depend on, beside the families."""

    inputs: tuple[str, ...]
    ratio: bool
    release: type[Release]
    step: Fraction | None
    rows: object


class Families(Source):
    """Priors of which some are families: belief -> {secret -> prior or family}.

    Its laws are pairs of members, each pair under a belief of its own: those that decide.
    Raises InputError as `Given`; where confidence regions have different levels; and, once it is
    known what is released, for families that are empty or too large.
    Source: design facts F60, F61 and F62.
    """

    partial = True
    remedy = "; fewer atoms, or fewer secrets in one problem file, are less work"
    stated_laws: Mapping[str, Mapping[str, Prior]]
    _for: _Asked | None  # what the laws were worked out for

    def __init__(self, beliefs: object) -> None:
        tables = checked_tables(beliefs)
        first = next(iter(tables.values()))
        for name, table in tables.items():
            if table.keys() != first.keys():
                raise InputError(
                    f"beliefs: beside families all beliefs name the same secrets, and "
                    f"{shorten(name)!r} does not"
                )
        self._keep(stated_laws=tables, _for=None)

    def for_release(self, release: Release, required: Requirement) -> Families:
        """Return the same with the pairs of members that decide.

        Raises InputError for a notion with a distance between the priors.
        """
        if isinstance(required.notion, OfDivergence):
            raise InputError(
                f"form: families are not decided in the form {required.notion.name}; expected "
                "priors that are given, or the form events"
            )
        if required.protection.extended:
            raise InputError(
                f"notion: {required.protection.notion} multiplies epsilon by a distance of the "
                "priors, which families have not; expected distp"
            )
        if (secrets := next(iter(self.stated_laws.values()))).keys() <= {*[*secrets][:1]}:
            alone = f"only {next(iter(secrets))!r}" if secrets else "none"
            raise InputError(f"priors: {alone}, expected at least two secrets to compare")
        if isinstance(release, Repeated) and release.fresh:
            raise InputError(
                "draws: fresh draws of a family are not worked out: what their extreme laws meet, "
                "averages need not; expected releases of one draw, or one release"
            )
        inputs: tuple[str, ...] = getattr(release, "inputs", ())
        rows = release.rows if isinstance(release, Channel) and release.written_out else ()
        ratio = required.delta.sign() == 0
        asked = _Asked(inputs, ratio, type(release), release.step, rows)
        if self._for == asked:
            return self
        setting = self._setting(inputs)
        outputs = _outputs(release, setting.places) if ratio else None
        members = {
            belief: {s: self._members(s, law, setting) for s, law in table.items()}
            for belief, table in self.stated_laws.items()
        }
        pairs = expanded(members, outputs)
        found = type(self)(self.stated_laws)
        regions = [law for _, _, law in self._all() if isinstance(law, Confidence)]
        large = sum(law.price(setting) for law in regions) > MOST_CHECKED
        found._keep(
            laws=release.over(pairs.laws), ratio_only=pairs.ratio_only, _for=asked,
            uncertified=UNCERTIFIED if large else None,
        )
        return found

    @property
    def _inputs(self) -> tuple[str, ...]:
        """The inputs of the channel that the laws were worked out for, if it is one."""
        return self._for.inputs if self._for else ()

    def _all(self) -> list[tuple[str, str, Prior]]:
        return [(b, s, law) for b, table in self.stated_laws.items() for s, law in table.items()]

    def _setting(self, inputs: tuple[str, ...]) -> OfFile:
        """The atoms of the whole file, and what each confidence interval may fail with."""
        named = bool(inputs)
        places: dict[Place, None] = {}
        for _, secret, law in self._all():
            with told_at(f"prior of {shorten(secret)!r}: "):
                places |= dict.fromkeys(_places(law, named=named))
        if named:
            for place in places:
                if place not in inputs:
                    raise InputError(f"priors: {shorten(place)!r} is no input of the channel")
            ordered: tuple[Place, ...] = tuple(x for x in inputs if x in places)
        else:
            ordered = tuple(sorted(x for x in places if isinstance(x, Fraction)))
        setting = OfFile(named, ordered)
        regions = [law for _, _, law in self._all() if isinstance(law, Confidence)]
        if not regions:
            return setting
        if len({law.level for law in regions}) > 1:
            raise InputError(
                "level: the confidence regions of a file hold jointly, expected one level for all"
            )
        intervals = sum(law.size(setting) for law in regions)
        share = (1 - regions[0].level) / max(intervals, 1)
        return setting._replace(share=share)

    def _members(self, secret: str, law: Prior, setting: OfFile) -> Members:
        if not isinstance(law, Family):
            return Members((), None, [law])
        with told_at(f"prior of {shorten(secret)!r}: "):
            return law.members(setting)

    def corners(self) -> dict[str, list[Prior]]:
        """Return the laws of every secret of which all its others are averages (F61).

        There may be very many: for families of few atoms.
        """
        setting = self._setting(())
        return {secret: self._members(secret, law, setting).extreme()
                for _, secret, law in self._all()}  # fmt: skip

    @property
    def stands_for(self) -> str:
        """All members of the families."""
        return "every member of the families"

    def pairs(self, stated: object) -> object:
        """Return the pairs that the problem states, else every pair of secrets."""
        if stated is not None:
            return stated
        return list(combinations(next(iter(self.stated_laws.values())), 2)) or None

    @property
    def names_pairs(self) -> bool:
        """Families say nothing about pairs."""
        return False

    def estimate(self) -> Given | None:
        """Return the laws that the families are around; None where one is around none."""
        named = bool(self._inputs)
        found: dict[str, dict[str, Prior]] = {}
        for belief, secret, law in self._all():
            one = law.estimate(named=named) if isinstance(law, Family) else law
            if one is None:
                return None
            found.setdefault(belief, {})[secret] = one
        return Given(found)

    def alphabets(self, inputs: tuple[str, ...]) -> dict[str, dict[str, list[str]]]:
        """Return belief -> secret -> where members may have mass: as stated, else all places.

        `inputs` are those of the channel, if there is one.
        """
        every = [str(place) for place in self._setting(inputs).places]
        found: dict[str, dict[str, list[str]]] = {}
        for belief, secret, law in self._all():
            stated: tuple[str, ...] | None = getattr(law, "alphabet", None)
            found.setdefault(belief, {})[secret] = every if stated is None else list(stated)
        return found

    def assumed(self) -> list[str]:
        """Return that every member may be meant, and what confidence regions are worth."""
        words = [EVERY]
        levels = {law.level for _, _, law in self._all() if isinstance(law, Confidence)}
        for level in levels:
            words.append(
                f"with a probability of at least {percent(level)} over the draw of the records the "
                "laws of all secrets lie in their confidence regions, together"
            )
            words.append(SAMPLE)
        return words

    def stated(self) -> list[tuple[str, str, str]]:
        """Return every prior and family."""
        return [(belief, secret, repr(law)) for belief, secret, law in self._all()]

    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return the estimates under the one belief that records give."""
        found = self.estimate()
        return {} if found is None else found.laws.get(DEFAULT_BELIEF, {})

    def said(self, *, sized: bool = True) -> str:
        """Return of which families the laws are any member; `sized`: of how many records."""
        if not sized:
            return "X may have any law of a family; which one is not known."
        told = dict.fromkeys(
            f"{shorten(secret, 40)}: {law.words()}"
            for _, secret, law in self._all() if isinstance(law, Family)
        )  # fmt: skip
        return f"X may have any law of a family; which one is not known ({'; '.join(told)})."

    def tables(self) -> dict[str, Any]:
        """Return `priors`, or `beliefs` where there are several."""
        return prior_tables(self.stated_laws)

    def canonical_tables(self) -> dict[str, Any]:
        """Return belief, secret and family as plain data."""
        rows = [
            [belief, [[secret, _canonical(law, self._inputs)] for secret, law in table.items()]]
            for belief, table in self.stated_laws.items()
        ]
        return {"families": rows}

    def key(self) -> object:
        """Return the same as text: atoms count in the order in which they are stated."""
        return repr(self.canonical_tables())


def _canonical(law: Prior, inputs: tuple[str, ...]) -> object:
    """Rows of a digest; of one law also the places of mass 0, where members may have some."""
    match law:
        case Family():
            return law.stated(named=bool(inputs))
        case Finite():
            return [[name, str(mass)] for name, mass in law.in_order_of(inputs).mass.items()]
        case Discrete():
            return [[str(atom), str(mass)] for atom, mass in law.places.items()]
    return law.canonical()


def _outputs(release: Release, places: tuple[Place, ...]) -> WorstOutputs | None:
    """Where the ratio of all members is largest; None where that is not known."""
    if type(release) in (Laplace, DiscreteLaplace, NoNoise):
        return of_noise(places) if _on_one_lattice(places, release.step) else None
    if not isinstance(release, Channel) or not release.written_out:
        return None
    rows = {
        name: [mass for mass in row if isinstance(mass, Fraction)]
        for name, row in zip(release.inputs, release.rows, strict=True)
    }
    rational = all(len(row) == len(release.outputs) for row in rows.values())
    return of_channel(release.outputs, rows) if rational else None


def _on_one_lattice(places: tuple[Place, ...], step: Fraction | None) -> bool:
    """Whether no two atoms differ by anything but a multiple of a step, if there is one.

    Of other atoms outputs show at once that they are none, however near they are (F60).
    """
    numbers = [x for x in places if isinstance(x, Fraction)]
    return step is None or all(((x - numbers[0]) / step).denominator == 1 for x in numbers)


def _places(law: Prior, *, named: bool) -> tuple[Place, ...]:
    """The atoms, or inputs, of a prior or family."""
    match law:
        case Family():
            return law.places(named=named)
        case Discrete():
            return tuple(law.places)
        case Finite():
            return tuple(law.mass)
    raise InputError(f"beside families priors are of atoms, not of kind {law.kind}")


def given(beliefs: object) -> Given | Families:
    """Return the source of priors: of laws alone, or where some are families.

    Raises InputError as these.
    Example: ``type(given({"default": {"a": AnyOf([{0: 1}])}})).__name__`` is ``"Families"``.
    """
    tables = beliefs.values() if isinstance(beliefs, Mapping) else ()
    laws = [law for table in tables if isinstance(table, Mapping) for law in table.values()]
    return (Families if any(isinstance(law, Family) for law in laws) else Given)(beliefs)


def given_to_one(priors: object) -> Given | Families:
    """Return the source of the priors of one adversary: secret -> prior or family."""
    return given({DEFAULT_BELIEF: priors})
