"""The release of what steps make of a noisy number: noise, then the steps of a table `post`.

X has finitely many atoms, and each output is a cell of the line (`cells`), with one liberty.

Cells without end.  To the right of all atoms the law of Y under a prior is a multiple of one law,
e^(-y rho) times sum over x of P(x) e^(x rho), and likewise to the left.  So P(B) - e^epsilon Q(B)
has one sign for all B there, and P(B)/Q(B) one value: their outputs, of which there may be
infinitely many, are taken as one.  (No row at all is a prior too, without mass there.)  In the
pointwise form each output is by itself, and they have to be finitely many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, Number, bounded, canonical, shown
from core.kinds import Beliefs, Mixture, Pairs
from core.line import Noisy, noisy
from core.shapes import rational, table
from core.spans import SUPPRESSED, Part
from core.value import require_range
from reader import noise as noises
from reader import priors
from reader.noise import Noise
from reader.steps import NO_ROW, Stage, parts_of, steps_of
from reader.tables import noise_kind

if TYPE_CHECKING:
    from reader.protocols import Notion

NOTHING = Fraction(0)
ON_LINE = ("laplace", "truncated-laplace")
CUT = (*ON_LINE, "discrete-laplace")
SMOOTH = ("laplace", "gaussian")

Atoms = dict[Any, Fraction]  # atom, or "nothing" -> mass


def require_one_lattice(noise: Noise, atoms: Sequence[Fraction]) -> None:
    """Malformed unless the atoms differ by multiples of the step, where there is one."""
    if any(((x - atoms[0]) / noise.step).denominator != 1 for x in atoms if noise.step):
        raise Malformed("atoms do not differ by multiples of the step")


class Stepped(NamedTuple):
    """Noise, then steps."""

    noise: Noise
    steps: list[Stage]
    by: set[str]  # the facts by which the masses of outputs are known, once they are
    kind: str = "channel"
    single: bool = False
    amount: None = None
    step: None = None
    also: str = "ideal noise, the steps as stated and "
    own: frozenset[str] = frozenset()

    def at(self, amount: Number | None) -> Stepped:
        """The same: its scale is fixed."""
        if amount is not None:
            raise Malformed("steps after noise have no amount")
        return self

    def law(self, value: Any, what: str) -> Atoms | Mixture:
        """The law of X that a table states: atoms, normal laws, or nothing."""
        if type(value) is dict and value.get("kind") == NO_ROW:
            table(value, what, {"kind"}, {"or", "chance"})
            if not any(step.hides for step in self.steps):
                raise Malformed(f"{what}: nothing needs a threshold")
            if ("or" in value) != ("chance" in value):
                raise Malformed(f"{what}: nothing has both or and chance, or neither")
            chance = rational(value.get("chance", 0), f"{what}: chance")
            if not 0 <= chance <= 1:
                raise Malformed(f"{what}: a chance outside [0, 1]")
            other = _atoms(priors.prior(value["or"], what), what) if "or" in value else {}
            rows = {NO_ROW: 1 - chance, **{x: bounded(m * chance) for x, m in other.items()}}
            return {x: m for x, m in rows.items() if m}
        found = priors.prior(value, what)
        if isinstance(found, Mixture) and self.noise.kind in SMOOTH and self.noise.amount != 0:
            return found
        return _atoms(found, what)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of the outputs."""
        laws = [law for of in beliefs.values() for law in of.values()]
        gaussian = self.noise.kind == "gaussian" and self.noise.amount != 0
        if gaussian or any(isinstance(law, Mixture) for law in laws):
            from reader.after_line import behind

            return _each(beliefs, lambda law: behind(law, self.noise, self.steps))
        if any(type(law) is not dict for law in laws):
            raise Malformed("steps need priors of atoms")
        everything = {x for law in laws for x in law}
        atoms, no_row = sorted(x for x in everything if x != NO_ROW), NO_ROW in everything
        noise = self.noise.at(self.noise.amount)
        if noise.kind != "none":
            require_one_lattice(noise, atoms)
        if self.kind == "kept" and noise.step is not None:
            return _each(beliefs, self._celled)
        parts = self._parts(noise, atoms, no_row)
        if parts is not None:
            return _each(beliefs, lambda law: _noisy(law, noise, parts))
        from reader.outputs import facts_of, listed

        found = listed(noise, self.steps, atoms, beliefs, single=self.single, no_row=no_row)
        self.by.update(facts_of(noise, self.steps, self.single))
        return found

    def _parts(
        self, noise: Noise, atoms: Sequence[Fraction], no_row: bool
    ) -> tuple[Part, ...] | None:
        """The parts of the line, where these are the outputs: densities that are kept, or cells;
        None where no row has no output among them."""
        if self.kind == "kept":
            parts = parts_of(self.steps)
            if no_row and all(part.output != SUPPRESSED for part in parts):
                raise Malformed("nothing needs a threshold that hides numbers")
            self.by.add("F45")
            return parts
        parted = any(step.key == "modulo" for step in self.steps)  # an output has several cells
        if parted or self.single or not atoms or noise.kind not in CUT:
            return None
        from reader.cells import parts_between

        found = parts_between(noise, self.steps, atoms)
        if no_row and found[0].output != SUPPRESSED:
            return None
        self.by.add("F45" if noise.step is None else "F45e")
        if noise.bound is None:
            self.by.add("F45d")
        return found

    def _celled(self, law: Atoms) -> Any:
        """A law of which the outputs are endlessly many, or sums without end."""
        from core.gaussian_lattice import celled
        from reader.after_lattice import LatticePost

        atoms = {x: m for x, m in law.items() if x != NO_ROW}
        post = LatticePost(tuple(self.steps), self.noise.step or Fraction(1))
        return celled(atoms, self.noise, law.get(NO_ROW, NOTHING), post)

    def seen(self, result: str) -> tuple[str, set[str]]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        return "one release", self.by

    def words(self, notion: Notion) -> str:
        """The noise, its scale and the steps, in a message."""
        amount, unit = self.noise.amount, noise_kind(self.noise.kind).amount
        scale = "" if amount is None else f" {unit}={canonical(amount)}"
        steps = ",".join(step.key for step in self.steps)
        return f"{self.noise.words(notion)}{shown(scale, 60)[1:-1]} post={steps}"

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise and the steps as they go into a digest."""
        post = [{step.key: step.written} for step in self.steps]
        return {**self.noise.canonical(notion), "post": post}


def _atoms(law: Any, what: str) -> Atoms:
    """The law of a table, where it is one of atoms."""
    if not isinstance(law, dict):
        raise Malformed(f"{what}: steps need priors of atoms")
    return dict(law)


def _each(beliefs: Beliefs, made: Callable[[Atoms], Any]) -> Beliefs:
    """The laws that are made of those of X."""
    return {name: {s: made(law) for s, law in of.items()} for name, of in beliefs.items()}


def _noisy(law: Atoms, noise: Noise, parts: tuple[Part, ...]) -> Noisy:
    """A law of which the line has parts."""
    atoms = {x: law[x] for x in sorted(x for x in law if x != NO_ROW)}
    return noisy(atoms, noise, law.get(NO_ROW, NOTHING), parts)


def release(value: Any) -> Stepped:
    """The noise and the steps of a problem."""
    noise = noises.release(value)
    if noise.amount is not None:
        require_range("scale", noise.amount, decide=True)
    elif noise_kind(noise.kind).amount is not None:
        raise Malformed("the problem has no scale, so nothing is to be certified or refuted")
    return after(noise, steps_of(value["post"]), value.get("form") == "pointwise")


def after(noise: Noise, steps: list[Stage], single: bool = False) -> Stepped:
    """Steps after a noise; each output is by itself where they are `single`."""
    keeps = noise.kind == "discrete-gaussian" or (noise.kind in ON_LINE and parts_of(steps))
    keeps = keeps and noise.amount != 0
    if keeps and single:
        raise Malformed("densities beside outputs, and sums without end, are judged by events")
    return Stepped(noise, steps, set(), "kept" if keeps else "channel", single)
