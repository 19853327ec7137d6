"""Names of secrets and long numbers on the screen: no two of them print alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_LONG = 200  # characters from which a name is cut
_KEPT = 120  # characters of it that are left
_DIGITS = 32  # hexadecimal digits of a digest: too many to be matched on purpose
_MARKED = re.compile(r"\(sha256 [0-9a-f]{32}\)$")
_BLANK = set("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs without ink
_INKLESS = {"Mn", "Me", "Cf", "Zs"}  # accents too: one may be lost in a font
_DRAWN_ALIKE = str.maketrans(
    # Cyrillic, Greek, Armenian, dashes, quotes and slashes -> the ASCII character drawn like them
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0417\u0406\u0408\u0405"
    "\u03bf\u03b1\u03bd\u03c1\u03b9\u03ba\u03c5"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0585\u0570\u0578\u057d\u0581\u0131"
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u2032\u201c\u201d\u2044\u2215",
    "aeopcyxijshdqw" "ABEKMHOPCTYX3IJS" "oavpiku" "ABEZHIKMNOPTYX"
    "ohnugi" "------" "'''" '""' "//",
)


def marked(text: str, kept: str) -> str:
    """Return what is kept of a long text, with the digest that tells it from others.

    Example: ``marked("1" * 99, "11...")[:20]`` is ``"11... (sha256 fa098e"``.
    """
    import hashlib

    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kept} (sha256 {digest[:_DIGITS]})"


def distinct(names: Iterable[str]) -> dict[str, str]:
    """Return name -> what to print for it; different names get what looks different.

    A name is printed as it is, unless its spaces would be lost, it begins like something quoted,
    or it looks like another one of the names (letters of other scripts that are drawn alike,
    accents, marks without ink): then as quoted ASCII with escapes. Long ones are cut and carry
    their digest.
    Example: ``distinct(["a", "b "])`` is ``{"a": "a", "b ": "'b '"}``.
    """
    known = dict.fromkeys(names)
    alike: dict[str, set[str]] = {}
    for name in known:
        alike.setdefault(_outline(name), set()).add(name)
    return {
        name: _cut(name if _is_plain(name, alike[_outline(name)]) else _quoted(name))
        for name in known
    }


def _is_plain(name: str, alike: set[str]) -> bool:
    if len(alike) > 1 or not _outline(name) or not name.isprintable():
        return False
    # as what is printed for another name begins, also behind a mark without ink, or ends
    if _outline(name)[0] in "'\"" or _MARKED.search(name):
        return False
    return " ".join(name.split()) == name


def _quoted(name: str) -> str:
    return ascii(name).replace("  ", "\\x20 ").replace("  ", " \\x20")


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else marked(text, f"{text[:_KEPT]}...")


def _outline(name: str) -> str:
    """Return a text that names share when a reader could take one for the other."""
    return "".join(
        mark
        for mark in unicodedata.normalize("NFKD", name.translate(_DRAWN_ALIKE))
        if mark not in _BLANK and unicodedata.category(mark) not in _INKLESS
    ).translate(_DRAWN_ALIKE)
