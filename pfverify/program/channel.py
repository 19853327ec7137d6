"""The channel that a program is: the exact law of what it returns, for each input."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.no_truth import NoTruth
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.matrix import Matrix
from pfverify.model.names import checked_names, ordered
from pfverify.program.choice import MOST
from pfverify.program.paths import ProgramPath, ProgramProcess, Report, every_path, run_again
from pfverify.program.values import Plain, name_of, plain, value_of
from pfverify.workers.function import Limits
from pfverify.workers.place import Place, place, place_of

ASSUMED = (
    "the table is what the program did when every path of its choices was run, twice: that it "
    "depends on its input and on those choices alone is assumed (a clock, or a file that changes, "
    "may escape two runs)"
)
_PATHS = 100_000
_LIMITS = Limits()


@dataclass(frozen=True)
class EnumeratedProgram(NoTruth, ask="read its channel"):
    """The channel of a program. `paths` are those of each input; `program` is FILE:FUNCTION, and
    `program_sha256` the digest of that file's bytes."""

    channel: Channel
    paths: dict[str, int]
    program: str
    program_sha256: str
    assumed: list[str]


def channel_of(
    function: Callable[[Any], object] | str,
    inputs: Iterable[object],
    *,
    paths: int = _PATHS,
    timeout: float = _LIMITS.timeout,
    memory: int = _LIMITS.memory,
    report: Report = lambda done, total: None,
) -> EnumeratedProgram:
    """Return the exact channel of a function of one input, which asks for its randomness.

    It asks `coin`, `choose` and `uniform`, and is run once for every path of their outcomes, in a
    process of its own, under `timeout` seconds per run and `memory` MiB; then every path is run
    again, in another process. `function` is one at the top of a module, or "FILE.py:FUNCTION".
    Inputs and outputs are text, ints, bools, Fractions, None or tuples of these; their text names
    them. `report` is called with (done, total).

    Raises InputError, in one line: for two runs that differ, for more than `paths` paths of all
    inputs, for two outputs with the same text, for chances that do not sum to 1, and for whatever
    the function raises, with the input and the path.
    Example: ``channel_of("release.py:release", [0, 1]).paths`` is ``{"0": 3, "1": 3}``.
    """
    if type(paths) is not int or not 1 <= paths <= MOST:
        raise InputError(f"paths: {shorten(paths)}, expected a whole number from 1 to {MOST}")
    asked = [_input(one) for one in ordered(inputs, "inputs", "a list of inputs")]
    names = checked_names([name_of(one) for one in asked], "inputs")
    where = place(function) if isinstance(function, str) else place_of(function)
    source = _source(where)
    digest = _digest(source)
    limits = Limits(timeout, memory)
    with ProgramProcess(where, limits, paths) as program:
        found = every_path(program, asked, paths, report)
    with ProgramProcess(where, limits, paths) as program:
        run_again(program, found, report)
        unlimited = program.unlimited
    if _digest(source) != digest:
        raise InputError(f"{shorten(source, 200)}: it was changed while it was run")
    assumed = [ASSUMED]
    if unlimited is not None:
        assumed.append(f"its memory was not limited: {unlimited}")
    counts = Counter(name_of(path.input) for path in found)
    channel = _channel(names, found, where.text)
    name = f"{source.name}:{where.function}"
    return EnumeratedProgram(channel, dict(counts), name, digest, assumed)


def _input(value: object) -> Plain:
    with told_at("inputs: there is "):
        return plain(value)


def _source(where: Place) -> Path:
    """The file that a program is in; nothing of it is run here."""
    module = sys.modules.get(where.module or "")
    file = where.file or getattr(module, "__file__", None)
    if file is None:
        raise InputError(f"{where.text}: its file is not known, expected FILE.py:FUNCTION")
    return Path(file)


def _digest(source: Path) -> str:
    try:
        return hashlib.sha256(source.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{shorten(source, 200)}: cannot read: {error.strerror}") from None


def _channel(names: tuple[str, ...], paths: Iterable[ProgramPath], what: str) -> Channel:
    """The matrix of inputs and outputs."""
    rows: dict[str, dict[str, Fraction]] = {name: defaultdict(Fraction) for name in names}
    outputs: dict[str, Plain] = {}
    for path in paths:
        name = name_of(path.returned)
        if outputs.setdefault(name, path.returned) != path.returned:
            raise InputError(
                f"{what}: two different outputs are called {shorten(name, 40)!r}, as a number and "
                "its text would be; expected outputs whose texts differ"
            )
        rows[name_of(path.input)][name] += path.chance
    with told_at(f"{what}: "):
        columns = checked_names(_in_order(outputs), "outputs")
    return Matrix(names, columns, [[rows[one][other] for other in columns] for one in names])


def _in_order(outputs: Mapping[str, Plain]) -> list[str]:
    """The names of outputs: numbers by their size, others in the order in which they came."""
    values = {name: value_of(data) for name, data in outputs.items()}
    numbers = {name: value for name, value in values.items()
               if isinstance(value, int | Fraction) and not isinstance(value, bool)}  # fmt: skip
    return sorted(numbers, key=numbers.__getitem__) if len(numbers) == len(values) else [*values]
