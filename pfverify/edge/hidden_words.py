"""What a problem from records hides, and what it does not."""

from __future__ import annotations

import shlex

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
    if itself:
        return [
            f"What is hidden is {shorten(told.secret)}: which of its values somebody has. So is "
            f"what somebody adds ({shorten(told.public)}): at this scale every value is."
        ]
    whole, how = f"The published column itself ({shorten(told.public)}) is", ""
    if "," in told.public:
        whole = f"The published columns themselves ({shorten(told.public)}) are"
    else:
        asked = ["pfverify", "prior", told.data or "DATA", "--secret", column]
        asked += ["--public", told.public]
        if told.release is not None and told.release != "value":
            asked += ["--release", told.release]
        if told.clip is not None and told.low is not None and told.high is not None:
            asked += [f"--clip={told.low},{told.high}"]
        asked += [] if told.where is None else ["--where", told.where]
        how = f" {shlex.join(asked)} says how to hide it too."
    return [
        f"What is hidden is {shorten(told.secret)}: which of its values somebody has. {whole} "
        f"not: of that an output tells whatever the noise leaves.{how}"
    ]
