"""The pairs of secrets that a problem compares."""

from __future__ import annotations

from pfverify.errors import InputError, listed, shorten
from pfverify.model.releases.release import Laws


def resolved_pairs(
    beliefs: Laws, pairs: object, *, partial: bool = False
) -> tuple[tuple[str, str], ...]:
    """Check the named pairs under every belief, or (`partial`) some; the default is every pair."""
    names = list(next(iter(beliefs.values())))
    if pairs is None:
        for belief, table in beliefs.items():
            if extra := [name for name in table if name not in names]:
                raise InputError(
                    f"belief {belief!r}: the secret {extra[0]!r} has no prior under the first "
                    "belief; give it one everywhere, or list the pairs"
                )
        chosen = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        if not chosen:
            found = "none" if not names else f"only {names[0]!r}"
            raise InputError(f"priors: {found}, expected at least two secrets to compare")
    else:
        listing = listed(pairs, "pairs", "a list of pairs of secrets")
        chosen = [_checked_pair(pair) for pair in listing]
        if not chosen:
            raise InputError("pairs: the list is empty, expected at least one pair of secrets")
    kept: dict[frozenset[str], tuple[str, str]] = {}
    for pair in chosen:
        kept.setdefault(frozenset(pair), pair)
    for belief, table in beliefs.items():
        for secret in dict.fromkeys(name for pair in kept.values() for name in pair):
            if secret not in table and not (partial and _elsewhere(secret, beliefs)):
                from difflib import get_close_matches

                near = get_close_matches(secret, table, 1)
                secrets = shorten(", ".join(table), 60)
                hint = f"; did you mean {near[0]!r}?" if near else f"; the secrets are {secrets}"
                if pairs is None:
                    raise InputError(f"belief {belief!r}: the secret {secret!r} has no prior")
                where = "" if len(beliefs) == 1 else f" under belief {belief!r}"
                raise InputError(f"pairs: {secret!r} names no prior{where}{hint}")
    return tuple(kept.values())


def _checked_pair(pair: object) -> tuple[str, str]:
    names = listed(pair, "pairs", "pairs of secrets")
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise InputError(f"pairs: expected two names of secrets, got {shorten(names)}")
    if names[0] == names[1]:
        raise InputError(f"pairs: {names[0]!r} is paired with itself")
    return names[0], names[1]


def _elsewhere(secret: str, beliefs: Laws) -> bool:
    return any(secret in table for table in beliefs.values())
