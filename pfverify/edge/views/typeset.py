"""Plain words of proof files as a page sets them: epsilon as a letter, <= as one sign."""

from __future__ import annotations

import re

from pfverify.edge.document import Inline, Maths, Text
from pfverify.proof.notation import GREEK, sign_of

_LETTERS = "|".join(sorted(GREEK, key=len, reverse=True))
_WORD = re.compile(
    rf"(?<![A-Za-z_])(?:({_LETTERS})|[A-Za-z](?='*[_^][A-Za-z0-9]))"  # a letter of a formula
    r"'*(?:_[A-Za-z0-9]+)?(?:\^[A-Za-z0-9]+|\^?\*(?!\*))?(?![A-Za-z0-9_])"
)
_NAME = re.compile(rf"(?<![A-Za-z])(?:{_LETTERS})(?![A-Za-z])")
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→"}


def typeset(words: str) -> Text:
    """Return words with their letters of formulas set as formulas.

    Example: ``typeset("at <= 1")`` is ``("at ≤ 1",)``.
    """
    found: list[Inline] = []
    end = 0
    for match in _WORD.finditer(words):
        found += [_plain(words[end : match.start()])] if match.start() > end else []
        notation = re.sub(r"(?<!\^)\*", "^*", match[0])
        found.append(Maths(sign_of(notation).mathml()))
        end = match.end()
    return (*found, _plain(words[end:])) if end < len(words) else tuple(found)


def lettered(words: str) -> str:
    """Return words with Greek letters for their names, where there is only text.

    Example: ``lettered("tau*")`` is ``"τ*"``.
    """
    return _NAME.sub(lambda match: GREEK[match[0]], words)


def _plain(words: str) -> str:
    for text, sign in _SIGNS.items():
        words = words.replace(text, sign)
    return words
