"""Recorded problems about families of laws: regions of counts, balls, bounds, polytopes, opinions.

Each kind of family stands against each kind of noise, one law, another family or itself; what is
known of one user alone (`rest = "any"`) is here too.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from support import recorded_channels, recorded_steps, recorded_systems

Json = dict[str, Any]
KINDS = ("intervals", "confidence", "tv-ball", "winf-ball", "winf-line", "polytope", "any-of")
NOISES: tuple[Json, ...] = (
    {"kind": "laplace"},
    {"kind": "discrete-laplace", "step": "1/2"},
    {"kind": "none"},
    {"kind": "gaussian"},
    {"kind": "table", "weights": {"-1": "1/5", "0": "3/5", "1": "1/5"}},
    {"kind": "laplace", "releases": 2},
    {"kind": "truncated-laplace", "bound": "5/2"},
    {"kind": "discrete-gaussian", "step": "1/2"},
    {"kind": "laplace"},
)
PARTS = (
    "laplace", "discrete-laplace", "gaussian", "truncated-laplace", "table", "discrete-gaussian",
)  # fmt: skip
"""Noise behind one user's part."""
RADII = ("0", "1/50", "1/10", "1/4")
LEVELS = ("0.9", "0.95", "0.5")


def _law(rng: Random, atoms: list[str]) -> dict[str, str]:
    masses = map(str, recorded_channels.masses(rng, len(atoms), 0.1))
    return dict(zip(atoms, masses, strict=True))


def _intervals(rng: Random, atoms: list[str]) -> Json:
    """Bounds around a law: on one side of some masses only."""
    law = {atom: Fraction(mass) for atom, mass in _law(rng, atoms).items()}
    wide = Fraction(1, rng.choice((4, 10, 30)))
    ends = {
        atom: [str(max(mass - wide, Fraction(0))), str(min(mass + wide, Fraction(1)))]
        for atom, mass in law.items()
    }
    if rng.random() < 0.2:
        ends[atoms[0]] = ["0", "1"]
    return {"kind": "intervals", "mass": ends}


def _polytope(rng: Random, atoms: list[str]) -> Json:
    """The mean between bounds, or a share at most so large, or one mass at least another."""
    first, last = atoms[0], atoms[-1]
    constraints = [
        {"weights": {first: 1}, rng.choice(("at-most", "at-least")): rng.choice(("1/3", "1/2"))},
        {"weights": {last: 1, first: -1}, "at-most": "1/3"},
        {"weights": {last: 2, first: 1}, "at-least": "1/3"},
    ]
    return {"kind": "polytope", "alphabet": atoms, "constraints": rng.sample(constraints, 2)}


def family(
    rng: Random, kind: str, atoms: list[str], level: str = "0.95", line: bool = True
) -> Json:
    """A family of a kind on some atoms; `winf-line` is a ball on the whole line."""
    match kind:
        case "intervals":
            return _intervals(rng, atoms)
        case "confidence":
            counts = {atom: rng.randint(0, 60) for atom in atoms}
            counts[atoms[0]] += 1
            return {"kind": kind, "counts": counts, "level": level}
        case "tv-ball":
            return {"kind": kind, "mass": _law(rng, atoms), "radius": rng.choice(RADII)}
        case "winf-ball" | "winf-line":
            ball: Json = {
                "kind": "winf-ball",
                "mass": _law(rng, atoms),
                "radius": rng.choice(("1/2", "1")),
            }
            if kind == "winf-line" and line:
                return ball | {"radius": rng.choice(("1/10", "1/4", "1/2"))}
            return ball | {"alphabet": atoms}
        case "polytope":
            return _polytope(rng, atoms)
        case "any-of":
            return {"kind": kind, "laws": [_law(rng, atoms) for _ in range(rng.randint(1, 3))]}
        case _:
            raise AssertionError(kind)


def near(rng: Random, k: int) -> Json:
    """A family of each kind with each noise, against one law, another family or the same kind."""
    kind, noisy = KINDS[k % 7], NOISES[k % 9]
    lattice = noisy["kind"] == "discrete-gaussian"  # whose masses take long: a few of them
    normal = lattice or noisy["kind"] == "gaussian"
    scale = recorded_steps.noise(rng, noisy, least=8, most=16 if lattice else 48)
    many = 2 if normal else 2 + k % 5 // 3
    atoms = ["0", "1/2", "1", "3/2", "2"][k % 2 : k % 2 + many]
    line = noisy == {"kind": "laplace"}
    level = LEVELS[k // 3 % 3]
    first = family(rng, kind, atoms, level, line)
    turn = k // 7 % 4
    others: Json = {"b": {"kind": "discrete", "mass": _law(rng, atoms)}}
    if turn == 1:
        others["b"] = family(rng, KINDS[(k // 28 + k) % 7], atoms, level, line)
    elif turn == 2:
        others["b"] = family(rng, kind, atoms[::-1], level, line)
    elif turn == 3:
        others["b"] = {"kind": "discrete", "counts": {atoms[-1]: 3, "1": 4}}
    value = recorded_steps.target(rng, k, False, noisy["kind"] in recorded_steps.BOUNDED)
    if k % 9 == 8 and k % 4 == 0:
        others["c"] = {"kind": "discrete", "mass": {atoms[0]: 1}}
        value["pairs"] = [["a", "b"], ["b", "c"]]
    if kind != "winf-line" and "releases" not in noisy and k % 5 == 3:
        shapes = [one for one in recorded_steps.CHAINS if "modulo" not in one]
        kinds = recorded_steps.fitted(shapes[k // 5 % len(shapes)], noisy["kind"])
        value["post"] = recorded_steps.steps(rng, kinds, [Fraction(x) for x in range(3)])
    if "releases" in noisy or (kind == "winf-line" and k % 2):
        value["delta"] = "0"
    return value | {"noise": scale, "priors": {"a": first, **others}}


def beliefs(rng: Random, k: int) -> Json:
    """Two beliefs of which one has a family, or both."""
    atoms = ["0", "1", "2"][: 2 + k % 2]
    kinds = [kind for kind in KINDS if kind != "winf-line"]
    noisy = recorded_steps.noise(rng, NOISES[k % 4], least=8, most=48)
    one = {
        "a": family(rng, kinds[k % 6], atoms),
        "b": {"kind": "discrete", "mass": _law(rng, atoms)},
    }
    two = {
        "a": {"kind": "discrete", "mass": _law(rng, atoms)},
        "b": family(rng, kinds[k // 2 % 6], atoms),
    }
    value = recorded_steps.target(rng, k, False, noisy["kind"] in recorded_steps.BOUNDED)
    return value | {"noise": noisy, "beliefs": {"one": {"priors": one}, "two": {"priors": two}}}


def of_inputs(rng: Random, k: int) -> Json:
    """Families over the inputs of each kind of channel."""
    kind = recorded_channels.KINDS[k % len(recorded_channels.KINDS)]
    table = recorded_channels.MAKERS[kind](rng)
    known = recorded_channels.inputs_of(table)
    kinds = [one for one in KINDS if not one.startswith("winf")]
    first = family(rng, kinds[k // 10 % len(kinds)], known)
    other = {"kind": "finite", "mass": _law(rng, known)}
    if k % 3 == 2:
        other = family(rng, kinds[k // 3 % len(kinds)], known)
    value = recorded_steps.target(rng, k, pointwise=k % 4 == 1)
    return value | {"channel": table, "priors": {"a": first, "b": other}}


def wide(rng: Random, k: int) -> Json:
    """Families on eight to twelve atoms, whose extreme laws are not listed."""
    atoms = [str(x) for x in range(8 + k % 5)]
    kinds = ("intervals", "confidence", "tv-ball", "winf-ball")
    noisy = recorded_steps.noise(rng, NOISES[k % 3] | ({"step": "1"} if k % 3 == 1 else {}), 24, 80)
    first = family(rng, kinds[k % 4], atoms)
    other = {"kind": "discrete", "mass": _law(rng, atoms)}
    if k // 12 % 2:
        other = family(rng, kinds[k // 4 % 4], atoms)
    value = recorded_steps.target(rng, 0) | {"epsilon": rng.choice(("1", "2", "3"))}
    return value | {"noise": noisy, "priors": {"a": first, "b": other}}


def around(rng: Random, k: int) -> Json:
    """Laws, regions and balls, for the largest radius around them that a scale allows."""
    atoms = ["0", "1", "2"][: 2 + k % 2]
    noisy = recorded_steps.noise(rng, NOISES[(0, 1, 0, 0, 3, 0)[k % 6]], least=12, most=48)
    kinds = ("law", "confidence", "tv-ball", "law", "winf-ball")
    kind = kinds[k % 5]
    laws = {
        name: {"kind": "discrete", "counts": {atom: rng.randint(1, 9) for atom in atoms}}
        if kind == "law" else family(rng, kind, atoms)
        for name in "ab"
    }  # fmt: skip
    bounded = noisy["kind"] in recorded_steps.BOUNDED
    value = recorded_steps.target(rng, k if k % 3 == 0 else 0, False, bounded)
    return value | {"epsilon": rng.choice(("1", "log(3)", "2")), "noise": noisy, "priors": laws}


def moved(rng: Random, k: int) -> Json:
    """The same for balls on the whole line, of which Laplace noise and delta 0 are asked."""
    value = around(rng, k)
    if k % 10:
        value["noise"] = recorded_steps.noise(rng, NOISES[0], least=12, most=48)
        value["delta"] = "0"
    return value


def scales(rng: Random, k: int) -> Json:
    """Many atoms behind noise that has a scale."""
    return wide(rng, 3 * k + k % 2)


def any_rest(rng: Random, k: int) -> Json:
    """Sums of which one user's part alone is known: each noise, with steps or none."""
    kind = PARTS[k % len(PARTS)]
    stated = next(one for one in recorded_steps.NOISES if one["kind"] == kind)
    noisy = recorded_steps.noise(rng, stated, least=8, most=48)
    system: Json = {
        "rest": "any",
        "user": {"low": {"point": 0}, "high": {"point": rng.randint(1, 3)}},
    }
    if k // 6 % 4 == 1:
        system["user"]["absent"] = "absent"
    elif k // 6 % 4 == 2:
        system["user"] = {
            "p": {"mass": {"0": "1/2", "1": "1/4", "2": "1/4"}},
            "q": {"bernoulli": "1/3"},
        }
    elif k // 6 % 4 == 3:
        system["others"] = [{"bernoulli": rng.choice(recorded_systems.CHANCES), "count": 3}]
    value = recorded_steps.target(rng, k, False, kind in recorded_steps.BOUNDED)
    if k % 5 == 2:
        chains = [one for one in recorded_steps.CHAINS if "modulo" not in one]
        kinds = recorded_steps.fitted(chains[k // 5 % len(chains)], kind)
        if kind != "table":
            value["post"] = recorded_steps.steps(rng, kinds, [Fraction(x) for x in range(1, 5)])
    return value | {"noise": noisy, "system": system}


def proved(rng: Random, k: int) -> Json:
    """Each kind of problem in turn."""
    makers = (near, of_inputs, near, any_rest, beliefs, near, wide)
    return makers[k % len(makers)](rng, k // len(makers) + 9 * (k % len(makers)))
