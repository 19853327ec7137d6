"""Privacy notions: what delta bounds, by the name that a problem file gives it as its form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar, Literal

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number, number
from pfverify.model.fixed import Fixed
from pfverify.model.keys import Key, check_needed
from pfverify.model.words import check_keys


class Bound(Enum):
    """What a decision compares with a target, for P against Q with densities (or masses) p, q.

    RATIO: p <= e**epsilon q everywhere, the max divergence against epsilon. DIVERGENCE: the
    hockey-stick divergence, the largest P(B) - e**epsilon Q(B), against delta. EXCESS: the largest
    p - e**epsilon q of one output against delta. RENYI: the Renyi divergence of an order against
    epsilon. ZCDP: the largest of all Renyi divergences, each over its order, against epsilon.
    """

    RATIO = "ratio"
    DIVERGENCE = "divergence"
    EXCESS = "excess"
    RENYI = "renyi"
    ZCDP = "zcdp"


Exceeding = Literal[Bound.DIVERGENCE, Bound.EXCESS]
"""What delta may bound."""


class Notion(Fixed, ABC):
    """A privacy notion; two with the same parameters are the same.

    Attributes: `name`, its name in files; `keys`, the parameters that its table has;
    `exceeding`, what delta bounds where it is not 0.
    Example: ``Events().bound(Number.of_rational(0))`` is ``Bound.RATIO``.
    """

    name: ClassVar[str]
    keys: ClassVar[tuple[Key, ...]] = ()
    exceeding: ClassVar[Exceeding]

    @property
    def stated(self) -> Bound:
        """What its inequality is about: what delta bounds, at first."""
        return self.exceeding

    def parameters(self) -> dict[str, str]:
        """Return the parameters as exact text."""
        return {key.name: key.text(getattr(self, key.name)) for key in self.keys}

    @property
    def text(self) -> str:
        """The name, with the parameters where there are any."""
        said = ", ".join(f"{key}={value}" for key, value in self.parameters().items())
        return f"{self.name}({said})" if said else self.name

    def to_table(self) -> dict[str, str]:
        """Return what a problem file says of it: its name as `form`, and beside it each parameter.

        Example: ``Renyi(2).to_table()`` is ``{"form": "renyi", "order": "2"}``.
        """
        return {"form": self.name, **self.parameters()}

    def check_delta(self, delta: Number) -> None:
        """Raise InputError for a delta that means nothing here; any means something at first."""

    @abstractmethod
    def bound(self, delta: Number) -> Bound:
        """Return what a decision at this delta is about."""

    @abstractmethod
    def assumed(self, *, masses: bool) -> list[str]:
        """Return what a verdict leaves open, in words; `masses`: the release has no density."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Notion) and (type(self), self.parameters()) == (
            type(other), other.parameters()
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        said = ", ".join(f"{key}={value!r}" for key, value in self.parameters().items())
        return f"{type(self).__name__}({said})"


class _OfRatio(Notion):
    """A notion that bounds the ratio itself at delta = 0."""

    def bound(self, delta: Number) -> Bound:
        """Return the ratio at delta = 0; a delta that cannot be told from 0 is not taken for 0."""
        return Bound.RATIO if delta.sign() == 0 else self.exceeding


class Events(_OfRatio):
    """P(B) <= e**epsilon Q(B) + delta for every event B.

    Source: Gaussian-priors paper, Definition 1.
    """

    name = "events"
    exceeding: ClassVar[Exceeding] = Bound.DIVERGENCE

    def assumed(self, *, masses: bool) -> list[str]:
        """Return nothing: every event is bounded."""
        del masses
        return []


class Pointwise(_OfRatio):
    """p(y) <= e**epsilon q(y) + delta at every output y, for densities or masses.

    Source: noise-reduction paper, (1).
    """

    name = "pointwise"
    exceeding: ClassVar[Exceeding] = Bound.EXCESS

    def assumed(self, *, masses: bool) -> list[str]:
        """Return how much weaker it is than the bound on events."""
        if masses:
            how = "necessary but not sufficient for events"
            return [f"the pointwise form: delta bounds a mass, {how}"]
        return [
            "the pointwise form: delta bounds a density (unit 1/output), which says nothing "
            "about every event"
        ]


class OfDivergence(Notion):
    """A notion that bounds Renyi divergences; delta is 0."""

    exceeding: ClassVar[Exceeding] = Bound.DIVERGENCE

    def bound(self, delta: Number) -> Bound:
        """Return what is bounded whatever delta is."""
        del delta
        return self.stated

    def check_delta(self, delta: Number) -> None:
        """Raise InputError for a delta that is not 0."""
        if delta.sign() != 0:
            raise InputError(
                f"delta: {shorten(delta.text)}, expected 0 or none: the form {self.name} has no "
                "delta"
            )


class Renyi(OfDivergence):
    """The Renyi divergence of an order above 1 is at most epsilon; delta is 0.

    With densities (or masses) p and q it is log(the integral of p**order q**(1 - order)) over
    order - 1, infinite where q = 0 < p. That of order 1, the integral of p log(p/q), is measured by
    `loss`, and no verdict is about it.
    Raises InputError for an order that is not rational, or below 1.
    Example: ``Renyi("5/2").text`` is ``"renyi(order=5/2)"``.
    Source: design fact F90.
    """

    name = "renyi"
    keys = (Key("order", "of the form renyi: a rational above 1, or 1 in loss", needed=True),)

    order: Fraction

    def __init__(self, order: object) -> None:
        value = number(order, "order").fraction
        if value is None or value < 1:
            raise InputError(
                f"order: {shorten(order)}, expected a rational number above 1 of the form renyi, "
                "or 1 in loss"
            )
        if max(value.numerator, value.denominator) > MOST_ORDER:
            raise InputError(
                f"order: {shorten(value)}, expected a numerator and denominator of at most "
                f"{MOST_ORDER}"
            )
        self._keep(order=value)

    @property
    def stated(self) -> Bound:
        """The divergence."""
        return Bound.RENYI

    def assumed(self, *, masses: bool) -> list[str]:
        """Return what the bound is not: one of single outputs, or of events at epsilon."""
        del masses
        return [
            f"the renyi form: the divergence of order {self.order} is an average over outputs, and "
            "no output by itself is bounded"
        ]


class Zcdp(OfDivergence):
    """The Renyi divergence of every order a > 1 is at most rho a; delta is 0.

    This is zero-concentrated privacy. Files state rho as their epsilon, the number that bounds.
    Example: ``Zcdp().text`` is ``"zcdp"``.
    Source: design facts F104 and F106.
    """

    name = "zcdp"

    @property
    def stated(self) -> Bound:
        """The divergences over their orders."""
        return Bound.ZCDP

    def assumed(self, *, masses: bool) -> list[str]:
        """Return what epsilon is, and what the bound is not."""
        del masses
        return [
            "the zcdp form: epsilon is rho, and every divergence of an order a is at most rho a; "
            "these are averages over outputs, and no output by itself is bounded"
        ]


MOST_ORDER = 1 << 16
"""The largest numerator of an order."""
NOTIONS: dict[str, type[Notion]] = {kind.name: kind for kind in (Events, Pointwise, Renyi, Zcdp)}
EVENTS, POINTWISE = Events(), Pointwise()
OF_PARTS = Events, Renyi
"""What independent parts may be held to together."""


def exact_notion(form: object) -> Notion:
    """Return the notion that a problem's `form` names; a class derived from a kind is another.

    A name, a table with the parameters, or the `text` of a notion.

    Raises InputError for an unknown name, an unknown parameter, and one that is missing.
    Example: ``exact_notion("events") == Events()`` is ``True``.
    """
    if isinstance(form, Notion) and any(type(form) is kind for kind in NOTIONS.values()):
        return form
    table = form if isinstance(form, Mapping) else _table_of(form)
    name = table.get("kind")
    if not isinstance(name, str) or name not in NOTIONS:
        raise InputError(f"form: {shorten(form)!r} is unknown, expected {' or '.join(NOTIONS)}")
    kind = NOTIONS[name]
    names = [key.name for key in kind.keys]
    check_keys(table, ["kind", *names], "form.")
    check_needed(table, kind.keys, "form: ", f" of the form {name}")
    found = kind(**{key: table[key] for key in names if key in table})
    if isinstance(form, str) and found.text != form:
        raise InputError(f"form: {shorten(form)!r}, expected {found.text!r}")
    return found


def _table_of(form: object) -> dict[str, object]:
    """The table of a name, or of the text of a notion with parameters."""
    if not isinstance(form, str):
        return {"kind": form}
    name, _, said = form.removesuffix(")").partition("(")
    parts = (part.partition("=") for part in said.split(", ") if said)
    return {"kind": name, **{key: value for key, _, value in parts}}


def stated_notion(table: Mapping[str, Any]) -> Notion:
    """Return the notion that a problem file states: its `form`, and parameters beside it.

    Raises InputError as `exact_notion`, and for a parameter of another form.
    Example: ``stated_notion({"form": "renyi", "order": "5/2"}) == Renyi("5/2")`` is ``True``.
    """
    form = table.get("form", EVENTS.name)
    kind = NOTIONS.get(form) if isinstance(form, str) else None
    own = () if kind is None else kind.keys
    given = {name: table[name] for name in parameter_names() if name in table}
    for name in given.keys() - {key.name for key in own}:
        raise InputError(f"{name}: not with the form {shorten(form)}")
    return exact_notion({"kind": form, **given} if own else form)


def parameter_names() -> list[str]:
    """Return the keys of a problem file that are parameters of a form.

    Example: ``parameter_names()`` is ``["order"]``.
    """
    return [key.name for kind in NOTIONS.values() for key in kind.keys]


def form_schema() -> dict[str, Any]:
    """Return the published schemas of `form` and of the keys beside it."""
    keys = {key.name: key.schema() for kind in NOTIONS.values() for key in kind.keys}
    return {"form": {"enum": [*NOTIONS], "description": "default events"}, **keys}
