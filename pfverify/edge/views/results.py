"""The results of claims in a word, with what they mean and in which tone."""

from __future__ import annotations

from pfverify.edge.document import Tone, Toned
from pfverify.proof.outcome import Outcome

FAILED = "FAILED"
KINDS = (
    ("PROVED", "the claim follows, as it is read, from its hypotheses"),
    ("REFUTED", "a counterexample, or a theorem against it, shows that it is false"),
    ("REPAIRED", "it is false as printed; a corrected statement is proved"),
    ("BOTH READINGS", "the text can be read in several ways, each of which is settled"),
    ("NOT CHECKABLE", "nothing can be shown, for the reason given"),
    (FAILED, "the file does not earn the result that it declares"),
)
_TONES = {
    "PROVED": Tone.GOOD, "REFUTED": Tone.BAD, "REPAIRED": Tone.OPEN, "BOTH READINGS": Tone.TITLE,
    "NOT CHECKABLE": Tone.TITLE, FAILED: Tone.BAD,
}  # fmt: skip


def result_word(outcome: Outcome) -> str:
    """Return the result of a claim in a word: that of the file, or FAILED."""
    return FAILED if outcome.failure else str(outcome.declared)


def badge(word: str) -> Toned:
    """Return a result in its tone."""
    return Toned(word, _TONES[word])
