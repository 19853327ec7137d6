"""The theorems that an exported file states, each with its one line of proof.

`statements.toml` has their texts, which are written out from the definitions of `proofs/coq`: Coq
takes the theorems of `Check.v`, `Bracket.v`, `Lattice.v` and `EveryScale.v` for them by conversion,
and a reader needs `Release.v`, `Numbers.v` and the tables of `Problems.v` alone. Every other name
is written with its module, and no other module is imported: none can give a word of a statement
another meaning.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from pfverify.edge.coq.names import CoqNames
from pfverify.edge.coq.tables import WIDTH, folded

IMPORTED = ("Release", "Numbers", "Problems")
"""The modules whose names statements use as they are, in the order of what they require."""
_MORE = {"Systems": ("Independent",), "Divergence": ("Integrals",), "Bare": ("Means",)}
"""Module that statements name -> the modules besides that define what its definitions say."""
_QUALIFIED = re.compile(r"\b([A-Z]\w*)\.(?=[A-Za-z])")
_TEXTS = tomllib.loads((files("pfverify.edge.coq") / "statements.toml").read_text("utf-8"))
TAKEN: dict[str, str] = _TEXTS["taken"]
"""What is worked out of a problem in Python, and stated as if it were the problem, in words."""
NOTES: dict[str, str] = _TEXTS["notes"]
"""What the first comment of a file says where it is so."""


def definitions_of(modules: Iterable[str]) -> tuple[str, ...]:
    """Return the files with every definition that statements need, which name these modules.

    Example: ``definitions_of(["Bare"])[3:]`` is ``("Bare.v", "Means.v")``.
    """
    named = sorted({name for one in modules for name in (one, *_MORE.get(one, ()))})
    return tuple(f"{name}.v" for name in (*IMPORTED, *named))


@dataclass(frozen=True)
class StatedTheorem:
    """A name with what it ends in, lines of a statement, a term that proves it, and its words."""

    name: str
    ending: str
    statement: Sequence[str]
    proof: str
    words: str

    @property
    def defining(self) -> set[str]:
        """The modules that its statement names."""
        return {*_QUALIFIED.findall(" ".join(self.statement))}

    @property
    def modules(self) -> set[str]:
        """The modules that it names."""
        return self.defining | {*_QUALIFIED.findall(self.proof)}

    def lines(self) -> list[str]:
        """The theorem as it stands in the file."""
        return [
            f"Theorem {self.name} :",
            *(line for whole in self.statement for line in _within(whole)),
            *self._proved(),
        ]

    def _proved(self) -> list[str]:
        line = f"Proof. exact {self.proof}. Qed."
        lines = [line] if len(line) <= WIDTH else [
            "Proof.", *folded(f"exact {self.proof}.", "  ", "    "), "Qed."
        ]  # fmt: skip
        return [line.replace("\xa0", " ") for line in lines]


def _within(line: str) -> list[str]:
    """A line with its indent, over several where it is long."""
    text = line.lstrip()
    indent = line[: len(line) - len(text)]
    return folded(text, indent, f"{indent}  ")


class Wording:
    """The words of one setting, as `statements.toml` has them, with the identifiers of a file.

    The settings are `tables`, `lattice`, `users`, `any_rest`, `events` and `pointwise`.
    """

    def __init__(self, setting: str, words: Mapping[str, str], names: CoqNames) -> None:
        self._words: dict[str, str] = {**_TEXTS["words"], **_TEXTS["settings"][setting], **words}
        self._names = names

    def filled(self, text: str, words: Mapping[str, str]) -> str:
        """Return a text with all words, and these besides, in the place of their names in braces.

        Raises KeyError for a name that there is not.
        """
        known = {**self._words, **words}
        while "{" in text:
            text = text.format_map(known)
        return text

    def theorem(self, kind: str, label: str, words: Mapping[str, str]) -> StatedTheorem:
        """Return the theorem of a kind, with these words besides; its name begins with the label.

        Raises KeyError for a kind that `statements.toml` does not have.
        """
        texts = _TEXTS["theorems"][kind]
        known = {"at": texts["at"], **words}
        found = {key: self.filled(text, known) for key, text in texts.items()}
        lines = [line.rstrip() for line in found["statement"].split("\n") if line.strip()]
        name = self._names.new("", label, found["ends"])
        return StatedTheorem(name, found["ends"], lines, found["proof"], found["says"])

    def of_bracket(self, lower: str, words: Mapping[str, str]) -> dict[str, str]:
        """Return words with which, besides these, a theorem is about a scale and a lower one."""
        at_lower = {**words, "scale": lower, "at": "{any_scale}"}
        found = {key: self.filled(f"{{{key}}}", at_lower) for key in ("below", "refuted")}
        return {"lower": lower, **found}

    def again(self, theorem: StatedTheorem, label: str) -> StatedTheorem:
        """Return the same theorem under another label, proved by the first one."""
        name = self._names.new("", label, theorem.ending)
        return replace(theorem, name=name, proof=theorem.name)
