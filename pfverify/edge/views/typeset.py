"""Plain words of proof files as a page sets them: epsilon as a letter, <= as one sign.

So are powers and indices, also in parentheses: e^(|x - x'|/theta), Q(z - 1)^2, [1 - r]_+.
"""

from __future__ import annotations

import re
from html import escape

from pfverify.edge.document import Inline, Text
from pfverify.edge.pages import Maths
from pfverify.proof.notation import GREEK, sign_of, sign_of_name

_LETTERS = "|".join(sorted(GREEK, key=len, reverse=True))
_WORD = re.compile(
    rf"(?<![A-Za-z_])(?:({_LETTERS})|[A-Za-z](?='*[_^][A-Za-z0-9]))"  # a letter of a formula
    r"'*(?:_[A-Za-z0-9]+)?(?:\^[A-Za-z0-9]+|\^?\*(?!\*))?(?![A-Za-z0-9_])"
)
_NAME = re.compile(rf"(?<![A-Za-z])(?:{_LETTERS})(?![A-Za-z])")
_MINUS = "\u2212"
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "+-": "±"}
_BASE = re.compile(rf"(?<![A-Za-z_0-9])(?:{_LETTERS}|[A-Za-z]|[0-9]+)'*(?=[_^])|[)\]](?=[_^])")
_LONGEST = 200  # characters of a power or an index in parentheses
_PLAIN = re.compile(r"-?(?:\d+(?:\.\d+)?|[A-Za-z]+)|[+*]|\|[^|]+\|")
_PARTS = re.compile(r"[A-Za-z]+'*|\d+(?:\.\d+)?|<=|>=|!=|->|\S")


def typeset(words: str) -> Text:
    """Return words with their letters of formulas set as formulas.

    Example: ``typeset("at <= 1")`` is ``("at ≤ 1",)``.
    """
    found: list[Inline] = []
    end = at = 0
    while at < len(words):
        part, after = _formula(words, at)
        if part is None:
            at = after
            continue
        found += [_plain(words[end:at])] if at > end else []
        found.append(part)
        end = at = after
    return (*found, _plain(words[end:])) if end < len(words) else tuple(found)


def _formula(words: str, at: int) -> tuple[Maths | None, int]:
    """The letter or power that begins at a place, and where it ends; None, and the next place."""
    match, base = _WORD.match(words, at), _BASE.match(words, at)
    end = 0 if base is None else _scripts_end(words, base.end())
    if end > (0 if match is None else match.end()):
        text = words[at:end]
        return Maths(_markup(text), lettered(text)), end
    if match is not None:
        notation = re.sub(r"(?<!\^)\*", "^*", match[0])
        return Maths(sign_of(notation).mathml()), match.end()
    return None, at + 1


def _scripts_end(words: str, at: int) -> int:
    """Where powers and indices end that begin at a place, 0 if no such thing is there."""
    end = at
    for _ in "_^":
        if (arg := _argument(words, end)) is not None:
            end = arg[1]
    return end if end > at else 0


def _argument(words: str, at: int) -> tuple[str, int] | None:
    """What stands behind the ^ or _ at a place, without its parentheses, and where that ends."""
    if words[at : at + 1] not in ("^", "_"):
        return None
    start = at + 1
    if words[start : start + 1] == "(":
        depth = 0
        for k in range(start, min(len(words), start + _LONGEST)):
            depth += (words[k] == "(") - (words[k] == ")")
            if depth == 0:
                return words[start + 1 : k], k + 1
        return None
    match = _PLAIN.match(words, start)
    return None if match is None else (match[0], match.end())


def _markup(text: str) -> str:
    """MathML of a formula in plain text: every name, number, sign, power and index of it."""
    found: list[str] = []
    at = 0
    while at < len(text):
        if found and (arg := _argument(text, at)) is not None:
            tag = "msup" if text[at] == "^" else "msub"
            base = found.pop()
            if (base, tag) == ("<mi>e</mi>", "msup"):
                base = '<mi mathvariant="normal">e</mi>'  # the number, upright as in formulas
            found.append(f"<{tag}>{base}<mrow>{_markup(arg[0])}</mrow></{tag}>")
            at = arg[1]
        elif match := _PARTS.match(text, at):
            found.append(_piece(match[0]))
            at = match.end()
        else:  # a space
            at += 1
    return "".join(found)


def _piece(text: str) -> str:
    if text[0].isalpha():
        return sign_of_name(text, {}).mathml()
    if text[0].isdigit():
        return f"<mn>{text}</mn>"
    return f"<mo>{escape(_SIGNS.get(text, _MINUS if text == '-' else text))}</mo>"


def lettered(words: str) -> str:
    """Return words with Greek letters for their names, where there is only text.

    Example: ``lettered("tau*")`` is ``"τ*"``.
    """
    return _NAME.sub(lambda match: GREEK[match[0]], words)


def _plain(words: str) -> str:
    for text, sign in _SIGNS.items():
        words = words.replace(text, sign)
    return words
