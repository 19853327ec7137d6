"""What steps make of a noisy number where every output has its mass: a channel from the atoms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, shown
from core.kinds import Beliefs, Mass
from core.masses import outputs_of, total_of
from core.spans import SUPPRESSED
from core.work import spend
from reader.combined import lifted
from reader.noise import Noise
from reader.steps import NO_ROW, ONE, Stage, image_of

if TYPE_CHECKING:
    from reader.cells import Stretch

NOTHING = Fraction(0)


def _table(
    noise: Noise, steps: Sequence[Stage], atoms: Sequence[Fraction], single: bool
) -> dict[str, list[Mass]]:
    """Output -> its mass given each atom; none stands for several where they are `single`."""
    if noise.kind == "none":
        return _sums([[(image_of(steps, x), ONE)] for x in atoms])
    if noise.listed_by:
        from reader.listed import drawn

        return _sums([[(image_of(steps, x + n), w) for n, w in drawn(noise, x)] for x in atoms])
    if noise.kind not in ("laplace", "truncated-laplace", "discrete-laplace"):
        raise Malformed(f"steps after noise of kind {shown(noise.kind)} are not known")
    from reader.around import mass_around
    from reader.cells import MOST, cells_of, distance

    most, period = MOST // len(atoms), None
    if any(step.key == "modulo" for step in steps):
        from reader.turns import turned

        cells, period = turned(steps, atoms, noise.step, noise.bound, most)
    else:
        cells = cells_of(noise, steps, atoms, most, single)
    mass = cache(partial(mass_around, noise, period))

    def ends(cell: Stretch, x: Fraction) -> Iterator[Fraction | None]:
        return (distance(x, cut, noise.step) for cut in cell[:2])

    return _sums([[(cell.output, mass(*ends(cell, x))) for cell in cells] for x in atoms])


def _sums(rows: Sequence[Sequence[tuple[str, Mass]]]) -> dict[str, list[Mass]]:
    """Output -> its mass in each row, which may name it several times."""
    names = dict.fromkeys(name for row in rows for name, _ in row)
    found: dict[str, list[Mass]] = {name: [] for name in names}
    for row in rows:
        parts: dict[str, list[tuple[Mass, Mass]]] = {name: [] for name in names}
        spend(8 * len(names))
        for name, mass in row:
            parts[name].append((mass, ONE))
        for name, terms in parts.items():
            found[name].append(terms[0][0] if len(terms) == 1 else total_of(terms))
    return found


def listed(
    noise: Noise, steps: Sequence[Stage], atoms: Sequence[Fraction], beliefs: Beliefs, *,
    single: bool, no_row: bool,
) -> Beliefs:  # fmt: skip
    """The laws of the outputs of atoms, and of no row where some prior has that."""
    columns, inputs = _table(noise, steps, atoms, single) if atoms else {}, list[Any](atoms)
    if no_row:
        inputs.append(NO_ROW)
        columns.setdefault(SUPPRESSED, [NOTHING] * len(atoms))
        for output, column in columns.items():
            column.append(ONE if output == SUPPRESSED else NOTHING)
    rows = dict(zip(inputs, map(outputs_of, zip(*columns.values(), strict=True)), strict=True))
    return {name: lifted(rows, tuple(columns), of) for name, of in beliefs.items()}


def facts_of(noise: Noise, steps: Sequence[Stage], single: bool) -> set[str]:
    """The facts by which these are their masses: outputs without end are one unless they are
    `single`, or come again after every period."""
    if noise.kind == "none" or noise.listed_by:
        return {noise.listed_by or "X"}
    found, keys = {"F45" if noise.step is None else "F45e"}, [step.key for step in steps]
    if noise.bound is not None:
        return found
    if "modulo" not in keys:
        return found if single else found | {"F45d"}
    return found if "clamp" in keys[: keys.index("modulo")] else found | {"F49"}
