"""The keys of a chain, read one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.number import rational
from pfverify.model.chains.stationary import stationary_law
from pfverify.model.sums import check_law

STATIONARY = "stationary"

Law = dict[str, Fraction]
Matrix = tuple[tuple[Fraction, ...], ...]
Names = Mapping[str, object]



def states_of(stated: object, valued: bool) -> dict[str, Fraction | None]:
    """Return name -> value of the states, None where names alone are stated."""
    found: dict[str, Fraction | None]
    if isinstance(stated, Mapping):
        found = {
            name: rational(value, f"states.{shorten(name, 30)}") for name, value in stated.items()
        }
    else:
        names = listed(stated, "states", "a table name -> value, or a list of names")
        if valued:
            raise InputError("states: expected a table name -> value, since values are released")
        found = dict.fromkeys(names)
        if len(found) < len(names):
            raise InputError("states: a name occurs twice")
    if len(found) < 2:
        raise InputError("states: expected at least two")
    for name in found:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise InputError(f"states: {shorten(ascii(name))} is no printable name")
    return found


def _masses(stated: object, names: Names, where: str) -> Law:
    """The masses of states, 0 where none is stated; they sum to 1."""
    if not isinstance(stated, Mapping):
        raise InputError(f"{where}: expected a table of masses, got {shorten(stated)!r}")
    for name in stated:
        if name not in names:
            raise InputError(
                f"{where}: {shorten(name)!r} is no state; expected {shorten(', '.join(names), 60)}"
            )
    found = {
        name: rational(stated.get(name, 0), f"{where}.{shorten(name, 30)}") for name in names
    }
    check_law(found.values(), where)
    return found


def transitions_of(
    stated: object, names: Names, length: int
) -> tuple[Matrix, ...]:
    """Return the matrices of the steps, one where they are all the same."""
    if isinstance(stated, Mapping):
        return (_matrix(stated, names, "transition"),)
    tables = listed(stated, "transition", "a table state -> next state -> mass, or a list of them")
    if len(tables) != length - 1:
        raise InputError(
            f"transition: {len(tables)} tables, expected one, or {length - 1} for the steps of "
            f"{length} records"
        )
    found = tuple(_matrix(one, names, f"transition[{k}]") for k, one in enumerate(tables))
    return found[:1] if len(set(found)) == 1 else found


def _matrix(stated: object, names: Names, where: str) -> Matrix:
    if not isinstance(stated, Mapping):
        raise InputError(f"{where}: expected a table, got {shorten(stated)!r}")
    for name in stated:
        if name not in names:
            raise InputError(f"{where}: {shorten(name)!r} is no state")
    rows = []
    for name in names:
        if name not in stated:
            raise InputError(f"{where}: no row for the state {shorten(name)!r}")
        rows.append(tuple(_masses(stated[name], names, f"{where}.{shorten(name, 30)}").values()))
    return tuple(rows)


def start_of(stated: object, names: Names, matrices: tuple[Matrix, ...]) -> Law:
    """Return the masses of the states at time 1."""
    if stated != STATIONARY:
        return _masses(stated, names, "start")
    if len(matrices) != 1:
        raise InputError("start: stationary needs one table of transitions")
    return dict(zip(names, stationary_law(list(names), matrices[0]), strict=True))


def observed_of(
    stated: object, names: Names
) -> dict[str, dict[Fraction, Fraction]]:
    """Return state -> observed value -> mass."""
    if not isinstance(stated, Mapping) or {*stated} != {*names}:
        raise InputError("observation: expected a table of masses for each of the states")
    found = {}
    for name in names:
        where = f"observation.{shorten(name, 30)}"
        if not isinstance(stated[name], Mapping):
            raise InputError(f"{where}: expected a table value -> mass")
        law: dict[Fraction, Fraction] = {}
        for text, mass in stated[name].items():
            value = rational(text, f"{where}: the value {shorten(text, 24)}")
            if value in law:
                raise InputError(f"{where}: the value {shorten(text, 24)} occurs twice")
            law[value] = rational(mass, f"{where}.{shorten(text, 24)}")
        check_law(law.values(), where)
        found[name] = {value: mass for value, mass in sorted(law.items()) if mass}
    return found


def _only_with(value: object, key: str, release: str, wanted: str) -> bool:
    """Whether a key is stated, which goes with one release."""
    if (value is not None) != (release == wanted):
        verb = "needs" if release == wanted else "goes without"
        raise InputError(f"{key}: release {release} {verb} it")
    return value is not None


def counted_of(stated: object, names: Sequence[str | Fraction], release: str) -> tuple[str, ...]:
    """Return the names that are counted, none where nothing is."""
    if not _only_with(stated, "count", release, "count"):
        return ()
    single = isinstance(stated, str | int | Fraction)
    given = [stated] if single else listed(stated, "count", "a name or a list of names")
    numbers = isinstance(names[0], Fraction)
    wanted = {rational(x, "count") if numbers else x for x in given}
    if unknown := [x for x in wanted if x not in names]:
        raise InputError(f"count: {shorten(unknown[0])!r} is nothing that a record may be")
    return tuple(str(name) for name in names if name in wanted)


def weights_of(stated: object, length: int, release: str) -> tuple[Fraction, ...]:
    """Return the weights of the records, none where nothing is weighted."""
    if not _only_with(stated, "weights", release, "weighted"):
        return ()
    given = listed(stated, "weights", "a list of numbers")
    if len(given) != length:
        raise InputError(f"weights: {len(given)}, expected one for each of {length} records")
    return tuple(rational(w, f"weights[{k}]") for k, w in enumerate(given))


def times_of(stated: object, length: int, secrets: object) -> tuple[int, ...] | None:
    """Return the times that are secret, sorted; None: every one."""
    if stated is None:
        return None
    if secrets is not None:
        raise InputError("at: secrets is stated too, expected one of them")
    given = listed(stated, "at", "a list of times")
    for time in given:
        if isinstance(time, bool) or not isinstance(time, int) or not 1 <= time <= length:
            raise InputError(f"at: {shorten(time)} is no time from 1 to {length}")
    return tuple(sorted(set(given)))
