"""What is published, and what is secret, by the names that their owner knows them by."""

from __future__ import annotations

from pfverify.edge.report.facts import Facts
from pfverify.edge.report.labels import Names
from pfverify.edge.report.sentences import entry, words
from pfverify.edge.views.pairs import listed
from pfverify.errors import shorten
from pfverify.model.problem import Problem

_COLUMN, _UNIT = 28, 24  # characters of a name in a picture
_AXIS = 58  # characters that fit below one


def shown(text: str) -> str:
    """Return a text as a reader may see it, whatever it holds.

    Example: ``shown("age")`` is ``'age'``.
    """
    return Names([text]).plain(text)


def published(facts: Facts) -> str:
    """Return what is published, in words; "" where neither the file nor its owner says it."""
    told = facts.problem.provenance
    if facts.about:
        return shown(facts.about)
    if told is None or told.public is None:
        return ""
    kinds = entry("data.releases")
    how = [kinds.get(told.release, told.release)] if told.release is not None else []
    how += [words("named.unit", unit=shown(told.unit))] if told.unit is not None else []
    said = f" ({', '.join(map(shown, how))})" if how else ""
    return f"{Names([told.public]).of(told.public)}{said}"


def release_words(facts: Facts) -> str:
    """Return what a verdict is about: this release, and of what where that is known."""
    what = published(facts)
    return words("named.release-of", what=what) if what else words("named.release")


def pairs_words(problem: Problem, names: Names) -> str:
    """Return which pairs are compared, and what they are values of."""
    kind = "inputs" if problem.protection.of_inputs else "secrets"
    if len(problem.pairs) == 1:
        first, second = map(names.of, problem.pairs[0])
        return words("named.one-pair", kind=kind, first=first, second=second)
    told = problem.provenance
    if told is not None and told.secret is not None:
        of = words("named.values", column=Names([told.secret]).of(told.secret))
    else:
        of = listed(names.of(name) for pair in problem.pairs for name in pair)
    return words("named.pairs", count=len(problem.pairs), kind=kind, of=of)


def size_axis(problem: Problem, size: str) -> str:
    """Return the name of an axis of scales: they have the unit of what is published."""
    told = problem.provenance
    if told is None or told.public is None:
        return size
    if told.unit is not None:
        unit = told.unit.partition(" since ")[0]  # of differences, whatever 0 is
        return words("named.size-in", size=size, unit=shown(shorten(unit, _UNIT)))
    return words("named.size", size=size, column=shown(shorten(told.public, _UNIT)))


def axis(problem: Problem, lead: str, more: str = "") -> str:
    """Return the name of an axis of the published number: that of its column, and the unit.

    `lead` stands before them, and alone where the file has no name or there is no room for it;
    `more` follows.
    """
    told = problem.provenance
    if told is None or told.public is None:
        return f"{lead}{more}"
    kind = "value" if told.release is None else told.release
    of = entry("named.axes").get(kind, "{column}")
    column = of.format(column=shown(shorten(told.public, _COLUMN)))
    unit = "" if told.unit is None else f" ({shown(shorten(told.unit, _UNIT))})"
    for name in (f"{lead}: {column}{unit}", f"{column}{unit}", f"{lead}: {column}", column):
        if len(name) + len(more) <= _AXIS:
            return f"{name}{more}"
    return f"{lead}{more}"
