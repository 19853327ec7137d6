"""Priors in problem files: atoms here; normal laws in `mixtures`, which is loaded for them."""

from __future__ import annotations

from typing import Any

from files import exact_sum, rational, string, table
from grammar import Malformed, bounded, canonical, shown
from kinds import Enclosed, Mixture, Prior
from work import table_of


def prior(value: Any, what: str) -> Prior | Mixture:
    """The prior that a table of a kind states."""
    kind = value.get("kind") if type(value) is dict else None
    if kind in ("gaussian", "mixture"):
        from mixtures import mixture

        return mixture(value, what)
    if type(kind) is str and kind != "discrete":
        raise Malformed(f"{what}: priors of kind {shown(kind)} are not supported by this kernel")
    table(value, what, {"kind"}, {"counts", "mass"})
    string(kind, f"{what}: kind")
    if ("counts" in value) == ("mass" in value):
        raise Malformed(f"{what} must have either counts or mass")
    counted = "counts" in value
    entries = value["counts" if counted else "mass"]
    if type(entries) is not dict:
        raise Malformed(f"{what}: counts and mass must be tables")
    masses: Prior = {}
    atoms = [(text, rational(text, f"{what}: an atom")) for text in entries]
    table_of(atom for _, atom in atoms)
    for text, atom in atoms:
        weight = entries[text]
        if atom in masses:
            raise Malformed(f"{what}: the atom {shown(canonical(atom))} occurs twice")
        masses[atom] = rational(weight, f"{what}: the weight of {shown(text)}")
        if counted and masses[atom].denominator != 1:
            raise Malformed(f"{what}: counts must be integers")
        if masses[atom] < 0:
            raise Malformed(f"{what}: a negative weight")
    total = exact_sum(list(masses.values()), what)
    if counted and total > 0:
        masses = {a: bounded(m / total) for a, m in masses.items()}
    elif total != 1:
        size = total.denominator.bit_length() + total.numerator.bit_length()
        amount = shown(canonical(total)) if size < 10_000 else "a long fraction"
        raise Malformed(f"{what}: the weights sum to {amount}")
    return {a: m for a, m in sorted(masses.items()) if m > 0}


def canonical_prior(prior: Prior | Mixture | Enclosed) -> list[list[str]]:
    """A prior as it goes into a digest: [atom, mass], or [mean, variance, weight]."""
    if isinstance(prior, Enclosed):
        raise Malformed("bounds of a prior have no digest")
    listed = prior.components if isinstance(prior, Mixture) else prior.items()
    return [[str(x) for x in row] for row in listed]


def require_name(text: str) -> None:
    """Malformed unless a secret or a belief can have this name."""
    if not (text.strip() and text.isprintable()):
        raise Malformed(f"the name {shown(text)} is empty or not printable")
