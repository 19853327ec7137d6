"""Problems, certificates and an independent oracle for the tests of the kernel.

The oracle evaluates everything with mpmath by direct O(n^2) sums and its own reader of numbers
(the syntax tree of Python, never evaluated); it shares no code with the kernel.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
from coupling_truth import step_is_true
from mpmath import mp, mpf

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "pfverify" / "kernel"
CORPUS = ROOT / "tests" / "certificates"


def files() -> list[Path]:
    """The modules of the kernel, by room and name."""
    return sorted(KERNEL.rglob("*.py"))


sys.path.insert(0, str(KERNEL))

import checker  # noqa: E402
from core.kinds import kind_of  # noqa: E402
from core.rules import Goal  # noqa: E402
from core.work import Check  # noqa: E402
from reader import reader  # noqa: E402
from reader.noise import Noise  # noqa: E402

mp.dps = 60
TOLERANCE = mpf(10) ** -50
_FUNCTIONS = {"exp": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt}
Json = dict[str, Any]


# ---------------------------------------------------------------- problems and certificates


def problem(
    p: Json,
    q: Json,
    epsilon: Any = 1,
    delta: Any = 0,
    scale: Any = 1,
    step: Any = None,
    **more: Any,
) -> Json:
    """A problem with the secrets a and b in the default belief."""
    noise: Json = {"kind": "laplace" if step is None else "discrete-laplace"}
    if scale is not None:
        noise["scale"] = scale
    if step is not None:
        noise["step"] = step
    key = {True: "mass", False: "counts"}
    priors = {
        name: {
            "kind": "discrete",
            key[any(type(v) is not int for v in m.values()) or sum(m.values()) == 1]: m,
        }
        for name, m in (("a", p), ("b", q))
    }
    return {
        "schema": "pfverify/problem/1",
        "epsilon": epsilon,
        "delta": delta,
        "noise": noise,
        "priors": priors,
        **more,
    }


def goal(
    p: Any, q: Any, epsilon: Any, delta: Any, form: str = "events", release: Any = None
) -> Goal[Any, Any]:
    """A goal as the kernel makes it of two priors, by default without noise."""
    release = Noise("none", None, None) if release is None else release
    kind = kind_of(release.kind, p, q)
    names = "default", "a", "b"
    numbers = Fraction(epsilon), Fraction(delta)
    return Goal(names, *kind.laws(p, q, release), *numbers, form, release, kind, False, Check(0))


def digest(value: Json) -> str:
    return reader.digest(reader.problem_of(json.loads(json.dumps(value))))


def certificate(value: Json, result: str, steps: list[Any]) -> Json:
    return {
        "schema": "pfverify/certificate/1",
        "problem": digest(value),
        "produced_by": {"tests": "1"},
        "result": result,
        "steps": steps,
    }


def step(rule: str, source: str = "a", target: str = "b", bits: int = 128, **more: Any) -> Json:
    return {"rule": rule, "belief": "default", "from": source, "to": target, "bits": bits, **more}


def both(
    rule: str, bits: int = 128, first: Json | None = None, second: Json | None = None
) -> list[Json]:
    return [
        step(rule, "a", "b", bits, **(first or {})),
        step(rule, "b", "a", bits, **(second or first or {})),
    ]


def run(value: Any, cert: Any, suffix: str = ".json") -> tuple[str, str]:
    """The kernel's answer in this process."""
    found = checked(value, cert, suffix)
    return found.word, found.message


def checked(value: Any, cert: Any, suffix: str = ".json") -> checker.Checked:
    """The same with what was spent, and the facts of every rule."""
    data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
    raw = cert.encode() if isinstance(cert, str) else reader.canonical_json(cert)
    return checker.checked(data, suffix == ".json", raw)


# ---------------------------------------------------------------- the oracle


def real(value: Any) -> mpf:
    """A number of a problem file in high precision."""
    text = re.sub(r"(?<![0-9.])0+(?=[0-9])", "", str(value).strip())  # Python wants no leading 0

    def walk(node: ast.expr) -> mpf:
        if isinstance(node, ast.Constant):
            return mpf(ast.get_source_segment(text, node))
        if isinstance(node, ast.UnaryOp):
            return -walk(node.operand) if isinstance(node.op, ast.USub) else walk(node.operand)
        if isinstance(node, ast.Call):
            return _FUNCTIONS[node.func.id](walk(node.args[0]))
        a, b = walk(node.left), walk(node.right)
        kinds = {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}
        return a / b if isinstance(node.op, ast.Div) else kinds[type(node.op)]

    return walk(ast.parse(text, mode="eval").body)


def exact(value: Any) -> Fraction:
    text = str(value).replace(" ", "")
    numerator, _, denominator = text.partition("/")
    return Fraction(numerator) / Fraction(denominator or 1)


def law(prior: Json) -> dict[Fraction, mpf]:
    weights = prior.get("counts") or prior.get("mass")
    masses = {exact(a): exact(m) for a, m in weights.items()}
    total = sum(masses.values())
    return {
        a: mpf(m.numerator) / m.denominator / (mpf(total.numerator) / total.denominator)
        for a, m in masses.items()
        if m
    }


def beliefs(value: Json) -> dict[str, Json]:
    if "priors" in value:
        return {"default": value["priors"]}
    return {name: b["priors"] for name, b in value["beliefs"].items()}


def ordered_goals(value: Json) -> list[tuple[str, str, str]]:
    found = beliefs(value)
    names = list(next(iter(found.values())))
    pairs: list[tuple[str, str]] = []
    listed = value.get("pairs", [[a, b] for i, a in enumerate(names) for b in names[i + 1 :]])
    for a, b in listed:
        if (a, b) not in pairs and (b, a) not in pairs:
            pairs.append((a, b))
    return [(n, *way) for n in found for a, b in pairs for way in ((a, b), (b, a))]


def spread(value: Json, p: dict[Any, mpf], q: dict[Any, mpf], a: str, b: str) -> mpf:
    """What epsilon is multiplied by: 1, or under xdistp a table's entry or W-infinity, the longest
    way between quantiles."""
    if value.get("notion", "distp") == "distp":
        return mpf(1)
    metric = value.get("metric", "winf")
    if metric != "winf":
        return next(real(d) for x, y, d in metric if {x, y} == {a, b})

    def quantile(law: dict[Any, mpf], level: mpf) -> Any:
        total = mpf(0)
        for x in sorted(law):
            total += law[x]
            if total > level:
                return x
        raise ValueError("a level of 1 or more")

    ends = sorted({sum((m for x, m in law.items() if x <= y), mpf(0)) for law in (p, q)
                   for y in law} | {mpf(0)})  # fmt: skip
    levels = [(u + v) / 2 for u, v in pairwise(ends) if v - u > TOLERANCE]
    far = max(abs(quantile(p, level) - quantile(q, level)) for level in levels)
    return mpf(far.numerator) / far.denominator


class Release:
    """One ordered pair under one scale, by direct sums."""

    def __init__(self, value: Json, belief: str, source: str, target: str, scale: mpf) -> None:
        priors = beliefs(value)[belief]
        self.P, self.Q = law(priors[source]), law(priors[target])
        self.epsilon = real(value["epsilon"]) * spread(value, self.P, self.Q, source, target)
        self.rate, self.factor = 1 / scale, mpmath.exp(self.epsilon)
        self.delta = real(value.get("delta", 0))
        self.form = value.get("form", "events")
        self.step = exact(value["noise"]["step"]) if "step" in value["noise"] else None
        self.atoms = sorted({*self.P, *self.Q})
        if self.step is None:
            self.constant = self.rate / 2
        else:
            self.t = mpmath.exp(-self.rate * self.mp(self.step))
            self.constant = (1 - self.t) / (1 + self.t)

    @staticmethod
    def mp(x: Fraction) -> mpf:
        return mpf(x.numerator) / x.denominator

    def p(self, y: Fraction, prior: dict[Fraction, mpf]) -> mpf:
        return mpmath.fsum(
            m * mpmath.exp(-self.rate * abs(self.mp(y - x))) for x, m in prior.items()
        )

    def g(self, y: Fraction) -> mpf:
        return self.constant * (self.p(y, self.P) - self.factor * self.p(y, self.Q))

    def loss(self) -> mpf:
        return max(mpmath.log(self.p(a, self.P) / self.p(a, self.Q)) for a in self.atoms)

    def part(self, low: Fraction, high: Fraction) -> tuple[mpf, mpf]:
        """Coefficients (A, B) of g = A e^(-rate (y-low)) + B e^(-rate (high-y)) between atoms."""
        signed = [(x, m) for x, m in self.P.items()]
        signed += [(x, -self.factor * m) for x, m in self.Q.items()]
        a = sum(
            (m * mpmath.exp(-self.rate * self.mp(low - x)) for x, m in signed if x <= low), mpf(0)
        )
        b = sum(
            (m * mpmath.exp(-self.rate * self.mp(x - high)) for x, m in signed if x >= high), mpf(0)
        )
        return self.constant * a, self.constant * b

    def divergence(self) -> mpf:
        """The hockey-stick divergence: by zeros of g (Laplace) or by adding lattice points."""
        first, last = self.g(self.atoms[0]), self.g(self.atoms[-1])
        total = mpf(0)
        if self.step is not None:
            tail = self.t / (1 - self.t)
            total += (max(first, 0) + max(last, 0)) * tail
            y = self.atoms[0]
            while y <= self.atoms[-1]:
                total += max(self.g(y), 0)
                y += self.step
            return total
        total += (max(first, 0) + max(last, 0)) / self.rate
        for low, high in pairwise(self.atoms):
            a, b = self.part(low, high)
            w = self.mp(high - low)
            cuts = [mpf(0), w]
            if a * b < 0:
                zero = (w - mpmath.log(-b / a) / self.rate) / 2
                cuts += [zero] if 0 < zero < w else []
            cuts.sort()
            for u, v in pairwise(cuts):
                piece = a * (mpmath.exp(-self.rate * u) - mpmath.exp(-self.rate * v))
                piece += b * (mpmath.exp(-self.rate * (w - v)) - mpmath.exp(-self.rate * (w - u)))
                total += max(piece / self.rate, 0)
        return total

    def excess(self) -> mpf:
        """> 0 iff the goal fails, by how much."""
        if self.delta == 0:
            return self.loss() - self.epsilon
        if self.form == "pointwise":
            return max(0, *(self.g(a) for a in self.atoms)) - self.delta
        return self.divergence() - self.delta

    def holds(self) -> bool:
        return self.excess() <= TOLERANCE


def _private(value: Json, scale: mpf) -> bool:
    return all(Release(value, *goal, scale).holds() for goal in ordered_goals(value))


def _components(prior: Json) -> dict[Any, Fraction]:
    """The weights of the atoms, or of the means and variances, however the numbers are written."""
    if prior["kind"] == "discrete":
        weights = prior.get("counts") or prior.get("mass") or {}
        total = sum(map(exact, weights.values()))
        return {exact(a): exact(w) / total for a, w in weights.items() if exact(w)}
    found: dict[Any, Fraction] = {}
    for part in prior.get("components", [{**prior, "weight": 1}]):
        spread = exact(part["variance"]) if "variance" in part else exact(part["sd"]) ** 2
        key = exact(part["mean"]), spread
        found[key] = found.get(key, Fraction(0)) + exact(part["weight"])
    return found


def _prior_excess(value: Json, belief: str, source: str, target: str) -> mpf:
    zero, priors = mpf(0), beliefs(value)[belief]
    if _components(priors[source]) == _components(priors[target]):  # of any kind
        return zero
    r = Release(value, belief, source, target, mpf(1))
    gaps = [r.P.get(a, zero) - r.factor * r.Q.get(a, zero) for a in r.atoms]
    if r.form == "events":
        return sum((max(x, zero) for x in gaps), zero) - r.delta
    return max(gaps) - (r.delta if r.step is not None else 0)


def _scale_is(value: Json, scale: Any, verdict: str) -> bool:
    s = real(scale)
    if s == 0:  # a refutation of the scale 0 is one of the priors
        private = all(_prior_excess(value, *g) <= TOLERANCE for g in ordered_goals(value))
        return private == (verdict == "certified")
    return _private(value, s) == (verdict == "certified")


def _refutation_is_true(value: Json, s: Json, scale: mpf) -> bool:
    r = Release(value, s["belief"], s["from"], s["to"], scale)
    margin = real(s["margin"])
    if s["rule"] == "pure-refuted":
        y = exact(s["y"])
        return mpmath.log(r.p(y, r.P) / r.p(y, r.Q)) - r.epsilon >= margin - TOLERANCE
    if s["rule"] == "pointwise-refuted":
        return r.g(exact(s["y"])) - r.delta >= margin - TOLERANCE
    return probability_excess(r, s["event"]) - r.delta >= margin - TOLERANCE


def probability_excess(r: Release, event: list[list[str]]) -> mpf:
    """P(Y in B) - e^epsilon P'(Y in B) by distribution functions, atom by atom."""

    def below(x: Fraction, end: str, closed: bool) -> mpf:
        """P(x + N <= end), or < end when not closed."""
        if end in ("-inf", "inf"):
            return mpf(end == "inf")
        d = r.mp(exact(end) - x)
        if r.step is None:
            return 1 - mpmath.exp(-r.rate * d) / 2 if d >= 0 else mpmath.exp(r.rate * d) / 2
        k = (exact(end) - x) / r.step - (0 if closed else 1)
        return 1 - r.t ** (int(k) + 1) / (1 + r.t) if k >= 0 else r.t ** (-int(k)) / (1 + r.t)

    total = mpf(0)
    for low, high in event:
        for prior, sign in ((r.P, 1), (r.Q, -r.factor)):
            total += sign * mpmath.fsum(
                m * (below(x, high, True) - below(x, low, False)) for x, m in prior.items()
            )
    return total


def _moment_is_true(value: Json, step: Json) -> bool:
    """E_P e^(tX) >= e^epsilon E_Q e^(tX) at the t of a step, for atoms and gaussian noise."""
    if value["noise"]["kind"] != "gaussian" or real(value.get("delta", 0)) != 0:
        return False
    t = real(step["t"]) * (1 if step["log"] is None else mpmath.log(real(step["log"])))
    priors = beliefs(value)[step["belief"]]
    p, q = (
        mpmath.fsum(m * mpmath.exp(t * real(str(x))) for x, m in law(priors[name]).items())
        for name in (step["from"], step["to"])
    )
    return mpmath.log(p / q) - real(value["epsilon"]) >= -TOLERANCE


def is_bare(value: Json) -> bool:
    """Whether X itself is released."""
    noise = value["noise"]
    return noise["kind"] == "none" or 0 in (real(noise.get(k, 1)) for k in ("scale", "variance"))


def _bare_gaps(value: Json, belief: str, source: str, target: str) -> dict[Fraction, mpf]:
    """P(x) - e^epsilon Q(x) of the priors at every atom."""
    priors = beliefs(value)[belief]
    p, q = law(priors[source]), law(priors[target])
    factor = mpmath.exp(real(value["epsilon"]) * spread(value, p, q, source, target))
    return {x: p.get(x, mpf(0)) - factor * q.get(x, mpf(0)) for x in {*p, *q}}


def _bare_is_true(value: Json, cert: Json, word: str) -> bool:
    """The same for a release without noise, of priors of atoms."""
    delta, events = real(value.get("delta", 0)), value.get("form", "events") == "events"
    if not events and value["noise"]["kind"] in ("laplace", "gaussian"):
        return False  # atoms have no density
    if word == "certified":
        for goal in ordered_goals(value):
            gaps = _bare_gaps(value, *goal).values()
            worst = sum((max(x, mpf(0)) for x in gaps), mpf(0)) if events else max(gaps)
            if worst > delta + TOLERANCE:
                return False
        return True
    s = cert["steps"][0]
    goal, margin = (s["belief"], s["from"], s["to"]), real(s["margin"])
    gaps_at = _bare_gaps(value, *goal)
    if s["rule"] == "pure-refuted":
        priors, y = beliefs(value)[s["belief"]], exact(s["y"])
        p, q = (law(priors[s[way]]).get(y, mpf(0)) for way in ("from", "to"))
        bound = mpmath.exp(real(value["epsilon"]) + margin) * q
        return delta == 0 < margin and p > 0 and p >= bound - TOLERANCE
    if s["rule"] == "pointwise-refuted":
        return not events and gaps_at[exact(s["y"])] - delta >= margin - TOLERANCE
    inside = [
        x
        for x in gaps_at
        for low, high in s["event"]
        if (low == "-inf" or exact(low) <= x) and (high == "inf" or x <= exact(high))
    ]
    total = sum((gaps_at[x] for x in inside), mpf(0))
    return (events or delta == 0) and total - delta >= margin - TOLERANCE


def is_true(value: Json, cert: Json, word: str) -> bool:
    """Whether what an accepted certificate claims holds."""
    if "channel" in value:
        import channel_truth

        return channel_truth.is_true(value, cert, word)
    import families_truth
    import joint_truth
    import steps_truth

    if value.get("system", {}).get("rest") == "any" and "post" in value:
        return steps_truth.is_true_of_any_rest(value, cert, word)
    if families_truth.is_new(value):
        return families_truth.is_true(value, cert, word)
    if joint_truth.is_new(value):
        return joint_truth.is_true(value, cert, word)
    if steps_truth.is_new(value):
        return steps_truth.is_true(value, cert, word)
    if word in ("certified", "refuted") and is_bare(value):
        return _bare_is_true(value, cert, word)
    if word == "certified":
        return _private(value, real(value["noise"]["scale"]))
    if word == "refuted":
        return _refutation_is_true(value, cert["steps"][0], real(value["noise"]["scale"]))
    if word == "coupling":
        return all(step_is_true(value, s) for s in cert["steps"])
    for s in cert["steps"]:
        if s["rule"] == "scale":
            if not _scale_is(value, s["scale"], s["verdict"]):
                return False
        else:
            if s["lower_step"] is not None and not _scale_is(value, s["lower"], "refuted"):
                return False
            if s["upper"] == "inf" and s["upper_steps"][0]["rule"] == "moment":
                if not _moment_is_true(value, s["upper_steps"][0]):
                    return False
            elif s["upper"] == "inf":
                if real(value["epsilon"]) != 0 or real(value.get("delta", 0)) != 0:
                    return False
            elif not _scale_is(value, s["upper"], "certified"):
                return False
    return True


# ---------------------------------------------------------------- an untrusted search


def fraction_text(x: mpf) -> str:
    """A fraction of 40 decimals near x, written canonically."""
    return str(Fraction(int(mpmath.floor(x * mpf(10) ** 40)), 10**40))


def _margin(x: mpf) -> str:
    """A decimal a little below x > 0."""
    units = int(mpmath.floor(x * mpf("0.999") * mpf(10) ** 45))
    return f"0.{units:045d}" if units < 10**45 else str(units // 10**45)


def _positive_event(r: Release) -> list[list[str]]:
    """The outputs with g > 0, as closed intervals of rationals."""
    if r.step is not None:
        event: list[list[str]] = []
        y, open_ = r.atoms[0], False
        if r.g(y) > 0:
            event, open_ = [["-inf", str(y)]], True
        while y <= r.atoms[-1]:
            if r.g(y) > 0:
                if open_:
                    event[-1][1] = str(y)
                else:
                    event.append([str(y), str(y)])
            open_ = r.g(y) > 0
            y += r.step
        if r.g(r.atoms[-1]) > 0:
            event[-1][1] = "inf"
        return event
    cuts: list[str] = []
    for low, high in pairwise(r.atoms):
        a, b = r.part(low, high)
        if a * b < 0:
            w = r.mp(high - low)
            zero = (w - mpmath.log(-b / a) / r.rate) / 2
            if 0 < zero < w:
                cuts.append(fraction_text(r.mp(low) + zero))
    ends = ["-inf", *cuts, "inf"]
    first = 0 if r.g(r.atoms[0]) > 0 else 1
    return [[ends[i], ends[i + 1]] for i in range(first, len(ends) - 1, 2)]


def goal_step(value: Json, goal: tuple[str, str, str], scale: mpf, bits: int) -> tuple[bool, Json]:
    """(holds, a step that shows it) for one goal."""
    r = Release(value, *goal, scale)
    excess = r.excess()
    base = {"belief": goal[0], "from": goal[1], "to": goal[2], "bits": bits}
    if excess > TOLERANCE:
        if r.delta == 0:
            y = max(r.atoms, key=lambda a: r.p(a, r.P) / r.p(a, r.Q))
            return False, {**base, "rule": "pure-refuted", "y": str(y), "margin": _margin(excess)}
        if r.form == "pointwise":
            y = max(r.atoms, key=r.g)
            return False, {
                **base,
                "rule": "pointwise-refuted",
                "y": str(y),
                "margin": _margin(excess),
            }
        event = _positive_event(r)
        return False, {**base, "rule": "event-refuted", "event": event, "margin": _margin(excess)}
    if r.delta == 0:
        logs = {a: mpmath.log(r.p(a, r.P) / r.p(a, r.Q)) - r.epsilon for a in r.atoms}
        same = r.P == r.Q
        ties = [str(a) for a in r.atoms if abs(logs[a]) <= TOLERANCE and not same]
        return True, {**base, "rule": "pure", "ties": ties}
    if r.form == "pointwise":
        ties = [str(a) for a in r.atoms if abs(r.g(a) - r.delta) <= TOLERANCE]
        return True, {**base, "rule": "pointwise", "ties": ties}
    return True, {**base, "rule": "delta-tie" if excess >= -TOLERANCE else "delta-upper"}


def prove(value: Json, scale: Any = None, bits: int = 160) -> tuple[str, list[Json]]:
    """(result, steps) for the problem, or for another scale."""
    s = real(value["noise"]["scale"] if scale is None else scale)
    found = [goal_step(value, goal, s, bits) for goal in ordered_goals(value)]
    broken = [step for holds, step in found if not holds]
    return ("refuted", broken[:1]) if broken else ("certified", [step for _, step in found])


def proved(value: Json, bits: int = 160) -> Json:
    return certificate(value, *prove(value, bits=bits))


def scale_step(value: Json, method: str, scale: str) -> Json:
    verdict, steps = (
        ("certified", [{"rule": "no-noise"}]) if exact(scale) == 0 else prove(value, scale)
    )
    return {"rule": "scale", "method": method, "scale": scale, "verdict": verdict, "steps": steps}


def minimum_step(value: Json, digits: int = 12) -> Json:
    """The bracket of the smallest private scale, by bisection."""
    low, high = mpf(0), mpf(1)
    while not _private(value, high):
        low, high = high, 2 * high
    while high - low > mpf(10) ** -digits * high and high > mpf(10) ** -30:
        middle = (low + high) / 2
        low, high = (low, middle) if _private(value, middle) else (middle, high)
    ends = []
    for x, shift in ((low, 0), (high, 1)):
        units = int(mpmath.floor(x * mpf(10) ** (digits + 2))) + shift
        ends.append(f"{units // 10 ** (digits + 2)}.{units % 10 ** (digits + 2):0{digits + 2}d}")
    return {
        "rule": "minimum",
        "lower": ends[0],
        "upper": ends[1],
        "lower_step": prove(value, ends[0])[1][0],
        "upper_steps": prove(value, ends[1])[1],
    }
