"""Forged certificates: changes to a true certificate, or to the problem under it, one kind each.

A forger takes a `Random`, a true certificate with its problem, and another such pair to steal
from. It returns the forged pair, or None where it does not apply. Most of what comes out is false;
whatever the kernel takes must be true.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import kernel_builder as kb
from support.leaves import leaves, others, replaced
from test_kernel_smooth import damaged

Json = dict[str, Any]


class Pair(NamedTuple):
    """A problem and a certificate; `digest` says whether the certificate names this problem."""

    problem: Json
    cert: Json


Forger = Callable[[Random, Pair, Pair], Pair | None]
SMALL = ("1e-40", "1e-30", "1e-20", "1e-12", "1e-6", "1e-3", "1/10", "1/2")
SHAPES: dict[str, Json] = {
    "pure": {"ties": []},
    "pointwise": {"ties": []},
    "delta-upper": {},
    "delta-tie": {},
    "equal": {},
    "no-noise": {},
    "components": {"plan": []},
    "chart": {"density": [["-inf", "inf", 0, 0]], "points": []},
    "pure-refuted": {"y": "0", "margin": "1e-40"},
    "pointwise-refuted": {"y": "0", "margin": "1e-40"},
    "event-refuted": {"event": [["-inf", "0"]], "margin": "1e-40"},
}
PLAIN = {"equal", "components", "no-noise"}  # without bits
GOAL = ("belief", "from", "to")


def steps_of(cert: Json) -> list[Json]:
    """Every list of steps about goals, and couplings, wherever it stands."""
    found = []
    for step in cert["steps"]:
        inner = [*step.get("steps", []), *step.get("upper_steps", [])]
        inner += [step["lower_step"]] if step.get("lower_step") else []
        found += [s for s in inner if "belief" in s] if inner else [step]
    return [step for step in found if "belief" in step]


def _lists(cert: Json) -> list[list[Any]]:
    """Every list of steps."""
    nested = [s[key] for s in cert["steps"] for key in ("steps", "upper_steps") if key in s]
    return [cert["steps"], *nested]


def nudged(rng: Random, text: Any) -> str:
    """A number a little, or much, beside another one."""
    small = rng.choice(SMALL)
    way = rng.choice(["+", "-", "-", "*"])
    return f"({text})*(1{rng.choice('+-')}{small})" if way == "*" else f"({text}){way}{small}"


def nudged_fraction(rng: Random, text: str) -> str:
    """The same for the fractions of certificates."""
    small, x = Fraction(rng.choice(SMALL)), kb.exact(text)
    return str(rng.choice([x + small, x - small, x * (1 + small), x * (1 - small), -x, x + 1]))


def nudged_decimal(rng: Random, text: str) -> str:
    """The same for the decimals of certificates, to 45 places."""
    x = Fraction(kb.exact(nudged_fraction(rng, str(Fraction(text)))))
    units = int(abs(x) * 10**45)
    return f"{units // 10**45}.{units % 10**45:045d}".rstrip("0").rstrip(".") or "0"


def _changed(pair: Pair, change: Callable[[Json], Any]) -> Pair | None:
    """A pair whose certificate went through a change; None where the change did not apply."""
    cert = copy.deepcopy(pair.cert)
    try:
        if change(cert) is False:
            return None
    except (KeyError, IndexError, ValueError):
        return None
    return None if cert == pair.cert else Pair(pair.problem, cert)


# ---------------------------------------------------------------- the certificate alone


def leaf(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """Any leaf, anything in its place."""
    paths = list(leaves(pair.cert))
    where = rng.choice(paths)
    old: Any = pair.cert
    for key in where:
        old = old[key]
    return Pair(pair.problem, replaced(pair.cert, where, rng.choice(others(old, rng))))


def steps(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """Steps dropped, doubled, swapped, turned round, or all gone."""

    def change(cert: Json) -> None:
        found = rng.choice(_lists(cert))
        kind, i = rng.choice(["drop", "double", "swap", "turn", "none"]), rng.randrange(len(found))
        if kind == "drop":
            del found[i]
        elif kind == "double":
            found.insert(rng.randrange(len(found) + 1), copy.deepcopy(found[i]))
        elif kind == "swap":
            j = rng.randrange(len(found))
            found[i], found[j] = found[j], found[i]
        else:
            found[:] = found[::-1] if kind == "turn" else []

    return _changed(pair, change)


def rule(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """Another rule in a step, with its keys in place."""

    def change(cert: Json) -> Any:
        step = rng.choice(steps_of(cert))
        name = rng.choice([r for r in SHAPES if r != step["rule"]])
        old = dict(step)
        step.clear()
        step.update({key: old[key] for key in GOAL}, rule=name)
        step.update({key: old.get(key, value) for key, value in SHAPES[name].items()})
        if name not in PLAIN:
            step["bits"] = old.get("bits", 128)
        return None

    return _changed(pair, change)


def margin(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """A margin that says more (or a little less)."""

    def change(cert: Json) -> None:
        step = rng.choice([s for s in steps_of(cert) if "margin" in s])
        x = Fraction(step["margin"])
        grown = x * rng.choice([1 + Fraction(s) for s in SMALL] + [Fraction(9, 10), 2, 10])
        if rng.random() < 0.2:
            grown += 1
        places = 60 if grown > Fraction(1, 10**50) else 900
        units = int(grown * 10**places)
        step["margin"] = f"{units // 10**places}.{units % 10**places:0{places}d}".rstrip("0")
        step["margin"] += "0" * step["margin"].endswith(".")

    return _changed(pair, change)


def output(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """Another output in a refutation."""
    atoms = [a for p in priors_of(pair.problem).values() for a in p.get("mass", {"0": 1})]

    def change(cert: Json) -> None:
        step = rng.choice([s for s in steps_of(cert) if "y" in s])
        step["y"] = rng.choice(
            [*(str(Fraction(a)) for a in atoms), nudged_fraction(rng, step["y"])]
        )

    return _changed(pair, change)


def event(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """An event that is widened, moved, cut, merged or turned into its complement."""

    def change(cert: Json) -> None:
        step = rng.choice([s for s in steps_of(cert) if "event" in s])
        runs = step["event"]
        i, end = rng.randrange(len(runs)), rng.randrange(2)
        kind = rng.choice(["move", "move", "open", "drop", "merge", "complement"])
        if kind == "move" and not runs[i][end].endswith("inf"):
            runs[i][end] = nudged_fraction(rng, runs[i][end])
        elif kind == "open":
            runs[i][end] = ("-inf", "inf")[end]
        elif kind == "drop":
            del runs[i]
        elif kind == "merge" and len(runs) > 1:
            runs[:] = [[runs[0][0], runs[-1][1]]]
        else:
            ends = ["-inf", *(x for run in runs for x in run), "inf"]
            both = list(zip(ends[::2], ends[1::2], strict=True))
            step["event"] = [[a, b] for a, b in both if a != b]

    return _changed(pair, change)


def ties(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """Ties left out, or claimed where there are none."""
    tables = [p.get("mass", {}) for p in priors_of(pair.problem).values()]
    atoms = sorted({Fraction(a) for t in tables for a in t})

    def change(cert: Json) -> None:
        step = rng.choice([s for s in steps_of(cert) if "ties" in s])
        known = {Fraction(x) for x in step["ties"]}
        kind = rng.choice(["all", "none", "one", "less"])
        new = {"all": set(atoms), "none": set(), "less": set(sorted(known)[1:])}.get(kind)
        if new is None:
            new = known ^ {rng.choice(atoms)}
        step["ties"] = [str(x) for x in sorted(new)]

    return _changed(pair, change)


def bits(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """Less (or more) precision than the proof was made with."""

    def change(cert: Json) -> None:
        rng.choice([s for s in steps_of(cert) if "bits" in s])["bits"] = rng.choice(
            [32, 33, 40, 48, 64, 100, 300]
        )

    return _changed(pair, change)


def verdict(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """The opposite result, with steps of the kind that it needs."""

    def opposite(listed: list[Json], certified: bool, goals: list[Any]) -> list[Json]:
        names = [r for r in SHAPES if r.endswith("-refuted") == certified]
        chosen = [rng.choice(goals)] if certified else goals
        found = []
        for goal in chosen:
            name = rng.choice(names)
            step = {**dict(zip(GOAL, goal, strict=True)), "rule": name, **SHAPES[name]}
            found.append(step if name in PLAIN else {**step, "bits": 128})
        return copy.deepcopy(found)

    def change(cert: Json) -> Any:
        goals = kb.ordered_goals(pair.problem)
        if cert["result"] in ("certified", "refuted"):
            certified = cert["result"] == "certified"
            cert["steps"] = opposite(cert["steps"], certified, goals)
            cert["result"] = "refuted" if certified else "certified"
            return None
        step = rng.choice([s for s in cert["steps"] if s["rule"] == "scale"])
        certified = step["verdict"] == "certified"
        step["steps"] = opposite(step["steps"], certified, goals)
        step["verdict"] = "refuted" if certified else "certified"
        return None

    return _changed(pair, change)


def order(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """The ways of a pair exchanged, or a belief or secret that is not the one."""

    def change(cert: Json) -> None:
        found = steps_of(cert)
        chosen = found if rng.random() < 0.3 else [rng.choice(found)]
        kind = rng.choice(["swap", "swap", "same", "belief", "secret"])
        for step in chosen:
            if kind == "swap":
                step["from"], step["to"] = step["to"], step["from"]
            elif kind == "same":
                step["to"] = step["from"]
            elif kind == "belief":
                step["belief"] = rng.choice(["", "other", "Default"])
            else:
                step[rng.choice(["from", "to"])] = rng.choice(["a", "b", "c", ""])

    return _changed(pair, change)


def numbers(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """One number of a coupling, a plan, a chart or a potential, a little beside itself."""

    def inside(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return [p for p in leaves(value) if len(p) > 1]

    def change(cert: Json) -> None:
        step = rng.choice(steps_of(cert))
        keys = ("edges", "plan", "potential", "set", "u", "v", "w", "points", "density")
        key = rng.choice([k for k in keys if step.get(k)])
        where = rng.choice(list(leaves(step[key])))
        spot = step[key]
        for k in where[:-1]:
            spot = spot[k]
        if isinstance(spot[where[-1]], int):
            spot[where[-1]] += rng.choice([-1, 1, 3])
        else:
            spot[where[-1]] = nudged_fraction(rng, spot[where[-1]])

    return _changed(pair, change)


def amounts(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """A distance, a cost or a scale of a coupling."""

    def change(cert: Json) -> None:
        step = rng.choice(steps_of(cert))
        key = rng.choice([k for k in ("within", "below", "cost", "scale") if k in step])
        new = nudged_decimal if key == "scale" else nudged_fraction
        step[key] = new(rng, step[key])

    return _changed(pair, change)


def chart(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """A chart whose cells or points are damaged."""

    def change(cert: Json) -> None:
        step = rng.choice([s for s in steps_of(cert) if "density" in s])
        step.update(damaged(step, rng))

    return _changed(pair, change)


def scales(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """A scale, an end of the minimum, a name, or the steps under another scale."""

    def change(cert: Json) -> Any:
        if cert["result"] != "scales":
            return False
        step = rng.choice(cert["steps"])
        if rng.random() < 0.2:
            another = rng.choice([s for s in cert["steps"] if s["rule"] == "scale"])
            key = "steps" if step["rule"] == "scale" else "upper_steps"
            step[key] = copy.deepcopy(another["steps"])
        elif step["rule"] == "scale":
            if rng.random() < 0.15:
                step["method"] = rng.choice(["minimum", "l1", "x", "certified"])
            else:
                known = [s.get("scale", s.get("upper")) for s in cert["steps"]]
                step["scale"] = rng.choice([nudged_decimal(rng, step["scale"]), *known, "0"])
        else:
            key = rng.choice(["lower", "upper"])
            step[key] = rng.choice(
                [nudged_decimal(rng, step[key]), step["upper"], step["lower"], "0", "inf"]
            )
        return None

    return _changed(pair, change)


# ---------------------------------------------------------------- the problem under it


def priors_of(problem: Json) -> Json:
    """The priors of the first belief."""
    if "priors" in problem:
        return dict(problem["priors"])
    return dict(next(iter(problem["beliefs"].values()))["priors"])


def tampered(rng: Random, value: Json) -> Json:
    """A problem that differs in one thing: target, noise, a mass, an atom, a normal law, pairs."""
    value = copy.deepcopy(value)
    noise, priors = value["noise"], priors_of(value)
    kind = rng.choice(
        ["epsilon", "epsilon", "delta", "scale", "scale", "form", "noise", "law", "law", "law",
         "exchange", "secret", "pairs", "belief", "silent"]
    )  # fmt: skip
    if kind in ("epsilon", "delta"):
        value[kind] = nudged(rng, value[kind]) if rng.random() < 0.9 else "0"
    elif kind == "scale":
        key = "variance" if "variance" in noise else "scale"
        noise[key] = nudged(rng, noise.get(key, 1))
    elif kind == "form":
        value["form"] = "events" if value.get("form") == "pointwise" else "pointwise"
    elif kind == "noise":
        _other_noise(rng, value)
    elif kind == "law":
        _other_law(rng, rng.choice(list(priors.values())))
    elif kind == "silent" and all(p["kind"] == "discrete" for p in priors.values()):
        value["noise"] = rng.choice([{"kind": "none"}, {**noise, "scale": 0}])
    elif kind == "exchange" and "priors" in value:
        value["priors"] = dict(zip(priors, list(priors.values())[::-1], strict=True))
    elif kind == "secret" and "priors" in value:
        value["priors"]["z"] = copy.deepcopy(rng.choice(list(priors.values())))
        _other_law(rng, value["priors"]["z"])
    elif kind == "pairs":
        names = list(priors)
        value["pairs"] = [rng.sample(names, 2) for _ in range(rng.randint(1, 2))]
    elif "priors" in value:
        second = copy.deepcopy(priors)
        _other_law(rng, rng.choice(list(second.values())))
        del value["priors"]
        value["beliefs"] = {"default": {"priors": priors}, "other": {"priors": second}}
    return value


def _other_noise(rng: Random, value: Json) -> None:
    noise = value["noise"]
    if noise["kind"] == "laplace":
        if rng.random() < 0.5:
            value["noise"] = {**noise, "kind": "discrete-laplace", "step": rng.choice([1, "1/6"])}
        else:
            value["noise"] = {"kind": "gaussian", "variance": 2}
    elif noise["kind"] == "discrete-laplace":
        if rng.random() < 0.5:
            noise["step"] = str(kb.exact(noise["step"]) / rng.choice([2, 3]))
        else:
            value["noise"] = {"kind": "laplace", "scale": noise["scale"]}
    else:
        value["noise"] = {"kind": "laplace", "scale": 2}


def _other_law(rng: Random, prior: Json) -> None:
    small = Fraction(rng.choice(SMALL))
    if prior["kind"] == "mixture":
        part = rng.choice(prior["components"])
        key = rng.choice(["mean", "variance", "weight"])
        if key == "weight" and len(prior["components"]) > 1:
            second = rng.choice([p for p in prior["components"] if p is not part])
            moved = kb.exact(part["weight"]) * small
            part["weight"] = str(kb.exact(part["weight"]) - moved)
            second["weight"] = str(kb.exact(second["weight"]) + moved)
        else:
            key = "mean" if key == "weight" else key
            part[key] = str(kb.exact(part[key]) + small)
        return
    if prior["kind"] == "gaussian":
        key = rng.choice([key for key in ("mean", "variance", "sd") if key in prior])
        prior[key] = str(kb.exact(prior[key]) + small)
        return
    mass = prior["mass"]
    if len(mass) > 1 and rng.random() < 0.6:
        one, two = rng.sample(list(mass), 2)
        moved = kb.exact(mass[one]) * small
        mass[one], mass[two] = str(kb.exact(mass[one]) - moved), str(kb.exact(mass[two]) + moved)
    else:
        atom = rng.choice(list(mass))
        mass[str(kb.exact(atom) + rng.choice([small, -small, 1, -1]))] = mass.pop(atom)


def problem(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """The certificate made to name a problem that differs in one thing."""
    return _renamed(tampered(rng, pair.problem), pair.cert)


def _renamed(value: Json, cert: Json) -> Pair | None:
    try:
        return Pair(value, {**cert, "problem": kb.digest(value)})
    except Exception:  # not a problem: only the kernel's own answer matters
        return Pair(value, cert)


def digest(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """A certificate that names another problem than the one it comes with."""
    value = other.problem if rng.random() < 0.5 else tampered(rng, pair.problem)
    return None if value == pair.problem else Pair(value, pair.cert)


def transplant(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """The steps for one problem under the name of another."""
    return _renamed(other.problem, pair.cert)


def stolen(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """One step of another certificate in place of one of these, with or without its goal."""

    def change(cert: Json) -> None:
        mine, theirs = rng.choice(steps_of(cert)), rng.choice(steps_of(other.cert))
        goal = {key: mine[key] for key in GOAL}
        mine.clear()
        mine.update(copy.deepcopy(theirs), **(goal if rng.random() < 0.8 else {}))

    return _changed(pair, change)


def double(rng: Random, pair: Pair, other: Pair) -> Pair | None:
    """Two forgeries, one after the other."""
    for forger in rng.sample([f for f in FORGERS if f is not double], 2):
        pair = forger(rng, pair, other) or pair
    return pair


FORGERS: list[Forger] = [
    leaf, leaf, steps, rule, margin, output, event, ties, bits, verdict, order, numbers, amounts,
    chart, scales, problem, problem, problem, digest, transplant, stolen, double,
]  # fmt: skip
