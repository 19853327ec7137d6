"""Small hostile problems and certificates for the kernel, tried one after the other:

    python -B tests/kernel/hostile.py SEED COUNT FOLDER

Every input has ten seconds of processor time (the process is ended by a signal beyond) and the
process 500 MB.  The input at work is in FOLDER/input.json; the last line is a JSON tally.
"""

from __future__ import annotations

import json
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "pfverify" / "kernel")]

import checker  # noqa: E402
from core import work  # noqa: E402
from reader import reader  # noqa: E402
from support.leaves import leaves, replaced  # noqa: E402

SECONDS, MEMORY = 10, 500 << 20
MOST_BYTES = 4096  # of the two files together
PRIME = 2**61 - 1  # the modulus of Python's hashes of numbers
Rng = random.Random
RULES = ("pure", "delta-upper", "delta-tie", "pointwise")
REFUTING = ("pure-refuted", "event-refuted", "pointwise-refuted")
BITS = (32, 64, 128, 1000, 4096, 32_768, 200_000)


def rational(rng: Rng) -> str:
    """A rational that is long, huge, tiny, or has an unlucky hash."""
    made: list[Callable[[], str]] = [
        lambda: str(rng.randrange(1, 9)),
        lambda: f"{rng.randrange(1, 99)}/{rng.randrange(1, 99)}",
        lambda: f"{rng.choice('19')}e{rng.choice(['', '-'])}{rng.choice([40, 1000, 4096])}",
        lambda: rng.choice("179") * rng.randrange(100, 900),
        lambda: f"1/{rng.getrandbits(rng.choice([80, 1500])) | 1}",
        lambda: str(PRIME * rng.randrange(1, 99)),
        lambda: f"{rng.randrange(1, 9)}/{PRIME}",
    ]
    return rng.choice(made)()


def expression(rng: Rng, depth: int) -> str:
    """Nested operations, towers, long sums and products, and what is exactly 0 or 1."""
    if depth == 0 or rng.random() < 0.15:
        return rational(rng) if rng.random() < 0.5 else str(rng.randrange(1, 30))
    x = expression(rng, depth - 1)
    many = rng.randrange(2, 90)
    made: list[Callable[[], str]] = [
        lambda: f"{rng.choice(['exp', 'log', 'sqrt'])}({x})",
        lambda: f"({x}){rng.choice('+-*/')}({expression(rng, depth - 1)})",
        lambda: f"{rng.choice(['exp', 'log', 'sqrt', ''])}(" * many + x + ")" * many,
        lambda: "+".join(f"log({rng.randrange(2, 999)})" for _ in range(many)),
        lambda: "*".join(f"(exp({i}/7)+{rng.randrange(1, 4)})" for i in range(many)),
        lambda: "1/(1+" * (many // 2) + x + ")" * (many // 2),
        lambda: f"({x})/({x})",
        lambda: f"exp(-({x}))",
        lambda: f"log(exp({x}))-({x})+{rng.choice(['0', '1', 'exp(-9000)'])}",
        lambda: f"1-exp(-{rng.choice([20, 2000, 20_000, 90_000])})",
        lambda: "+".join(f"1/log({i})" for i in range(2, many)),
    ]
    return rng.choice(made)()


def number(rng: Rng) -> str:
    return expression(rng, rng.choice([0, 0, 1, 2, 3, 6]))


def atoms(rng: Rng) -> list[str]:
    """Many atoms of one hash, gaps of one hash, far or dense atoms."""
    n, by = rng.choice([1, 2, 3, 20, 70]), rng.choice([1, 1, PRIME, 10**30])
    if rng.random() < 0.2:
        return sorted({rational(rng) for _ in range(min(n, 6))})
    if rng.random() < 0.2:
        return [str(k + PRIME * k * (k - 1) // 2) for k in range(n)]
    return [str(by * k) for k in range(n)]


def prior(rng: Rng, at: list[str]) -> dict[str, Any]:
    if rng.random() < 0.12:
        parts = [(rational(rng), rational(rng)) for _ in range(rng.randrange(1, 6))]
        keys = ("mean", "variance", "weight")
        rows = [dict(zip(keys, (*p, f"1/{len(parts)}"), strict=True)) for p in parts]
        return {"kind": "mixture", "components": rows}
    top = rng.choice([1, 1, 9, 10**40])
    shift = rng.randrange(2)
    return {"kind": "discrete", "counts": {a: rng.randint(1, top) for a in at[shift:] or at}}


def users(rng: Rng) -> dict[str, Any]:
    """A system of many users, of wide laws, or of laws on no common lattice."""
    others: list[Any] = []
    for _ in range(rng.choice([1, 1, 2, 5, 20, 89])):
        at = atoms(rng)
        law = rng.choice([
            {"bernoulli": rng.choice(["1/2", "94/145", f"1/{rng.getrandbits(600) | 1}"])},
            {"counts": dict.fromkeys(at, rng.choice([1, 7]))},
            {"mass": {"0": "1/2", f"1/{rng.randrange(2, 10**4)}": "1/2"}},
            {"mean": rational(rng), "variance": rng.randrange(1, 9)},
            {"mass": {"0": "1/2", rational(rng): "1/2"}},
            {"bernoulli": f"{rng.randrange(1, 90)}/91"},
        ])  # fmt: skip
        count = rng.choice([1, 2, 40, 3000, 13_000, 10**8])
        others.append({**law, "count": count, "presence": rng.choice(["1", "1/2"])})
    model = rng.choice(["all", "independent"])
    system: dict[str, Any] = {"others": others, "presence_model": model}
    if rng.random() < 0.2:
        return system | {"protect": "each", "pair_set": rng.choice(["values", "laws-absent"])}
    user: dict[str, Any] = {f"s{k}": {"point": k} for k in range(rng.choice([2, 2, 5]))}
    return system | {"user": user | {"away": "absent"}}


def channel(rng: Rng, depth: int = 3) -> dict[str, Any]:
    """A mechanism with many outputs, long numbers, or many parts inside each other."""
    n = rng.choice([2, 2, 3, 8, 40])
    names = [f"i{k}" for k in range(n)]
    width = rng.choice([2, 3, 12])
    ways = [rng.choice(["0", "1", rational(rng)]) for _ in range(2)]
    chance = [rng.choice(["1/2", "0", f"1/{rng.getrandbits(600) | 1}", f"exp(-({number(rng)}))"])
              for _ in range(3)]  # fmt: skip
    epsilon = {"epsilon": rng.choice(["1", "log(3)", "sqrt(2)", number(rng)])}
    made: list[Callable[[], dict[str, Any]]] = [
        lambda: {"kind": "matrix", "inputs": names, "outputs": ["y", "n"],
                 "rows": [[c := rng.choice(chance), f"1-({c})"] for _ in names]},
        lambda: {"kind": "matrix", "inputs": names, "outputs": names,
                 "rows": [[f"1/{n}"] * n for _ in names]},
        lambda: {"kind": "randomized-response", "inputs": names, **epsilon},
        lambda: {"kind": "randomized-response", "inputs": names, "truth": chance[0]},
        lambda: {"kind": "rappor", "inputs": names, "flip": chance[0], "one": chance[1],
                 "zero": chance[2], "codes": {x: f"{k:0{width}b}"[-width:] for k, x in
                                              enumerate(names)}},
        lambda: {"kind": "unary", "inputs": names, "one": chance[0], "zero": chance[1]},
        lambda: {"kind": "unary", "inputs": names, **epsilon,
                 "variant": rng.choice(["symmetric", "optimised"])},
        lambda: {"kind": "subset-selection", "inputs": names, **epsilon,
                 **rng.choice([{}, {"size": 1}, {"size": n // 2}])},
        lambda: {"kind": "local-hashing", "inputs": names, **epsilon,
                 **rng.choice([{}, {"range": 2}, {"range": 10**9}])},
        lambda: {"kind": "truncated-geometric", "size": rng.choice([2, 9, 60, 400, 2000]),
                 **rng.choice([epsilon, {"ratio": chance[0]}])},
        lambda: {"kind": "exponential", "inputs": names[:9], "outputs": names[:9], **epsilon,
                 "scores": [[rng.choice([*ways, str(a * b)]) for a in range(min(n, 9))]
                            for b in range(min(n, 9))]},
        lambda: {"kind": "planar", **epsilon, "points": {
            x: [rng.choice([*ways, str(k * k)]), str(k)] for k, x in enumerate(names)}},
    ]  # fmt: skip
    if depth:
        part = channel(rng, rng.randrange(depth))
        many = rng.choice([2, 2, 3, 12])
        made += [
            lambda: {"kind": "composition", "parts": [part] * many},
            lambda: {"kind": "product", "parts": [part] * many},
            lambda: {"kind": "mixture", "parts": [part] * many, "weights": [f"1/{many}"] * many},
            lambda: {"kind": "cascade", "parts": [part] * many},
            lambda: {"kind": "cascade", "parts": [
                {"kind": "randomized-response", "inputs": names, **epsilon}] * many},
        ]  # fmt: skip
    return rng.choice(made)()


def released(rng: Rng, value: dict[str, Any]) -> dict[str, Any]:
    """A problem about a channel, with priors of its inputs or without."""
    made = channel(rng)
    kind = made["kind"]
    inputs = made.get("inputs") or list(made.get("points", {})) or [
        str(k) for k in range(made.get("size", 2))]  # fmt: skip
    if rng.random() < 0.3:
        base = made
        made = {"kind": "tupling", "base": base, "dummies": rng.choice([1, 3, 20, 300, 10_000])}
    elif rng.random() < 0.5:
        made["notion"] = rng.choice(["dp", "xdp", "xdistp"])
        if kind != "planar" and made["notion"] != "dp":
            made["points"] = {x: [rational(rng), str(k)] for k, x in enumerate(inputs)}
            made["distance"] = rng.choice(["euclidean", "manhattan"])
    value = {"form": "events", **value, "channel": made}
    del value["noise"]
    if made.get("notion") in ("dp", "xdp") or rng.random() < 0.3:
        made.pop("inputs_related", None)
        return value
    weights = [{x: rng.choice([1, 2, 10**40]) for x in inputs[:40]} for _ in range(2)]
    priors = {f"s{k}": {"kind": "finite", "counts": law} for k, law in enumerate(weights)}
    return value | {"priors": priors}


def problem(rng: Rng) -> dict[str, Any]:
    """A problem with hostile numbers, sizes and shapes."""
    kind = rng.choice(["laplace", "laplace", "discrete-laplace", "gaussian", "none"])
    noise: dict[str, Any] = {"kind": kind}
    if kind != "none":
        noise["scale"] = rng.choice(["0", "1", number(rng), f"1/({number(rng)})"])
    if kind == "discrete-laplace":
        noise["step"] = rng.choice(["1", rational(rng), str(PRIME)])
    at = atoms(rng)
    names = [f"s{i}" for i in range(rng.choice([2, 2, 2, 3, 12]))]
    priors = {name: prior(rng, at) for name in names}
    value: dict[str, Any] = {
        "schema": "pfverify/problem/1",
        "epsilon": rng.choice([0, 1, number(rng), number(rng)]),
        "delta": rng.choice([0, 0, 1, "1/2", f"exp(-({number(rng)}))", number(rng)]),
        "form": rng.choice(reader.FORMS),
        "noise": noise,
    }
    if rng.random() < 0.25:
        return released(rng, value)
    if rng.random() < 0.15:
        return value | {"system": users(rng)}
    if rng.random() < 0.2:
        count = rng.randrange(1, 9)
        return value | {"beliefs": {f"k{i}": {"priors": priors} for i in range(count)}}
    return value | {"priors": priors}


def steps(rng: Rng, value: dict[str, Any]) -> tuple[str, list[Any]]:
    """A result and steps that ask for as much work as they can."""
    named = value.get("system", {}).get("user", "ab")
    made = value.get("channel", {})
    named = made.get("base", made).get("inputs", named)[:3] if made else named
    secrets = value.get("priors") or {name: {} for name in named}
    beliefs = value.get("beliefs") or {"default": {"priors": secrets}}
    names = list(next(iter(beliefs.values()))["priors"])
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    goals = [(k, *way) for k in beliefs for a, b in pairs for way in ((a, b), (b, a))]
    bits = rng.choice(BITS)

    def at(goal: tuple[str, str, str], rule: str, **more: Any) -> dict[str, Any]:
        return {"rule": rule, "belief": goal[0], "from": goal[1], "to": goal[2], **more}

    def known(goal: tuple[str, str, str]) -> list[str]:
        priors = beliefs[goal[0]]["priors"]
        return sorted(
            {a for s in goal[1:] for a in priors[s].get("counts", {}) if a.isdigit()}, key=int
        )

    def refuting() -> dict[str, Any]:
        goal, rule = rng.choice(goals), rng.choice(REFUTING)
        margin = rng.choice(["1", "1e-9999", "1e-40000", "1e40000", "0.5"])
        if made:
            about = rng.choice([
                {"rule": "tupling-refuted", "growth": rng.choice(["inf", "1", rational(rng)])},
                {"rule": "output-refuted", "output": rng.choice(["y", "i0", "0"])},
                {"rule": "outputs-refuted", "outputs": ["y", "n"]},
            ])  # fmt: skip
            return {**at(goal, ""), **about, "bits": bits, "margin": margin}
        if rule != "event-refuted":
            y = rng.choice(known(goal) or ["0"])
            return at(goal, rule, bits=bits, y=y, margin=margin)
        ends = sorted({rng.randrange(10**6) for _ in range(rng.choice([2, 2, 100]))})
        event = [[str(a), str(b)] for a, b in zip(ends[::2], ends[1::2], strict=False)]
        return at(goal, rule, bits=bits, event=event, margin=margin)

    def certifying() -> list[dict[str, Any]]:
        rule, every = rng.choice(RULES), rng.random() < 0.5
        found = []
        for goal in goals:
            if made:
                found.append(at(goal, "tupling" if "base" in made else "channel"))
            elif value["noise"]["kind"] == "none" or value["noise"].get("scale") == "0":
                found.append(at(goal, "no-noise"))
            elif rule in ("pure", "pointwise"):
                found.append(at(goal, rule, bits=bits, ties=known(goal) if every else []))
            else:
                found.append(at(goal, rule, bits=bits))
        return found

    what = rng.random()
    if what < 0.45:
        return "certified", certifying()
    if what < 0.7:
        return "refuted", [refuting()]
    ends = [{"rule": "no-noise"}], [{"rule": "no-scale"}], certifying()
    tried = rng.choice(["1", "1e-4096", "1e4096", "0.1"])
    upper, proof = rng.choice([("0", ends[0]), ("inf", ends[1]), (tried, ends[2])])
    if rng.random() < 0.3:
        goal = rng.choice(goals)
        more = {"bits": bits, "t": rational(rng), "log": rng.random() < 0.5}
        upper, proof = "inf", [at(goal, "moment", **more)]
    step: dict[str, Any] = {"rule": "minimum", "lower": "0", "upper": upper}
    return "scales", [step | {"lower_step": None, "upper_steps": proof}]


def changed(rng: Rng, case: dict[str, Any]) -> tuple[Any, Any]:
    """A stored case with hostile values in place of some leaves of both files."""
    value, cert = case["problem"], case["certificate"]
    for _ in range(rng.choice([1, 1, 2, 3])):
        if rng.random() < 0.5:
            where = rng.choice(list(leaves(value)))
            value = replaced(value, where, rng.choice([number(rng), 10**40, "0"]))
        else:
            where = rng.choice(list(leaves(cert["steps"]))) if cert["steps"] else ()
            if where:
                new = rng.choice(BITS) if where[-1] in ("bits", "order") else rational(rng)
                cert = cert | {"steps": replaced(cert["steps"], where, new)}
    return value, cert


def made(rng: Rng, corpus: list[dict[str, Any]]) -> tuple[bytes, bytes]:
    """The two files."""
    while True:
        if rng.random() < 0.3:
            value, cert = changed(rng, rng.choice(corpus))
        else:
            value = problem(rng)
            result, found = steps(rng, value)
            cert = {"schema": "pfverify/certificate/1", "produced_by": {}, "problem": "0" * 64}
            cert |= {"result": result, "steps": found}
        data = json.dumps(value).encode()
        if len(data) > MOST_BYTES:  # nothing small; to read it alone may take those ten seconds
            continue
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with work.checking(len(data)):
                cert["problem"] = reader.digest(reader.parse_problem(data, True))
        except Exception:  # malformed, or too much work: asked again below
            if rng.random() < 0.8:
                continue
        raw = reader.canonical_json(cert)
        if len(data) + len(raw) <= MOST_BYTES:
            return data, raw


def main() -> None:
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    stored = (json.loads(p.read_text()) for p in (ROOT / "tests/certificates").glob("*/*.json"))
    corpus = [
        c for c in stored if isinstance(c["problem"], dict) and isinstance(c["certificate"], dict)
    ]
    corpus = [c for c in corpus if isinstance(c["certificate"].get("steps"), list)]
    corpus = [c for c in corpus if len(json.dumps(c)) < MOST_BYTES]
    rng, tally, worst = random.Random(seed), Counter[str](), 0.0
    for _ in range(count):
        data, raw = made(rng, corpus)
        (folder / "input.json").write_text(json.dumps([data.decode(), raw.decode()]))
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        start = time.process_time()
        word, message = checker.check_bytes(data, True, raw)
        worst = max(worst, time.process_time() - start)
        unforeseen = "beyond this kernel" in message
        work_ended = "too much work" in message
        tally[message if unforeseen else "too much work" if work_ended else word] += 1
    # ru_maxrss begins with the size of the process that started this one
    status = Path("/proc/self/status").read_text()
    memory = int(status.partition("VmHWM:")[2].split()[0]) << 10
    print(json.dumps({"words": dict(tally), "seconds": worst, "memory": memory}))


if __name__ == "__main__":
    main()
