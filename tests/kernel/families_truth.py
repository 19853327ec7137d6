"""Whether claims about families hold, in mpmath: W-infinity balls on the line, two atoms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import Any

import kernel_builder as kb
import mpmath
from mpmath import mpf

Json = dict[str, Any]
FAMILIES = ("intervals", "confidence", "tv-ball", "winf-ball", "polytope", "any-of")
_POINTS = 400  # of a grid between two points where a bound turns


def is_new(value: Json) -> bool:
    """Whether a problem states a family."""
    return any(
        prior["kind"] in FAMILIES for of in kb.beliefs(value).values() for prior in of.values()
    )


def _centre(prior: Json) -> dict[Any, mpf]:
    return {x: m for x, m in kb.law(prior).items() if m}


def most(value: Json, source: str, target: str, y: Any) -> mpf:
    """log most(y)/least(y) of two balls on the line."""
    priors = kb.beliefs(value)["default"]
    scale = kb.real(value["noise"]["scale"])
    r, s = (kb.real(priors[name].get("radius", 0)) for name in (source, target))
    p, q = (_centre(priors[name]) for name in (source, target))
    above = mpmath.fsum(m * mpmath.exp(-max(abs(y - x) - r, mpf(0)) / scale) for x, m in p.items())
    below = mpmath.fsum(m * mpmath.exp(-(abs(y - x) + s) / scale) for x, m in q.items())
    return mpmath.log(above / below)


def _outputs(value: Json, source: str, target: str) -> list[mpf]:
    priors = kb.beliefs(value)["default"]
    r = kb.real(priors[source].get("radius", 0))
    places = {mpf(0) + x + t for x in _centre(priors[source]) for t in (r, -r)}
    places |= {mpf(0) + x for x in _centre(priors[target])}
    ends = sorted(places)
    found = list(ends)
    for a, b in pairwise(ends):
        found += [a + (b - a) * k / _POINTS for k in range(1, _POINTS)]
    return found


def _moved(law: dict[str, mpf], radius: mpf) -> Iterator[dict[str, mpf]]:
    """A centre, and laws where one place has all that is moved, taken from the others in order."""
    yield law
    for first, *others in permutations(law):
        left, found = radius, dict(law)
        for x in others:
            taken = min(left, found[x])
            found[x], found[first], left = found[x] - taken, found[first] + taken, left - taken
        yield found


def _laws(value: Json, prior: Json) -> list[dict[str, mpf]]:
    """The extreme laws of intervals on two atoms, of a ball on few, or the law itself."""
    if prior["kind"] == "tv-ball":
        own = {str(x): m for x, m in kb.law(prior).items()}
        places = {x for of in kb.beliefs(value)["default"].values() for x in of["mass"]}
        centre = {x: own.get(x, mpf(0)) for x in sorted(places)}
        return [*_moved(centre, kb.real(prior["radius"]))]
    if prior["kind"] != "intervals":
        return [{str(x): m for x, m in kb.law(prior).items()}]
    (first, a), (second, b) = prior["mass"].items()
    spans = [[kb.real(end) for end in (m if isinstance(m, list) else [m, m])] for m in (a, b)]
    low, high = max(spans[0][0], 1 - spans[1][1]), min(spans[0][1], 1 - spans[1][0])
    return [{first: m, second: 1 - m} for m in (low, high)]


def _largest(value: Json, source: str, target: str) -> mpf:
    priors = kb.beliefs(value)["default"]
    if any(prior["kind"] == "winf-ball" for prior in priors.values()):
        return max(most(value, source, target, y) for y in _outputs(value, source, target))
    scale, found = kb.real(value["noise"]["scale"]), []
    for p in _laws(value, priors[source]):
        for q in _laws(value, priors[target]):
            for y in {*p, *q}:
                sides = [
                    mpmath.fsum(
                        m * mpmath.exp(-abs(kb.real(y) - kb.real(x)) / scale)
                        for x, m in law.items()
                    )
                    for law in (p, q)
                ]
                found.append(mpmath.log(sides[0] / sides[1]))
    return max(found)


def _goals(value: Json) -> Iterator[tuple[str, str]]:
    first, second = kb.beliefs(value)["default"]
    yield from ((first, second), (second, first))


def is_true(value: Json, cert: Json, word: str) -> bool:
    """Whether what an accepted certificate claims holds, up to 1e-40."""
    slack = mpf(10) ** -40
    epsilon = kb.real(value["epsilon"])
    if word == "certified":
        return all(_largest(value, *goal) <= epsilon + slack for goal in _goals(value))
    step = cert["steps"][0]
    margin = kb.real(step["margin"])
    if step["rule"] == "spread-refuted":
        y = kb.real(step["y"])
        return most(value, step["from"], step["to"], y) >= epsilon + margin - slack
    return _largest(value, step["from"], step["to"]) > epsilon
