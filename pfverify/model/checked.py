"""What a problem is given, checked: its target, what releases, the priors and the pairs."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.number import Number, printable
from pfverify.model.channelled import over_inputs, single_inputs
from pfverify.model.channels.channel import Channel, exact_channel
from pfverify.model.kinds import NOISES, PRIORS, of_a_kind
from pfverify.model.noises.noise import Noise
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import Protection
from pfverify.model.systems.derived import derived
from pfverify.model.systems.system import System

DEFAULT_BELIEF = "default"


def checked_epsilon(value: object) -> Number:
    """Return an exact epsilon >= 0, or raise InputError."""
    epsilon = printable(value, "epsilon")
    sign = epsilon.sign()
    if sign is None or sign < 0:
        what = "cannot be told from a negative number" if sign is None else "is negative"
        raise InputError(f"epsilon: {shorten(epsilon.text)} {what}, expected a number >= 0")
    return epsilon


def checked_delta(value: object) -> Number:
    """Return an exact delta in [0, 1], or raise InputError."""
    delta = printable(value, "delta")
    low, high = delta.sign(), (Number.of_rational(1) - delta).sign()
    if low is None or high is None:
        raise InputError(f"delta: cannot decide whether {shorten(delta.text)} is in [0, 1]")
    if low < 0 or high < 0:
        raise InputError(f"delta: {shorten(delta.text)} is outside [0, 1]")
    return delta


def what_releases(noise: object, channel: object) -> Noise:
    """Return the noise: none of it where a channel releases."""
    if channel is None:
        if noise is None:
            raise InputError("noise: missing, expected a kind of noise, or a channel")
        return of_a_kind(noise, NOISES, "noise")
    if noise is not None and type(noise) is not NoNoise:
        raise InputError("a problem has noise or a channel, not both")
    exact_channel(channel, "channel")
    return NoNoise()


def stated_priors(
    channel: Channel | None,
    protection: Protection,
    priors: object,
    beliefs: object,
    system: object,
    pairs: object,
) -> tuple[dict[str, Mapping[str, Prior]], object]:
    """Return the priors under each belief, and the pairs that are asked for."""
    if protection.of_inputs and channel is None:
        raise InputError(f"notion: {protection.notion} compares the inputs of a channel")
    if channel is not None and protection.of_inputs:
        if pairs is not None:
            raise InputError("pairs: not with a notion of inputs; inputs_related says which pairs")
        found = single_inputs(channel, protection, DEFAULT_BELIEF)
        return dict(found.beliefs), found.pairs
    if system is not None:
        if channel is not None:
            raise InputError("system: a channel takes priors over its inputs, not a system")
        if protection.extended:
            raise InputError(
                f"notion: {protection.notion} is between priors that are given, and those of a "
                "system are worked out"
            )
        return _derived_tables(system, pairs)
    tables = _checked_tables(beliefs if beliefs is not None else {DEFAULT_BELIEF: priors})
    if channel is not None:
        return dict(over_inputs(channel, tables, pairs).beliefs), pairs
    for table in tables.values():
        for secret, prior in table.items():
            if isinstance(prior, Finite):
                raise InputError(
                    f"prior of {shorten(secret)!r}: a prior of kind finite is over the inputs of a "
                    "channel, and the problem has none"
                )
    return tables, pairs


def _derived_tables(
    system: object, pairs: object
) -> tuple[dict[str, Mapping[str, Prior]], object]:
    """Return the priors of a system, and its pairs."""
    if type(system) is not System:
        raise InputError(f"system: expected System, got {type(system).__name__}")
    if pairs is not None and system.pair_set is not None:
        raise InputError("pairs: the system's pair_set says which pairs are meant, not both")
    try:
        found = derived(system)
    except InputError as error:
        raise InputError(f"system: {error}") from None
    for secret in found.priors:
        _check_name("system.user: the secret", secret)
    return {DEFAULT_BELIEF: found.priors}, pairs if found.pairs is None else found.pairs


def _checked_tables(tables: object) -> dict[str, Mapping[str, Prior]]:
    if not isinstance(tables, Mapping):
        raise InputError(f"beliefs: expected a table, got {shorten(tables)!r}")
    if not tables:
        raise InputError("beliefs: there is none, expected at least one")
    return {name: _checked_table(name, table) for name, table in tables.items()}


def _checked_table(belief: object, table: object) -> dict[str, Prior]:
    """Return the priors of one belief after checking names and types."""
    _check_name("beliefs: the belief", belief)
    if not isinstance(table, Mapping):
        raise InputError(f"priors: expected a table secret -> prior, got {shorten(table)!r}")
    for secret, prior in table.items():
        _check_name("priors: the secret", secret)
        of_a_kind(prior, PRIORS, f"prior of {shorten(secret)!r}")
    return {secret: prior.normal_form() for secret, prior in table.items()}


def _check_name(what: str, name: object) -> None:
    if not isinstance(name, str):
        raise InputError(f"{what} {shorten(name)!r} is not text")
    if not name.strip() or not name.isprintable():
        raise InputError(f"{what} {shorten(ascii(name))} is empty or not printable text")


def resolved_pairs(
    beliefs: Mapping[str, Mapping[str, Prior]], pairs: object
) -> tuple[tuple[str, str], ...]:
    """Check the named pairs under every belief; the default is every pair."""
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
            if secret not in table:
                near = difflib.get_close_matches(secret, table, 1)
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
