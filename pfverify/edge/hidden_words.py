"""What a problem from records hides, and what it does not."""

from __future__ import annotations

import re
import shlex

from pfverify.edge.sentences import sentence
from pfverify.errors import shorten
from pfverify.model.provenance import Provenance


def hidden_words(told: Provenance | None, *, itself: bool = False) -> list[str]:
    """Return what is hidden, and that what is published is not; nothing where both are the same.

    `itself`: whether the scale hides each value that a record may add, too.

    Example: ``hidden_words(Provenance(secret="a", public="a"))`` is ``[]``.
    """
    if told is None or told.secret is None or told.public is None or told.time is not None:
        return []
    column = told.public.split("=")[0]
    if column == told.secret:
        return []
    names = {"secret": shorten(told.secret), "public": shorten(told.public)}
    if itself:
        return [sentence("hidden.itself", **names)]
    several = "," in told.public
    how = "" if several else sentence("hidden.how", command=_asked(told, column))
    whole = sentence("hidden.columns" if several else "hidden.column", **names)
    return [sentence("hidden.secret", **names, whole=whole, how=how)]


def _asked(told: Provenance, column: str) -> str:
    """The command that counts the published column as the secret."""
    data = told.data or "DATA"
    named = re.fullmatch(r"(.+\.xls\w) \(sheet (.+)\)", data, re.IGNORECASE)
    asked = ["pfverify", "prior", data] if named is None else (
        ["pfverify", "prior", named[1], "--sheet", named[2]]
    )  # fmt: skip
    asked += ["--secret", column, "--public", told.public or ""]
    if told.release is not None and told.release != "value":
        asked += ["--release", told.release]
    if told.clip is not None and told.low is not None and told.high is not None:
        asked += [f"--clip={told.low},{told.high}"]
    asked += [] if told.where is None else ["--where", told.where]
    return shlex.join(asked)
