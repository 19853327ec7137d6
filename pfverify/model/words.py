"""Other names that people give to a key, and the key that is meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pfverify.errors import InputError, shorten

_WIDTH = ("std", "stddev", "std_dev", "stdev", "standard_deviation", "sigma", "scale", "theta", "b")
_MEANT = {
    **dict.fromkeys(_WIDTH, ("sd", "scale")),
    **dict.fromkeys(("sd", "lambda", "beta"), ("scale",)),
    **dict.fromkeys(("var", "sigma2", "sigma^2", "sigma_squared", "sd2"), ("variance",)),
    **dict.fromkeys(("mu", "m", "loc", "location", "centre", "center", "average"), ("mean",)),
    **dict.fromkeys(("w", "p", "pi", "prob", "probability", "mass", "share"), ("weight",)),
    **dict.fromkeys(("normal", "gauss"), ("gaussian",)),
    **dict.fromkeys(("two-sided-geometric", "dlaplace"), ("discrete-laplace",)),
    **dict.fromkeys(("no", "nothing", "no_noise", "nonoise", "zero"), ("none",)),
    "parts": ("components",),
    "gmm": ("mixture",),
}
_NAMES = {name for names in _MEANT.values() for name in names}
_NOTES = {  # a wrong unit is a wrong number: say what the key stands for
    "sd": "the standard deviation",
    "variance": "sd squared",
    "scale": "sigma of gaussian noise; b of laplace noise, whose sd is b*sqrt(2)",
}
_HIDDEN_BEFORE = (
    "unknown key 'threshold': to suppress by the true value tells without noise that it is small; "
    "where this is likelier under one secret than epsilon and delta allow (as where it is certain "
    "under one and impossible under another), no scale of noise helps, and pfverify does not "
    "decide it; a threshold in [[post]] suppresses by the noisy value, which is another "
    "mechanism, and is decided"
)
OF_EACH_RECORD = (
    "one number is published of the whole chain; one for each record is asked with kind = "
    '"joint" priors: a coordinate for each record, and every path with its mass'
)
"""What to do where each record of a chain is to be published."""
_NEAR = 0.5
LIKE = 0.6
"""How alike two values of a column are at least, of which one may be meant for the other."""
_OF_NOISE = ("scale", "scales", "variance", "step", "releases", "draws", "total")


def meant(word: str, known: Iterable[str], least: float = _NEAR) -> str | None:
    """Return the known name that a wrong one probably stands for, or None.

    `least`: how alike they are at least, of 1.
    Example: ``meant("std", ("mean", "sd"))`` is ``"sd"``.
    """
    names = list(known)
    for name in _MEANT.get(word.lower().replace(" ", "_").replace("-", "_"), ()):
        if name in names:
            return name
    if word in _NAMES:  # a key of another table, not a misspelling
        return None
    from difflib import get_close_matches

    near = get_close_matches(word, names, 1, least)
    return near[0] if near else None


def check_keys(table: Iterable[object], known: Collection[str], where: str = "") -> None:
    """Raise InputError that begins with `where` for a key of a table that is none of the known.

    Example: ``check_keys({"mu": 1}, ("mean",), "prior: ")`` raises.
    """
    for key in table:
        if key not in known:
            raise InputError(f"{where}{unknown_key(key, known)}")


def unknown_key(key: object, known: Iterable[str]) -> str:
    """Return the message about a key that there is not, with the one that is meant.

    Example: ``unknown_key("mu", ("mean",))`` is ``"unknown key 'mu'; did you mean 'mean'?"``.
    """
    names = list(known)
    if key in _OF_NOISE and "noise" in names:
        return f"unknown key {key!r}; it is a key of the table [noise]"
    if key == "threshold" and "clamp" in names:  # of the steps before the noise
        return _HIDDEN_BEFORE
    name = meant(key, names) if isinstance(key, str) else None
    if name is None:
        return f"unknown key {shorten(key, 30)!r}; expected one of {', '.join(names)}"
    note = f" ({_NOTES[name]})" if name in _NOTES else ""
    return f"unknown key {shorten(key, 30)!r}; did you mean {name!r}{note}?"
