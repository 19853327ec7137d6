"""What is true of noise that steps follow, that is truncated, or that is a normal law on a lattice.

By distribution functions in high precision, without the kernel's sums.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import kernel_builder as kb
from joint_truth import TooLargeError
from mpmath import exp, inf, mpf, ncdf, npdf

Json = dict[str, Any]
Law = dict[Any, mpf]
SUPPRESSED = "suppressed"
FAR = 60  # standard deviations of a lattice


def is_new(value: Json) -> bool:
    """Whether a problem is of these kinds."""
    kinds = ("truncated-laplace", "bounded-laplace", "discrete-gaussian",
             "truncated-discrete-laplace", "geometric")  # fmt: skip
    return "post" in value or value.get("noise", {}).get("kind") in kinds


def law(prior: Json) -> Law:
    if prior["kind"] == "nothing":
        rows = kb.law(prior["or"]) if "or" in prior else {}
        chance = kb.real(prior.get("chance", 0))
        return {None: 1 - chance, **{x: m * chance for x, m in rows.items()}}
    return dict(kb.law(prior))


def number(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def published(value: Json, y: mpf) -> Any:
    """What a noisy number becomes; itself where nothing changes it."""
    for step in value.get("post", []):
        ((key, what),) = step.items()
        if y == SUPPRESSED:
            return y
        if key == "clamp":
            y = min(max(y, kb.real(what[0])), kb.real(what[1]))
        elif key == "threshold":
            at, keep = kb.real(what["at"]), what.get("keep", "at-least")
            y = SUPPRESSED if y < at or (y == at and keep == "above") else y
        else:
            raise NotImplementedError(key)
    return y


class Line:
    """Laplace noise, maybe truncated, then clamps and thresholds."""

    def __init__(self, value: Json) -> None:
        self.value, noise = value, value["noise"]
        self.scale = kb.real(noise["scale"])
        self.bound = kb.real(noise["bound"]) if "bound" in noise else None

    def below(self, law: Law, y: mpf) -> mpf:
        """P(X + N <= y), of rows that exist."""
        return sum((m * self._noise(y - number(x)) for x, m in law.items() if x is not None),
                   mpf(0))  # fmt: skip

    def _noise(self, u: mpf) -> mpf:
        def whole(v: mpf) -> mpf:
            if v in (inf, -inf):
                return mpf(v > 0)
            return exp(v / self.scale) / 2 if v < 0 else 1 - exp(-v / self.scale) / 2

        if self.bound is None:
            return whole(u)
        low, high = whole(-self.bound), whole(self.bound)
        return (min(max(whole(u), low), high) - low) / (high - low)

    def density(self, law: Law, y: mpf) -> mpf:
        return sum(
            (m * exp(-abs(y - number(x)) / self.scale) for x, m in law.items()
             if x is not None and (self.bound is None or abs(y - number(x)) <= self.bound)),
            mpf(0),
        )  # fmt: skip

    def places(self, *laws: Law) -> list[mpf]:
        atoms = {number(x) for law in laws for x in law if x is not None}
        found = set(atoms)
        for step in self.value.get("post", []):
            ((_, what),) = step.items()
            ends = what if isinstance(what, list) else [what["at"]]
            found |= {kb.real(x) for x in ends}
        if self.bound is not None:
            found |= {x + way * self.bound for x in atoms for way in (-1, 1)}
        return [-inf, *sorted(found), inf]

    def inside(self, a: mpf, b: mpf) -> mpf:
        if a == -inf:
            return b - 1
        return a + 1 if b == inf else (a + b) / 2

    def divergence(self, p: Law, q: Law, growth: mpf) -> mpf:
        """Sum of [P - growth Q]_+ over what is published."""
        outputs: dict[Any, mpf] = {}
        total = mpf(0)

        def gap(a: mpf, b: mpf) -> mpf:
            mine, theirs = (self.below(law, b) - self.below(law, a) for law in (p, q))
            return mine - growth * theirs

        for a, b in pairwise(self.places(p, q)):
            y = self.inside(a, b)
            image = published(self.value, y)
            if image != y:
                outputs[str(image)] = outputs.get(str(image), mpf(0)) + gap(a, b)
                continue
            zero = self._zero(lambda y: self.density(p, y) - growth * self.density(q, y), a, b)
            for c, d in pairwise([a, *zero, b]):
                total += max(gap(c, d), mpf(0))
        if any(None in law for law in (p, q)):
            nothing = p.get(None, mpf(0)) - growth * q.get(None, mpf(0))
            outputs[SUPPRESSED] = outputs.get(SUPPRESSED, mpf(0)) + nothing
        return total + sum((max(g, mpf(0)) for g in outputs.values()), mpf(0))

    def _zero(self, g: Callable[[mpf], mpf], a: mpf, b: mpf) -> list[mpf]:
        """The one sign change of g between two finite places, if there is one."""
        if inf in (abs(a), abs(b)):
            return []
        near = (b - a) * mpf(10) ** -35
        low, high = a + near, b - near
        if (g(low) > 0) == (g(high) > 0):
            return []
        rises = g(high) > 0
        for _ in range(150):
            middle = (low + high) / 2
            low, high = (low, middle) if (g(middle) > 0) == rises else (middle, high)
        return [low]

    def excess(self, p: Law, q: Law, growth: mpf, event: list[list[str]]) -> mpf:
        """P(B) - growth Q(B) of intervals of the noisy number."""
        total = mpf(0)
        for low, high in event:
            a = -inf if low == "-inf" else kb.real(low)
            b = inf if high == "inf" else kb.real(high)
            mine, theirs = (self.below(law, b) - self.below(law, a) for law in (p, q))
            total += mine - growth * theirs
            y = self.inside(a, b) if a != -inf else b - 1
            if any(None in law for law in (p, q)) and published(self.value, y) == SUPPRESSED:
                total += p.get(None, mpf(0)) - growth * q.get(None, mpf(0))
        return total


class Window(Line):
    """Laplace noise that is renormalised in a window, by its definition."""

    def __init__(self, value: Json) -> None:
        super().__init__(value)
        self.ends = [kb.real(value["noise"][key]) for key in ("low", "high")]

    def below(self, law: Law, y: mpf) -> mpf:
        low, high = self.ends
        y = min(max(y, low), high)
        total = mpf(0)
        for x, m in law.items():
            first, here, last = (self._noise(z - number(x)) for z in (low, y, high))
            total += m * (here - first) / (last - first)
        return total

    def density(self, law: Law, y: mpf) -> mpf:
        if not self.ends[0] <= y <= self.ends[1]:
            return mpf(0)
        whole = (self._noise(self.ends[1] - number(x)) - self._noise(self.ends[0] - number(x))
                 for x in law)  # fmt: skip
        around = (m * exp(-abs(y - number(x)) / self.scale) for x, m in law.items())
        return sum((d / w for d, w in zip(around, whole, strict=True)), mpf(0))

    def places(self, *laws: Law) -> list[mpf]:
        return [-inf, *sorted({*super().places(*laws)[1:-1], *self.ends}), inf]


class Bell(Line):
    """Gaussian noise, then clamps and thresholds; of two points, so that g has one zero."""

    def _noise(self, u: mpf) -> mpf:
        return ncdf(u / self.scale)

    def density(self, law: Law, y: mpf) -> mpf:
        return sum((m * npdf(y, number(x), self.scale) for x, m in law.items() if x is not None),
                   mpf(0))  # fmt: skip


def becomes(value: Json, y: Fraction) -> str:
    """The output of a point of a lattice."""
    for step in value.get("post", []):
        ((key, what),) = step.items()
        if key == "clamp":
            y = min(max(y, kb.exact(what[0])), kb.exact(what[1]))
        elif key == "threshold":
            at, keep = kb.exact(what["at"]), what.get("keep", "at-least")
            if y < at or (y == at and keep == "above"):
                return SUPPRESSED
        elif key == "bins":
            edges = [kb.exact(x) for x in what["edges"]]
            below, above = [x for x in edges if x <= y], [x for x in edges if x > y]
            low = f"[{below[-1]}" if below else "(-inf"
            return f"{low}, {above[0] if above else 'inf'})"
        else:
            to = kb.exact(what["to"])
            down, rest = divmod(y, to)
            up = {"floor": False, "ceil": rest > 0}.get(key, rest > to / 2)
            if key == "round" and rest == to / 2:
                up = {"up": True, "down": False, "even": down % 2 == 1}[what.get("ties", "up")]
            y = (down + up) * to
    return str(y)


class Lattice:
    """Discrete Gaussian noise, maybe with steps after it."""

    def __init__(self, value: Json) -> None:
        noise, self.value = value["noise"], value
        self.step = kb.exact(noise["step"])
        scale = noise.get("scale")
        self.variance = kb.real(noise["variance"]) if scale is None else kb.real(scale) ** 2
        self.whole = sum((self.weight(k * number(self.step))
                          for k in range(-self.reach, self.reach + 1)), mpf(0))  # fmt: skip

    @property
    def reach(self) -> int:
        return int(FAR * self.variance**0.5 / number(self.step)) + 2

    def weight(self, far: mpf) -> mpf:
        """That of an output so far from X; with a variance of 0 the output is X."""
        return exp(-(far**2) / (2 * self.variance)) if self.variance else mpf(far == 0)

    def mass(self, law: Law, y: Fraction) -> mpf:
        return sum((m * self.weight(number(y - x)) for x, m in law.items() if x is not None),
                   mpf(0)) / self.whole  # fmt: skip

    def points(self, *laws: Law) -> list[Fraction]:
        atoms = sorted(x for law in laws for x in law if x is not None)
        count = int((atoms[-1] - atoms[0]) / self.step)
        return [atoms[0] + k * self.step for k in range(-self.reach, count + self.reach + 1)]

    def masses(self, p: Law, q: Law) -> dict[str, tuple[mpf, mpf]]:
        """Of each output under both laws."""
        found = {SUPPRESSED: (p.get(None, mpf(0)), q.get(None, mpf(0)))}
        for y in self.points(p, q):
            output = becomes(self.value, y)
            mine, theirs = found.get(output, (mpf(0), mpf(0)))
            found[output] = mine + self.mass(p, y), theirs + self.mass(q, y)
        return found

    def divergence(self, p: Law, q: Law, growth: mpf) -> mpf:
        gaps = (mine - growth * theirs for mine, theirs in self.masses(p, q).values())
        return sum((max(g, mpf(0)) for g in gaps), mpf(0))

    def excess(self, p: Law, q: Law, growth: mpf, event: list[list[str]]) -> mpf:
        total = mpf(0)
        for low, high in event:
            y = kb.exact(low)
            while y <= kb.exact(high):
                total += self.mass(p, y) - growth * self.mass(q, y)
                y += self.step
        return total


class Points(Lattice):
    """Discrete Laplace noise within a bound, maybe stated by p."""

    def __init__(self, value: Json) -> None:
        noise, self.value = value["noise"], value
        self.step, self.bound = kb.exact(noise.get("step", 1)), kb.exact(noise["bound"])
        self.ratio = (
            1 - kb.real(noise["p"]) if "p" in noise
            else exp(-number(self.step) / kb.real(noise["scale"]))
        )  # fmt: skip
        self.whole = sum((self.weight(k * number(self.step))
                          for k in range(-self.reach, self.reach + 1)), mpf(0))  # fmt: skip

    @property
    def reach(self) -> int:
        return int(self.bound / self.step)

    def weight(self, far: mpf) -> mpf:
        steps = abs(far) / number(self.step)
        return self.ratio**steps if steps <= self.reach else mpf(0)


MADE: dict[str, type[Line | Lattice]] = {
    "laplace": Line, "truncated-laplace": Line, "bounded-laplace": Window,
    "gaussian": Bell, "discrete-gaussian": Lattice,
    "truncated-discrete-laplace": Points, "geometric": Points,
}


def is_true(value: Json, cert: Json, word: str) -> bool:
    """Whether what a certificate of such a problem claims holds."""
    made = MADE[value["noise"]["kind"]](value)
    growth, delta = exp(kb.real(value["epsilon"])), kb.real(value.get("delta", 0))
    laws = {
        (belief, name): law(prior)
        for belief, table in kb.beliefs(value).items() for name, prior in table.items()
    }  # fmt: skip
    if word == "certified":
        return all(
            made.divergence(laws[n, a], laws[n, b], growth) <= delta + kb.TOLERANCE
            for n, a, b in kb.ordered_goals(value)
        )
    (s,) = cert["steps"]
    p, q = laws[s["belief"], s["from"]], laws[s["belief"], s["to"]]
    margin = kb.real(s["margin"])
    if s["rule"] == "pure-refuted" and isinstance(made, Lattice):
        y = kb.exact(s["y"])
        return made.mass(p, y) >= growth * exp(margin) * made.mass(q, y) - kb.TOLERANCE
    if s["rule"] in ("output-refuted", "outputs-refuted") and isinstance(made, Lattice):
        found = made.masses(p, q)
        names = [s["output"]] if "output" in s else s["outputs"]
        if "output" in s and s["output"] not in found:
            raise TooLargeError  # farther out than the points that are added up here
        far = mpf(0), mpf(0)  # less than counts in an event
        mine, theirs = (sum((found.get(name, far)[k] for name in names), mpf(0)) for k in (0, 1))
        if "output" in s:
            return mine >= growth * exp(margin) * theirs * (1 - kb.TOLERANCE) > 0
        return mine - growth * theirs - delta >= margin - kb.TOLERANCE
    return made.excess(p, q, growth, s["event"]) - delta >= margin - kb.TOLERANCE


RESTS = (-9, 0, 3, 6, 40)  # numbers that all others may add, of all that there are


def with_rest(value: Json, rest: Fraction) -> Json:
    """The problem about a user's values where all others add a number."""
    priors = {
        name: {"kind": "discrete", "mass": {str(kb.exact(case["point"]) + rest): 1}}
        for name, case in value["system"]["user"].items()
    }
    return {**{key: x for key, x in value.items() if key != "system"}, "priors": priors}


def is_true_of_any_rest(value: Json, cert: Json, word: str) -> bool:
    """The same of a sum of which one user's part is known: at the number named, or at some."""
    if word == "certified":
        return all(is_true(with_rest(value, Fraction(rest)), cert, word) for rest in RESTS)
    (s,) = cert["steps"]
    if "part" not in s:  # far out, where no step acts
        bare = {key: x for key, x in with_rest(value, Fraction(0)).items() if key != "post"}
        return kb.is_true(bare, cert, word)
    inside = {**s["step"], **{key: s[key] for key in ("belief", "from", "to")}}
    return is_true(with_rest(value, kb.exact(s["part"]["rest"])), {"steps": [inside]}, word)
