"""Texts of numbers and of problem files: written by a grammar, then damaged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

Json = dict[str, Any]

LITERALS = (
    "0", "1", "2", "7", "10", "145", "007", "0.5", ".5", "5.", "1.50", "0.52", "1e3", "1E-3",
    "2.5e+2", "1e-30", "0e5", "00", "0.0", "1e04", "12345678901234567890", "1e400", "3e-400",
)  # fmt: skip
ODD = (
    "\u0661", "\uff11", "½", "²", "\u2212", "\u22121", "1_000", "0x10", "0b1", "1,5", "inf", "nan",
    "-inf", "1e", "e1", ".", "1..2", "1e5000", "1e-5000", "1e99999999", "pi", "sin(1)", "log()",
    "exp", "1/0", "log(0)", "log(-1)", "2^3", "2**3", "", " ", "True", "1j", "(", ")", "--", "+-+1",
    "1 2", "log (2)", "EXP(1)", "sqrt(2)", "sqrt(0)", "sqrt(-1)", "sqrt()", "abs(1)", "1;2", "\x00",
    "1\n", "\t1", "1\u00a0", "\u20031", "log(1)", "exp(0)", "log(4)-2*log(2)",
    "1/(log(4)-2*log(2))",
    "exp(1e9)", "exp(-1e9)", "log(1e4000)", "0*exp(1)", "exp(1)*0", "0+exp(1)", "exp(1)-0",
    "1*exp(1)", "exp(1)/1", "-exp(1)", "0/exp(1)", "exp(1)-exp(1)", "+exp(1)", "exp(log(2))",
    "log(exp(2))", "-(-exp(1))", "0-exp(1)",
)  # fmt: skip
ALPHABET = "0123456789.eE+-*/() explogsqrt_,^\t\n\u0661"


def expression(rng: Random, depth: int = 3) -> str:
    """A number by the grammar, with spaces where they are allowed."""
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return rng.choice(LITERALS) if rng.random() < 0.9 else str(rng.randint(0, 10**6))
    if kind < 0.45:
        name = rng.choice(["exp", "log", "log", "sqrt"])
        return f"{name}({expression(rng, depth - 1)})"
    if kind < 0.55:
        return f"({expression(rng, depth - 1)})"
    if kind < 0.62:
        return f"{rng.choice('+-')}{expression(rng, depth - 1)}"
    gap = rng.choice(["", "", "", " ", "  "])
    left, right = expression(rng, depth - 1), expression(rng, depth - 1)
    return f"{left}{gap}{rng.choice('+-*/')}{gap}{right}"


def long_text(rng: Random) -> str:
    """Many digits, terms, signs or parentheses."""
    n = rng.choice([5, 50, 99, 100, 101, 102, 199, 201, 400, 1500])
    core = rng.choice(["1", "exp(1)", "log(2)", "1/3"])
    return rng.choice(
        [
            "(" * n + core + ")" * n,
            "-" * n + core,
            "+".join([core] * n),
            "/".join(["3"] * n),
            "*".join(["1.000001"] * n),
            "1" + "0" * (3 * n),
            "0." + "0" * (3 * n) + "1",
            "log(" * min(n, 120) + "3" + ")" * min(n, 120),
            "exp(" * min(n, 120) + "0" + ")" * min(n, 120),
            " " * n + core + " " * n,
            f"1e{n}*1e{n}",
            "(" * n + core + ")" * (n - 1),
        ]
    )


def damaged_text(rng: Random, text: str, alphabet: str = ALPHABET) -> str:
    """One to three characters put in, taken out, replaced, doubled or exchanged."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if not text:
            return rng.choice(alphabet)
        i = rng.randrange(len(text))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:i] + rng.choice(alphabet) + text[i:]
        elif kind == 1:
            text = text[:i] + text[i + 1 :]
        elif kind == 2:
            text = text[:i] + rng.choice(alphabet) + text[i + 1 :]
        elif kind == 3:
            j = min(len(text), i + rng.randint(1, 6))
            text = text[:j] + text[i:j] + text[j:]
        else:
            text = text[:i] + text[i + 1 : i + 2] + text[i] + text[i + 2 :]
    return text


def number_text(rng: Random) -> tuple[str, str]:
    """(kind, text) of a number or of what is none."""
    kind = rng.random()
    if kind < 0.45:
        return "written", expression(rng, rng.randint(1, 4))
    if kind < 0.85:
        return "damaged", damaged_text(rng, expression(rng, rng.randint(1, 3)))
    if kind < 0.95:
        odd = rng.choice(ODD)
        return (
            "odd",
            odd if rng.random() < 0.5 else f"({odd}){rng.choice('+-*/')}{expression(rng, 1)}",
        )
    return "long", long_text(rng)


# ---------------------------------------------------------------- problem files


def problem_table(rng: Random) -> Json:
    """A problem file's table: every kind of prior, noise and option."""
    names = rng.sample(["a", "b", "c", "higher=yes", "é", "x y"], rng.choice([2, 2, 2, 3]))
    noise = rng.choice(["laplace", "laplace", "discrete-laplace", "gaussian"])
    kinds = ["mass", "counts"] if noise == "discrete-laplace" else ["mass", "counts", "g", "m"]
    value: Json = {"schema": "pfverify/problem/1", "epsilon": some_number(rng), "noise": {}}
    value["noise"] = {"kind": noise}
    if rng.random() < 0.9:
        value["noise"]["scale"] = some_number(rng)
    if noise == "discrete-laplace":
        value["noise"]["step"] = rng.choice([1, "1/2", "0.5", "1e-1"])
    if noise == "gaussian" and rng.random() < 0.6:
        value["noise"].pop("scale", None)
        value["noise"]["variance"] = rng.choice([2, "1/4", "0.3", "log(2)"])
    if rng.random() < 0.5:
        value["delta"] = rng.choice([0, "1e-6", "1/10", "1-exp(-1/4)", 1, "0.5", "2"])
    if rng.random() < 0.4:
        value["form"] = rng.choice(["events", "pointwise", "events "])
    priors = {name: prior(rng, rng.choice(kinds)) for name in names}
    if rng.random() < 0.8:
        value["priors"] = priors
    else:
        value["beliefs"] = {"x": {"priors": priors}}
        if rng.random() < 0.5:
            value["beliefs"]["y"] = {"priors": {n: prior(rng, "mass") for n in names}}
    if rng.random() < 0.3:
        value["pairs"] = [rng.sample(names, 2) for _ in range(rng.randint(1, 3))]
    return value


def some_number(rng: Random) -> Any:
    """A number that is often fine."""
    fine = [1, 2, "1/2", "0.52", "log(3)", "51/25", "1/log(3)", "exp(1)/2", "3e0", " 1 / 3 "]
    return rng.choice(fine) if rng.random() < 0.85 else number_text(rng)[1]


def prior(rng: Random, kind: str) -> Json:
    """A prior of atoms or normal laws."""
    n = rng.randint(1, 3)
    if kind == "counts":
        return {"kind": "discrete", "counts": {str(k): rng.randint(0, 9) + 1 for k in range(n)}}
    if kind == "mass":
        masses = {1: ["1"], 2: ["1/3", "2/3"], 3: ["0.25", "1/4", "0.5"]}[n]
        start = rng.choice([0, -1, "1/2"])
        keys = [str(k) if isinstance(start, int) else f"{k}.5" for k in range(n)]
        return {"kind": "discrete", "mass": dict(zip(keys, masses, strict=True))}
    spread = rng.choice(["variance", "sd"])
    if kind == "g":
        return {
            "kind": "gaussian",
            "mean": rng.choice([0, "1/2", "-3"]),
            spread: rng.choice([1, "2"]),
        }
    weights = {1: ["1"], 2: ["1/2", "0.5"], 3: ["1/5", "2/5", "2/5"]}[n]
    parts = [
        {"weight": w, "mean": str(k), spread: rng.choice([0, 1, "1/4"])}
        for k, w in enumerate(weights)
    ]
    return {"kind": "mixture", "components": parts}


WRONG = (
    None, True, False, [], {}, "", " ", -1, 0, 1.5, 10**400, "nan", "inf", [1], {"a": 1}, "a",
    "discrete", "laplace", "none", "1/0", 1e-7, "0*exp(1)", -0.0, 1.0, "1e400", "log(-2)",
)  # fmt: skip


def changed_table(rng: Random, value: Any) -> Any:
    """One key renamed, dropped or added, or one value replaced."""
    if not isinstance(value, dict) or not value:
        return rng.choice(WRONG)
    key = rng.choice(list(value))
    kind = rng.random()
    if kind < 0.5 and isinstance(value[key], dict):
        return {**value, key: changed_table(rng, value[key])}
    if kind < 0.62:
        return {k: v for k, v in value.items() if k != key}
    if kind < 0.72:
        new = rng.choice(
            [f"{key} ", key.upper(), key[:-1], "", "extra", "kind", "mass", "0.0", "00"]
        )
        return {(new if k == key else k): v for k, v in value.items()}
    if kind < 0.8:
        return {
            **value,
            rng.choice(["extra", "scale", "variance", "delta", "", "0"]): some_number(rng),
        }
    if isinstance(value[key], list) and value[key] and rng.random() < 0.7:
        items = list(value[key])
        i = rng.randrange(len(items))
        items[i : i + 1] = rng.choice([[], [items[i]] * 2, [changed_table(rng, items[i])]])
        return {**value, key: items}
    return {**value, key: rng.choice(WRONG)}


def as_toml(rng: Random, value: Any) -> str:
    """TOML in one of its many spellings."""
    if isinstance(value, dict):
        return "{ " + ", ".join(_pairs(rng, value)) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(as_toml(rng, v) for v in value if v is not None) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        text = str(value)
        spellings = [text, text, text, f"{value:+d}", f"{value:_d}"]
        return rng.choice([*spellings, hex(value)] if value >= 0 else spellings)
    if isinstance(value, float):
        return repr(value)
    if re.fullmatch(r"[0-9]+\.[0-9]+", value) and rng.random() < 0.5:
        return value  # a bare decimal
    if rng.random() < 0.2 and "'" not in value and "\n" not in value and "\x00" not in value:
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)


def _key(rng: Random, key: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]+", key) and rng.random() < 0.7:
        return key
    return json.dumps(key, ensure_ascii=False)


def _pairs(rng: Random, table: Json) -> list[str]:
    """Keys and values; TOML cannot say that there is none."""
    return [f"{_key(rng, k)} = {as_toml(rng, v)}" for k, v in table.items() if v is not None]


def toml_file(rng: Random, value: Json) -> str:
    """A TOML file: keys first, then tables, with headings, dots or inline."""
    plain = {k: v for k, v in value.items() if not isinstance(v, dict)}
    tables = {k: v for k, v in value.items() if isinstance(v, dict)}
    lines = _pairs(rng, plain)
    inline = {k: v for k, v in tables.items() if rng.random() < 0.3}
    lines += _pairs(rng, inline)
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines) + 1), "# a comment = 1")
    for name, table in tables.items():
        if name in inline:
            continue
        if name == "priors":
            for secret, entry in table.items():
                lines.append(f"[priors.{_key(rng, secret)}]")
                if isinstance(entry, dict):
                    lines += _pairs(rng, entry)
        else:
            lines.append(f"[{_key(rng, name)}]")
            lines += _pairs(rng, table)
    return rng.choice(["\n", "\n", "\r\n"]).join(lines) + "\n"


def json_file(rng: Random, value: Any) -> str:
    """A JSON file, with bare decimals, repeated keys, other constants."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 1]))
    if rng.random() < 0.3:
        text = re.sub(r'"([0-9]+\.[0-9]+)"(?!\s*:)', r"\1", text)
    if rng.random() < 0.03:
        text = text.replace(
            "1", rng.choice(["NaN", "Infinity", "1e3", "1.0", "-0", "01", "1E2"]), 1
        )
    if rng.random() < 0.03 and text.startswith("{"):
        text = '{"epsilon": 1, ' + text[1:]
    return text


FILE_ALPHABET = "{}[]\",:=#'\\ \n\t\r0123456789.eE+-_abcdefu\x00\u0661\ufeff"


def problem_file(rng: Random) -> tuple[str, bytes, bool]:
    """(kind, bytes, whether JSON) of a problem file or of what is none."""
    value: Any = problem_table(rng)
    kind = rng.choice(["written", "written", "changed", "changed", "damaged", "bytes"])
    if kind == "changed":
        for _ in range(rng.choice([1, 1, 2])):
            value = changed_table(rng, value)
    is_json = rng.random() < 0.5 or not isinstance(value, dict)
    text = json_file(rng, value) if is_json else toml_file(rng, value)
    if kind == "damaged":
        text = damaged_text(rng, text, FILE_ALPHABET)
    data = text.encode("utf-8", "surrogatepass")
    if kind == "bytes":
        data = BYTES[rng.randrange(len(BYTES))](rng, data)
    return f"{kind} {'JSON' if is_json else 'TOML'}", data, is_json


def _flip(rng: Random, data: bytes) -> bytes:
    i = rng.randrange(len(data))
    return data[:i] + bytes([data[i] ^ (1 << rng.randrange(8))]) + data[i + 1 :]


def _line_twice(rng: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return b"\n".join(lines)


BYTES: list[Callable[[Random, bytes], bytes]] = [
    _flip,
    _flip,
    _flip,
    _line_twice,
    lambda rng, data: data[: rng.randrange(len(data))],
    lambda rng, data: b"\xef\xbb\xbf" + data,
    lambda rng, data: data + data,
    lambda rng, data: data.replace(b"\n", b"\r"),
    lambda rng, data: data.decode("utf-8").encode("utf-16"),
    lambda rng, data: data + bytes([rng.choice([0, 0x20, 0x0A, 0xC0, 0xFF, 0x0C])]),
    lambda rng, data: b"[" * rng.choice([10, 63, 64, 65, 500]) + data,
]
