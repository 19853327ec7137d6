"""The source of X after the steps of a table `pre`, which act on it before the noise.

A secret decides what comes out through X alone, so that its law is that of X, the masses of numbers
that become one number summed.  Steps act on the sum or mean of a system itself, not on its users.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, bounded, canonical
from core.kinds import Enclosed
from core.shapes import string, table
from core.work import price, spend, table_of
from reader.by_secret import Made
from reader.priors import Given
from reader.steps import AFTER, Cut, Stage, edges_of, listed, refused

if TYPE_CHECKING:
    from reader.protocols import Source


def _bins(value: Any) -> Stage:
    """To the number that stands for a bin; what is in none is refused."""
    table(value, "bins", {"edges", "at"})
    edges = edges_of(value["edges"], 2)
    at = string(value["at"], "bins: at")
    if at not in ("lower", "middle", "upper"):
        raise Malformed("bins: at must be lower, middle or upper")

    def image(cut: Cut) -> Fraction:
        k = bisect_right(edges, cut[0])
        if not 0 < k < len(edges):
            raise Malformed("bins: a value that is in none")
        a, b = edges[k - 1], edges[k]
        return a if at == "lower" else b if at == "upper" else bounded((a + b) / 2)

    no = refused("bins with at are no step after the noise")
    written = {"edges": [canonical(x) for x in edges], "at": at}
    return Stage("bins", written, image, no, edges=edges)


STEPS: dict[str, Callable[[Any], Stage]] = {
    **{key: AFTER[key] for key in ("clamp", "round", "floor", "ceil", "modulo")},
    "bins": _bins,
}


def _image(steps: Sequence[Stage], x: Fraction) -> Fraction:
    """What a number becomes."""
    for step in steps:
        spend(64 + price(x.denominator.bit_length() + x.numerator.bit_length()))
        image = step.of(x)
        if not isinstance(image, Fraction):
            raise Malformed(f"{step.key} makes no number")
        x = bounded(image)
    return x


def _through(steps: Sequence[Stage], law: Any) -> Any:
    """The law of what comes out; no row, which is no number, stays that."""
    if isinstance(law, Enclosed):
        return Enclosed(_through(steps, law.low), _through(steps, law.high))
    if type(law) is not dict:
        raise Malformed("steps before the noise need priors of atoms")
    found: dict[Fraction, Fraction] = {}
    images = {x: _image(steps, x) for x in law if isinstance(x, Fraction)}
    table_of(images.values())
    for x, image in images.items():
        spend(price(law[x].denominator.bit_length()))
        found[image] = found.get(image, Fraction(0)) + law[x]
    return {**{x: m for x, m in law.items() if x not in images}, **dict(sorted(found.items()))}


def before(source: Source, value: Any) -> Given:
    """The source, then the steps.  A distance of the priors is none of these laws, so that no
    notion with one is about them."""
    if source.of not in ("priors", "users"):
        raise Malformed("steps before the noise act on numbers")
    steps = listed(value, "pre", STEPS)

    def made(laws: Mapping[str, Any]) -> Mapping[str, Any]:
        if source.of == "users":  # worked out when asked for
            return Made(laws, lambda secret: _through(steps, laws[secret]), 2)
        return {secret: _through(steps, law) for secret, law in laws.items()}

    beliefs = {name: made(laws) for name, laws in source.beliefs.items()}
    written = {**source.canonical(), "pre": [{step.key: step.written} for step in steps]}
    return Given(
        beliefs, source.asked, f"{source.given(None)}, X through the steps of pre", "steps",
        partial=source.partial, written=written, stand=frozenset(source.seen()[1]),
    )  # fmt: skip
