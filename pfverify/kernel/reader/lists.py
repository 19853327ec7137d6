"""The source of single lists of numbers, one for each secret, from a table `lists`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.grammar import Malformed
from core.shapes import array, table
from reader import priors

if TYPE_CHECKING:
    from reader.protocols import Release, Source


def source(value: Any, release: Release) -> Source:
    """Each secret's numbers for sure: joint priors of one point, so that no prior is assumed."""
    stated = table(value["lists"], "lists", {"names", "rows"})
    if type(stated["rows"]) is not dict:
        raise Malformed("the rows of lists must be a table of secrets")
    laws = {
        secret: {"kind": "joint", "names": stated["names"], "rows": [[*array(row, "a list"), 1]]}
        for secret, row in stated["rows"].items()
    }
    rest = {key: x for key, x in value.items() if key != "lists"}
    found: Any = priors.source({**rest, "priors": laws}, release)
    made: Source = found._replace(said=f"{release.also}single lists of numbers")
    return made
