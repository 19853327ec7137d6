"""The exceptions of pfverify, named for what went wrong."""


class PfverifyError(Exception):
    """Base class of every error that pfverify raises on purpose."""


class InputError(PfverifyError, ValueError):
    """Input that cannot be used: the one-line message says what, where, and what was expected."""


class UndecidedError(PfverifyError):
    """A search met a point that could not be decided; the message says why."""


def shorten(value: object, limit: int = 60) -> str:
    """Return `value` as text of at most `limit` characters, safe for one-line messages.

    Example: ``shorten("a" * 100, 9)`` is ``"aaaa...aa"``.
    """
    text = value if isinstance(value, str) else _text(value)
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    tail = max(0, (limit - 3) // 3)
    return f"{text[: limit - 3 - tail]}...{text[len(text) - tail :]}"


def _text(value: object) -> str:
    try:
        return str(value)
    except ValueError:  # Python refuses to print integers beyond its digit limit
        return f"a number of {type(value).__name__} type with thousands of digits"
