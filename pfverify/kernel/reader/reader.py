"""From a problem file to the problem it states: laws of X, what becomes of X, and what is to hold
of every pair, a notion with its epsilon and delta, in a form; the digest of a problem.

Everything here either returns what it promises or raises Malformed.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, Number, canonical, shown
from core.kinds import FORMS, RENYI, ZCDP, Beliefs, Pairs
from core.shapes import MAX_PAIRS, array, number, string, table
from core.value import require_range
from core.work import spend
from reader.files import canonical_json, parse_file
from reader.tables import NOISES, NOTIONS, RELATED, RELEASES, SOURCES, Row

if TYPE_CHECKING:
    from core.rules import Names
    from reader.protocols import Notion, Release, Source


class Uniform:
    """A notion that has one epsilon for all pairs."""

    def __init__(self, name: str, written: dict[str, Any]) -> None:
        self.name, self.written = name, written  # its keys as they go into a digest

    def words(self) -> str:
        """The notion, in a message."""
        return f"notion={self.name}"

    def epsilon(self, stated: Number, names: Names) -> Number:
        """The epsilon of a belief and two secrets."""
        return stated


class Target(NamedTuple):
    """P(B) <= e^epsilon Q(B) + delta for every event B, or that of every output; or D <= epsilon
    for the Renyi divergence of an order, or <= epsilon times the order for each, delta = 0."""

    notion: Notion
    epsilon: Number
    delta: Number
    form: str
    order: Fraction | None


def _order(value: Any, form: str) -> Fraction | None:
    """That of the divergence, of the form renyi alone."""
    if (form in RENYI) != ("order" in value):
        raise Malformed(f"the form {shown(form)} has {'an' if form in RENYI else 'no'} order")
    return Row("core.renyi", ()).reader("stated_order")(value) if form in RENYI else None


def written(stated: Any, name: str) -> dict[str, Any]:
    """The keys of a notion without a metric as they go into a digest."""
    return {"notion": name, **{key: stated[key] for key in RELATED if key in stated}}


def notion(stated: Any, name: str, release: object, source: object) -> Uniform:
    """The notion that a table states, which has no metric."""
    return Uniform(name, written(stated, name))


class Problem(NamedTuple):
    """A parsed problem: laws of X, what becomes of X, and what is to hold of every pair."""

    source: Source
    release: Release
    target: Target
    beliefs: Beliefs  # the laws of the source as the release has them
    pairs: Pairs
    stated: dict[str, Any]  # the table that states it


def _pairs(asked: Any, beliefs: Beliefs, partial: bool) -> Pairs:
    first = list(next(iter(beliefs.values())))
    if "pairs" in asked:
        named: Pairs = []
        for entry in array(asked["pairs"], "pairs"):
            names = [string(s, "a secret of a pair") for s in array(entry, "a pair")]
            if len(names) != 2 or names[0] == names[1]:
                raise Malformed("a pair must name two different secrets")
            named.append((names[0], names[1]))
    else:
        if len(first) ** 2 > 2 * MAX_PAIRS:
            raise Malformed("too many pairs")
        if any(priors.keys() != set(first) for priors in beliefs.values()):
            raise Malformed("without pairs, every belief must have the same secrets")
        spend(8 * len(first) ** 2)
        named = [(a, b) for i, a in enumerate(first) for b in first[i + 1 :]]
    pairs: dict[tuple[str, str], None] = {}
    for a, b in named:
        if (b, a) not in pairs:
            pairs[a, b] = None
    if not pairs or len(pairs) > MAX_PAIRS:
        raise Malformed("no pairs: nothing to decide" if not pairs else "too many pairs")
    for belief, priors in () if partial else beliefs.items():
        for s in {s for pair in pairs for s in pair} - priors.keys():
            raise Malformed(f"belief {shown(belief)} has no secret {shown(s)}")
    return list(pairs)


def _tables(value: Any) -> tuple[str, str]:
    """The tables of a problem that state its release and its source; no others."""
    if type(value) is not dict:
        raise Malformed("the problem must be a table")
    release = next((name for name in RELEASES if name in value), "")
    if not release:
        raise Malformed(f"a problem must have one of {', '.join(RELEASES)}")
    sources = [name for name, row in SOURCES.items() if release in row.goes]
    optional = {"delta", "form", "order", "pairs", "provenance", *RELEASES[release].goes, *sources}
    table(value, "the problem", {"schema", "epsilon", release}, optional)
    named = [name for name in sources if name in value and name != release] or [release]
    if len(named) > 1 or named[0] not in sources:
        raise Malformed(f"a problem must have exactly one of {', '.join(sources)}")
    return release, named[0]


def problem_of(value: Any) -> Problem:
    """The problem that a parsed file states.  Where its numbers come from decides nothing."""
    how, whence = _tables(value)
    if value["schema"] != "pfverify/problem/1":
        raise Malformed("the problem's schema is not supported by this kernel")
    if type(value.get("provenance", {})) is not dict:
        raise Malformed("the provenance must be a table")
    epsilon, delta = number(value["epsilon"], "epsilon"), number(value.get("delta", 0), "delta")
    require_range("epsilon", epsilon, decide=False)
    require_range("delta", delta, decide=False)
    form = string(value.get("form", "events"), "form")
    if form not in FORMS + RENYI + ZCDP:
        raise Malformed(f"the form {shown(form)} is not supported by this kernel")
    order = _order(value, form)
    release: Release = RELEASES[how].reader("release")(value)
    source: Source = SOURCES[whence].reader("source")(value, release)
    if "pre" in value:
        source = Row("reader.before", ()).reader("before")(source, value["pre"])
    stated = value if "notion" in RELEASES[how].goes else value[how]
    name = string(stated.get("notion", source.notion), "notion")
    if name not in NOTIONS or source.of not in NOTIONS[name].goes:
        raise Malformed(f"the notion {shown(name)} is not one for {source.of}")
    others = {key for row in NOTIONS.values() for key in row.own} - {*NOTIONS[name].own}
    for key in others & stated.keys() - release.own:
        raise Malformed(f"the notion {name} has no {key}")
    pairs = _pairs(source.asked, source.beliefs, source.partial)
    beliefs = release.laws(source.beliefs, pairs)
    asked = NOTIONS[name].reader("notion")(stated, name, release, source)
    target = Target(asked, epsilon, delta, form, order)
    return Problem(source, release, target, beliefs, pairs, value)


def require_valid(problem: Problem) -> None:
    """Malformed unless every number of a parsed problem is defined and in its range."""
    target, amount = problem.target, problem.release.amount
    for what, x in (("epsilon", target.epsilon), ("delta", target.delta), ("scale", amount)):
        if x is not None:
            require_range(what, x, decide=True)


def require_kinds(problem: Problem) -> None:
    """Malformed unless the rules know the noise and the form of the problem, whoever made it: they
    tell the two Laplace noises by the step, and so rely on this."""
    kind, form = problem.release.kind, problem.target.form
    if kind not in NOISES or form not in FORMS + RENYI + ZCDP:
        raise Malformed(f"noise {shown(kind)} and form {shown(form)} are not both known here")
    if (problem.release.step is not None) != NOISES[kind].lattice:
        raise Malformed("discrete-laplace noise needs a step, other noise has none")


def parse_problem(data: bytes, is_json: bool) -> Problem:
    """The problem that the bytes of a JSON or TOML file state."""
    return problem_of(parse_file(data, is_json))


def digest(problem: Problem) -> str:
    """sha256 of the problem in canonical JSON: numbers exact, secrets in file order.  The source
    and the release say what stands for them."""
    value = {
        "schema": "pfverify/problem/1",
        "epsilon": canonical(problem.target.epsilon),
        "delta": canonical(problem.target.delta),
        "form": problem.target.form,
        **({} if (order := problem.target.order) is None else {"order": canonical(order)}),
        "pairs": [list(p) for p in problem.pairs],
        **problem.release.canonical(problem.target.notion),
        **problem.source.canonical(),
    }
    return hashlib.sha256(canonical_json(value)).hexdigest()
