"""The source of given priors, from a table `priors` or `beliefs` of a problem.

Atoms are read here; normal laws in `mixtures`, which is loaded for them.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, bounded, canonical, shown
from core.kinds import Beliefs, Mixture, Prior, law_kind
from core.shapes import by_floor, exact_sum, rational, string, table
from core.work import table_of
from reader.tables import Row

if TYPE_CHECKING:
    from reader.protocols import Release, Source


FAMILIES = {"intervals", "confidence", "tv-ball", "winf-ball", "polytope", "any-of"}


class Given(NamedTuple):
    """Laws as the file states them, or as what it states makes them; `asked` is the table that
    tells the pairs, `written` what stands for the laws in a digest where they do not themselves."""

    beliefs: Beliefs
    asked: dict[str, Any]
    said: str
    of: str = "priors"
    notion: str = "distp"
    partial: bool = False
    written: dict[str, Any] | None = None
    stand: frozenset[str] = frozenset()

    def canonical(self) -> dict[str, Any]:
        """The laws as they go into a digest."""
        return self.written or {
            "beliefs": [
                [name, [[secret, canonical_prior(prior)] for secret, prior in priors.items()]]
                for name, priors in self.beliefs.items()
            ]
        }

    def given(self, problem: object) -> str:
        """What is taken for granted, in words."""
        return self.said

    def seen(self) -> tuple[str, set[str]]:
        """What its beliefs are, in words, and the facts by which they stand for others."""
        return "belief", {*self.stand}


def source(value: Any, release: Release) -> Source:
    """The priors of a problem, of one belief or of several."""
    found = {"default": value["priors"]} if "priors" in value else value["beliefs"]
    if type(found) is not dict or not found:
        raise Malformed("beliefs must be a table of at least one belief")
    tables = {}
    for name, belief in found.items():
        what = f"belief {shown(name)}"
        priors = belief if "priors" in value else table(belief, what, {"priors"})["priors"]
        if type(priors) is not dict:
            raise Malformed(f"{what}: priors must be a table")
        for text in (name, *priors):
            require_name(text)
        tables[name] = priors
    stated = [p.get("kind") for of in tables.values() for p in of.values() if type(p) is dict]
    if not FAMILIES.isdisjoint(x for x in stated if type(x) is str):
        families: Source = Row("reader.families", ()).reader("source")(value, tables, release)
        return families
    beliefs = {
        name: {s: release.law(p, f"belief {shown(name)}, secret {shown(s)}") for s, p in of.items()}
        for name, of in tables.items()
    }
    if any(law_kind(law) == "joint" for of in beliefs.values() for law in of.values()):
        Row("reader.joint", ()).reader("require_joint")(value, release, beliefs)
    return Given(beliefs, value, f"{release.also}beliefs as given")


def prior(value: Any, what: str) -> Prior | Mixture:
    """The prior that a table of a kind states."""
    kind = value.get("kind") if type(value) is dict else None
    if kind in ("gaussian", "mixture"):
        from reader.mixtures import mixture

        return mixture(value, what)
    if type(kind) is str and kind != "discrete":
        raise Malformed(f"{what}: priors of kind {shown(kind)} are not supported by this kernel")
    read = [(rational(text, f"{what}: an atom"), m) for text, m in weights(value, what).items()]
    atoms = sorted(read, key=lambda row: by_floor(row[0]))
    table_of(atom for atom, _ in atoms)
    masses = dict(atoms)
    if len(masses) < len(atoms):
        twice = next(a for (a, _), (b, _) in pairwise(atoms) if a == b)
        raise Malformed(f"{what}: the atom {shown(canonical(twice))} occurs twice")
    return masses if all(masses.values()) else {a: m for a, m in atoms if m}


def weights(value: Any, what: str) -> dict[str, Fraction]:
    """The masses of a table with either counts or mass, by the names of their places."""
    table(value, what, {"kind"}, {"counts", "mass"})
    string(value["kind"], f"{what}: kind")
    if ("counts" in value) == ("mass" in value):
        raise Malformed(f"{what} must have either counts or mass")
    counted = "counts" in value
    entries = value["counts" if counted else "mass"]
    if type(entries) is not dict:
        raise Malformed(f"{what}: counts and mass must be tables")
    found = {
        x: m if type(m) is int and m.bit_length() < 64  # as most counts are
        else rational(m, f"{what}: the weight of {shown(x)}")
        for x, m in entries.items()
    }  # fmt: skip
    if counted and any(m.denominator != 1 for m in found.values()):
        raise Malformed(f"{what}: counts must be integers")
    if any(m < 0 for m in found.values()):
        raise Malformed(f"{what}: a negative weight")
    if counted and (whole := sum(m.numerator for m in found.values())):
        return {x: bounded(Fraction(m.numerator, whole)) for x, m in found.items()}
    total = exact_sum(list(found.values()), what)
    if total != 1:
        size = total.denominator.bit_length() + total.numerator.bit_length()
        amount = shown(canonical(total)) if size < 10_000 else "a long fraction"
        raise Malformed(f"{what}: the weights sum to {amount}")
    return {x: Fraction(m) for x, m in found.items()}


def canonical_prior(prior: Any) -> Any:
    """A prior as it goes into a digest: [atom, mass], or [mean, variance, weight]."""
    if law_kind(prior) == "joint":
        return prior.canonical()
    if not isinstance(prior, dict | Mixture):
        raise Malformed("bounds of a prior and released laws have no digest")
    if isinstance(prior, Mixture):
        return [[str(x) for x in row] for row in prior.components if row[-1]]
    return [[str(atom), str(mass)] for atom, mass in prior.items() if mass]


def require_name(text: str) -> None:
    """Malformed unless a secret or a belief can have this name."""
    if not (text.strip() and text.isprintable()):
        raise Malformed(f"the name {shown(text)} is empty or not printable")
