"""The release of a number X with noise, X + N, which a table `noise` states.

What only some kinds of noise ask of a problem is in `noises`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, Number, canonical, shown
from core.kinds import Beliefs, Pairs
from core.shapes import number, rational, string, table
from core.value import rate_form, require_range
from core.zero import Form, times
from reader.priors import prior
from reader.tables import Row, noise_kind

if TYPE_CHECKING:
    from reader.protocols import Notion


SEVERAL = {"releases", "scales", "draws", "total"}  # what a table says of more than one release


class _Stated(NamedTuple):
    kind: str
    amount: Number | None  # the scale, of gaussian noise the variance; None: for calibration
    step: Fraction | None  # of the lattice that it lives on
    bound: Fraction | None = None  # of its size, where it is truncated
    each: tuple[Number, ...] = ()  # of several numbers: of every coordinate, the first of which
    # stands for all


class Noise(_Stated):
    """So much noise of a kind."""

    also = ""  # what is taken for granted besides the source
    own = frozenset[str]()  # keys of notions that are its own
    how, listed = "", tuple[int, ...]()  # of several releases (`several`)
    made_of_x = False  # whether `laws` are of what the noise makes of X
    listed_by = ""  # the fact by which these are masses of atoms
    same_for_all = True  # whether it is the same for every X
    window: tuple[Fraction, Fraction] | None = None  # of outputs, in which it is renormalised

    @property
    def parts(self) -> tuple[tuple[Noise, int], ...]:
        """The different releases, and how many there are of each."""
        return ((self, 1),)

    def coordinates(self, places: object, delta: object) -> Noise:
        """The noise of some coordinates, where they have none of their own."""
        return self

    @cached_property
    def rate(self) -> Form:
        """1/scale."""
        if self.amount is None:
            raise Malformed(f"noise of kind {shown(self.kind)} has no rate here")
        return rate_form(self.amount)

    def rates(self, count: int) -> tuple[Form, ...]:
        """1/scale of so many coordinates."""
        return tuple(map(rate_form, self.each)) if self.each else (self.rate,) * count

    def decay(self, distance: Fraction) -> Form:
        """The exponent of e^(-distance/scale)."""
        return times(self.rate, -distance)

    def at(self, amount: Number | None) -> Noise:
        """So much noise of this kind; None or 0: X itself."""
        return Noise(self.kind if amount else "none", amount or None, self.step)

    def law(self, value: Any, what: str) -> Any:
        """The law of X that the table of a prior states."""
        if type(value) is dict and value.get("kind") == "joint":
            return Row("reader.joint", ()).reader("joint")(value, what)
        return prior(value, what)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """What the rules take: the laws of X."""
        if self.step is not None:
            from reader.noises import require_lattice

            require_lattice(beliefs, pairs, self.step)
        return beliefs

    def seen(self, result: str) -> tuple[str, set[str]]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        return "one release", set()

    def words(self, notion: Notion) -> str:
        """The noise, and the notion unless it is the usual one, in a message."""
        return f"noise={self.kind}" + (f" {notion.words()}" if notion.name != "distp" else "")

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise, and such a notion, as they go into a digest."""
        unit = noise_kind(self.kind).amount or "scale"
        stated = {"scale": None, "step": self.step, unit: self.amount}
        texts = {key: None if x is None else canonical(x) for key, x in stated.items()}
        more = notion.written if notion.name != "distp" else {}
        return {"noise": {"kind": self.kind, **texts}, **more}


def release(value: Any) -> Noise:
    """The noise of a problem."""
    noise = value["noise"]
    if type(noise) is not dict or "kind" not in noise:
        raise Malformed("the noise must be a table with a kind")
    kind = string(noise["kind"], "the noise's kind")
    if kind == "geometric":
        from reader.geometric import restated

        return release({**value, "noise": restated(noise, SEVERAL)})
    row = noise_kind(kind)
    if not row.stated:
        raise Malformed(f"noise of kind {shown(kind)} is not stated so")
    if (row.by is None and type(noise.get("scale")) is list) or not SEVERAL.isdisjoint(noise):
        found: Noise = Row("reader.several", ()).reader("release")(value)
        return found
    if row.by is not None:
        stated: Noise = Row(row.by, ()).reader("noise")(value)
        return stated
    table(noise, "noise", {"kind"}, {"scale", "step", "variance"})
    if kind == "none" and len(noise) > 1:
        raise Malformed("noise of kind none has no scale, step or variance")
    if ("step" in noise) != row.lattice:
        raise Malformed("discrete-laplace noise needs a step, other noise has none")
    step = rational(noise["step"], "step") if row.lattice else None
    if step is not None and step <= 0:
        raise Malformed("the step must be positive")
    scale = number(noise["scale"], "scale") if "scale" in noise else None
    if scale is not None:
        require_range("scale", scale, decide=row.amount == "variance")
    if "variance" in noise or row.amount == "variance":
        from reader.noises import variance

        scale = variance(noise, scale)
    return Noise(kind, scale, step)
