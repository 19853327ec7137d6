"""The stored cases about channels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kernel_builder as kb

Json = dict[str, Any]
Base = tuple[Json, Json]

BITS = {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["no", "yes"],
        "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}  # fmt: skip
RESPONSE = {"kind": "randomized-response", "inputs": ["a", "b", "c"], "epsilon": 1}
PLANE = {"kind": "planar", "points": {"a": [0, 0], "b": [1, 1], "c": [2, 2]}, "epsilon": "1/2",
         "notion": "xdp"}  # fmt: skip
GEOMETRIC = {"kind": "truncated-geometric", "size": 4, "epsilon": "1/3", "notion": "xdp"}
RAPPOR = {"kind": "rappor", "inputs": ["a", "b"], "flip": "1/2"}
UNARY = {"kind": "unary", "inputs": ["a", "b"], "epsilon": "log(3)", "variant": "symmetric"}
SUBSETS = {"kind": "subset-selection", "inputs": ["a", "b", "c"], "epsilon": "log(3)"}
HASHING = {"kind": "local-hashing", "inputs": ["a", "b"], "epsilon": "log(3)", "range": 2}
SCORES = {"kind": "exponential", "inputs": ["a", "b"], "outputs": ["x", "y", "z"],
          "scores": [[0, 1, 2], [1, 1, 1]], "epsilon": "1/2"}  # fmt: skip
HOME = {
    "home": {"kind": "finite", "mass": {"a": "1/2", "b": "1/2"}},
    "out": {"kind": "finite", "counts": {"a": 1, "b": 3}},
}
STEPS = {  # of the numbers 0 to 3
    "near": {"kind": "finite", "mass": {"0": "1/2", "1": "1/2"}},
    "far": {"kind": "finite", "mass": {"1": "1/2", "3": "1/2", "2": 0}},
}


def problem(channel: Json, epsilon: Any, delta: Any = 0, **more: Any) -> Json:
    return {
        "schema": "pfverify/problem/1",
        "epsilon": epsilon,
        "delta": delta,
        "channel": channel,
        **more,
    }


def step(rule: str, source: str, target: str, **more: Any) -> Json:
    return {"rule": rule, "belief": "default", "from": source, "to": target, **more}


def cut(n: int) -> Json:
    """Discrete Laplace noise cut at -n and n, around 0 and around 1: quotients of one sum."""
    whole = "+".join(f"exp(-{abs(k)})" for k in range(-n, n + 1))
    rows = [
        [f"exp(-{abs(k - x)})/({whole})" if abs(k - x) <= n else "0" for k in range(-n, n + 2)]
        for x in (0, 1)
    ]
    outputs = [str(k) for k in range(-n, n + 2)]
    return {"kind": "matrix", "inputs": ["a", "b"], "outputs": outputs, "rows": rows}


def ordered(names: str) -> list[tuple[str, str]]:
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return [way for a, b in pairs for way in ((a, b), (b, a))]


def proved(value: Json, ways: list[tuple[str, str]], rule: str = "channel") -> Json:
    return kb.certificate(value, "certified", [step(rule, a, b) for a, b in ways])


def refuted(value: Json, rule: str, a: str, b: str, **more: Any) -> Json:
    return kb.certificate(value, "refuted", [step(rule, a, b, bits=64, **more)])


def channel_cases(
    accept: Callable[..., Base],
    reject: Callable[..., None],
    other_problem: Callable[..., None],
    case: Callable[..., None],
    put: Callable[..., Any],
) -> None:
    two, secrets = [("a", "b"), ("b", "a")], [("home", "out"), ("out", "home")]

    def certified(name: str, value: Json, ways: list[tuple[str, str]], why: str) -> Base:
        return accept(f"channel-{name}", value, proved(value, ways), why)

    tie = certified("matrix-tie", problem(BITS, "log(3)"), two, "3/4 over 1/4 at epsilon = log 3")
    other_problem("channel-near-tie", tie, put(["epsilon"], "log(3)-1e-40"), "missed by 1e-40")
    other_problem("channel-row-changed", tie, put(["channel", "rows", 0], ["0.76", "0.24"]),
                  "a larger ratio")
    other_problem("channel-rows-exchanged", tie, put(["channel", "rows"], [["1", "0"], ["0", "1"]]),
                  "the identity")
    reject("channel-one-order", tie, lambda c: c["steps"].pop(), "one order is missing")
    reject("channel-orders-exchanged", tie, lambda c: c["steps"].reverse(), "goals have an order")
    reject("channel-digest", tie, put(["problem"], "0" * 64), "another problem")
    reject("channel-as-noise", tie, put(["steps", 0, "rule"], "no-noise"), "no priors of numbers")
    reject("channel-bits", tie, put(["steps", 0, "bits"], 64), "no such key", "malformed")
    reject("channel-pure", tie, put(["steps", 0], kb.step("pure", ties=[])), "of Laplace noise",
           "malformed")
    scale = {"rule": "scale", "method": "l1", "scale": "0", "verdict": "certified",
             "steps": [{"rule": "no-noise"}]}  # fmt: skip
    reject("channel-scales", tie, lambda c: c.update(result="scales", steps=[scale]), "no scales")
    reject("channel-coupling", tie, lambda c: c.update(result="coupling", steps=[
        step("coupling", "a", "b", edges=[["0", "0", "1"]], within="1")]), "no priors of numbers")
    loose = certified("delta", problem(BITS, 0, "1/2"), two, "total variation 1/2, a tie")
    other_problem("channel-delta-smaller", loose, put(["delta"], "0.4999999999999"), "below 1/2")
    mass = certified("pointwise", problem(BITS, "log(2)", "1/4", form="pointwise"), two,
                     "3/4 - 2/4 = 1/4 at one output")
    other_problem("channel-pointwise-delta", mass, put(["delta"], "0.2499999"), "below 1/4")
    other_problem("channel-pointwise-as-events", mass, lambda p: p.update(
        form="events", delta="0.24"), "above 0.24")
    half = problem({**BITS, "rows": [["7/8", "1/8"], ["1/8", "7/8"]]}, "1e-9", "3/4",
                   form="pointwise")  # fmt: skip
    most = certified("pointwise-most", half, two, "7/8 - e^(1e-9)/8 is a little less than 3/4")
    other_problem("channel-pointwise-least", most, put(["delta"], "0.7499999998"), "not so much")
    of_e = problem({**BITS, "rows": [["exp(-1)", "1-exp(-1)"], ["1/4", "3/4"]]}, "2*log(2)-1")
    met = certified("e-tie", of_e, two, "1/e over 1/4")
    other_problem("channel-e-near", met, put(["epsilon"], "2*log(2)-1-1e-60"), "missed by 1e-60")
    response = certified("response", problem(RESPONSE, 1), ordered("abc"), "a tie with e")
    other_problem("channel-response-near", response, put(["epsilon"], "1-1e-30"), "missed by 1e-30")
    other_problem("channel-response-truth", response, lambda p: p["channel"].update(
        truth="0.58", epsilon=1) or p["channel"].pop("epsilon"), "e/(e+2) = 0.576...")
    related = {**RESPONSE, "inputs_related": [["c", "a"]]}
    certified("related", problem(related, 1), [("c", "a"), ("a", "c")], "one pair of inputs")
    plane = certified("plane", problem(PLANE, 1), ordered("abc"), "twice the exponent")
    other_problem("channel-plane-single", plane, put(["epsilon"], "1/2"), "of the row's sum, too")
    other_problem("channel-plane-dp", plane, lambda p: p["channel"].update(notion="dp"),
                  "a distance of 2.8 with an epsilon of 1")
    steps = [(str(a), str(b)) for a, b in ordered("0123")]  # type: ignore[arg-type]
    geometric = certified("geometric", problem(GEOMETRIC, "1/3"), steps, "ties at all distances")
    other_problem("channel-geometric-near", geometric, put(["epsilon"], "0.33333333333333"), "near")
    table = {**GEOMETRIC, "metric": [[a, b, abs(int(a) - int(b))] for a, b in steps[::2]]}
    certified("metric-table", problem(table, "1/3"), steps, "the same as a table")
    rappor = certified("rappor", problem(RAPPOR, "2*log(3)"), two, "two bits differ, each log 3")
    other_problem("channel-rappor-near", rappor, put(["epsilon"], "2.197"), "2 log 3 = 2.1972...")
    for name, table, least, why in (
        ("unary", UNARY, "log(3)", "symmetric: e^(epsilon/2) twice"),
        ("subsets", SUBSETS, "log(3)", "a set that has the input is 3 times as likely"),
        ("hashing", HASHING, "log(3)", "the value is told with 3 times the chance"),
    ):
        found = certified(name, problem(table, least), ordered("".join(table["inputs"])), why)
        other_problem(f"channel-{name}-near", found, put(["epsilon"], "1.0986"), "log 3 is more")
    exponential = certified("scores", problem(SCORES, "1/2"), two, "half of epsilon")
    other_problem("channel-scores-far", exponential, put(["epsilon"], "0.1"), "too small")
    both = {"kind": "composition", "parts": [BITS, BITS]}
    certified("composition", problem(both, "2*log(3)"), two, "epsilons add")
    square = {"kind": "product", "parts": [BITS, BITS], "inputs_related": [["a,a", "b,b"]]}
    certified("product", problem(square, "log(9)"), [("a,a", "b,b"), ("b,b", "a,a")], "log 9")
    then = {"kind": "cascade", "parts": [BITS, {**BITS, "inputs": ["yes", "no"]}]}
    certified("cascade", problem(then, "log(5/3)"), two, "5/8 over 3/8")
    mixed = {"kind": "mixture", "parts": [BITS, {**BITS, "outputs": ["yes", "maybe"]}],
             "weights": ["1/2", "1/2"]}  # fmt: skip
    certified("mixture", problem(mixed, "log(3)"), two, "3/8 over 1/8 at no, at maybe")
    hidden = certified("distp", problem(BITS, "log(4/3)", priors=HOME), secrets,
                       "1/2 over 3/8 at no")
    case("reject", "channel-distp-smaller", problem(BITS, "log(4/3)", priors={
        **HOME, "out": {"kind": "finite", "counts": {"a": 1, "b": 7}}}),
        {**hidden[1], "problem": kb.digest(problem(BITS, "log(4/3)", priors={
            **HOME, "out": {"kind": "finite", "counts": {"a": 1, "b": 7}}}))},
        "rejected", "11/16 over 1/2")
    ways = [("near", "far"), ("far", "near")]
    over = problem({**GEOMETRIC, "notion": "xdistp"}, "1/3", priors=STEPS)
    certified("xdistp", over, ways, "W-infinity is 2")
    winf = problem({**GEOMETRIC, "notion": "xdistp", "distance": [
        [a, b, 1] for a, b in steps[::2]]}, "1/3", priors=STEPS)
    case("reject", "channel-xdistp-distance", winf, proved(winf, ways), "rejected", "W-infinity 1")
    places = {"a": ["0"], "b": ["1"]}
    along = problem({**BITS, "notion": "xdistp", "points": places, "distance": "manhattan"},
                    "log(3)", priors=HOME)
    certified("xdistp-points", along, secrets, "W-infinity 1 by a flow")

    near = problem({**BITS, "notion": "xdp", "metric": [["a", "b", "1/2"]]}, "2*log(3)")
    found = certified("metric-half", near, two, "half of 2 log(3)")
    other_problem("channel-metric-nothing", found, put(["channel", "metric", 0, 2], 0),
                  "two inputs at no distance are to be alike")
    laws = {"one": ({"0": "1/2", "5": "1/2"}, {"0": "51/100", "5": "49/100"}),
            "two": ({"0": 1}, {"1": 1})}  # fmt: skip
    beliefs = {
        name: {"priors": {
            x: {"kind": "discrete", "mass": m} for x, m in zip("ab", of, strict=True)
        }} for name, of in laws.items()
    }  # fmt: skip
    apart = {"schema": "pfverify/problem/1", "epsilon": "11/10", "notion": "xdistp",
             "noise": {"kind": "laplace", "scale": 1}, "beliefs": beliefs}  # fmt: skip
    pures = [{**kb.step("pure", *way, ties=[]), "belief": name} for name in beliefs for way in two]
    found = accept("metric-beliefs", apart, kb.certificate(apart, "certified", pures),
                  "5 apart in the one belief, 1 in the other")
    other_problem("metric-of-the-other-belief", found, put(["epsilon"], "1/2"),
                  "5/2 in the one belief, and 1/2 in the other")

    small = problem(BITS, 1)
    point = accept("output-refuted", small,
                   refuted(small, "output-refuted", "a", "b", output="no", margin="0.0986"),
                   "log(3) - 1 = 0.0986...")
    reject("output-refuted-margin", point, put(["steps", 0, "margin"], "0.0987"), "a bit more")
    reject("output-refuted-other", point, put(["steps", 0, "output"], "yes"), "the other output")
    reject("output-refuted-order", point, lambda c: c["steps"][0].update({"from": "b", "to": "a"}),
           "the other order")
    reject("output-refuted-unknown", point, put(["steps", 0, "output"], "maybe"), "no such output")
    reject("output-refuted-margin-0", point, put(["steps", 0, "margin"], "0"), "positive")
    reject("output-refuted-number", point, put(["steps", 0, "output"], 1), "a name", "malformed")
    reject("output-refuted-y", point, lambda c: c["steps"][0].update(y="0"), "a key", "malformed")
    other_problem("output-refuted-delta", point, put(["delta"], "1e-9"), "a pure bound only")
    zero = problem({**BITS, "rows": [["1", "0"], ["1/2", "1/2"]]}, 40)
    accept("output-refuted-infinite", zero,
           refuted(zero, "output-refuted", "b", "a", output="yes", margin="1e30"), "1/2 over 0")
    none = refuted(zero, "output-refuted", "a", "b", output="yes", margin="1")
    case("reject", "output-refuted-nothing", zero, none, "rejected", "0 over 1/2")
    never = {**BITS, "outputs": ["no", "yes", "never"],
             "rows": [["3/4", "1/4", "0"], ["1/4", "3/4", "0"]]}  # fmt: skip
    case("reject", "output-refuted-never", problem(never, 1),
         refuted(problem(never, 1), "output-refuted", "a", "b", output="never", margin="1"),
         "rejected", "0 >= 0 proves nothing")

    event = accept("outputs-refuted", small,
                   refuted(small, "outputs-refuted", "a", "b", outputs=["no"], margin="0.07"),
                   "3/4 - e/4 = 0.0704...")
    reject("outputs-refuted-margin", event, put(["steps", 0, "margin"], "0.0705"), "a bit more")
    reject("outputs-refuted-all", event, put(["steps", 0, "outputs"], ["no", "yes"]), "1 - e")
    reject("outputs-refuted-unknown", event, put(["steps", 0, "outputs"], ["maybe"]), "no output")
    reject("outputs-refuted-twice", event, put(["steps", 0, "outputs"], ["no", "no"]),
           "counted twice", "malformed")
    reject("outputs-refuted-none", event, put(["steps", 0, "outputs"], []), "empty", "malformed")
    reject("outputs-refuted-text", event, put(["steps", 0, "outputs"], "no"), "text", "malformed")
    grid = problem(RESPONSE, "1/2", "1/10", form="pointwise")
    case("reject", "outputs-refuted-pointwise", grid,
         refuted(grid, "outputs-refuted", "a", "b", outputs=["a"], margin="0.01"), "rejected",
         "true, but delta is not 0")
    at = accept("mass-refuted", grid,
                refuted(grid, "mass-refuted", "a", "b", output="a", margin="0.12"),
                "(e - e^(1/2))/(e + 2) - 1/10 = 0.126...")
    reject("mass-refuted-margin", at, put(["steps", 0, "margin"], "0.13"), "a bit more")
    reject("mass-refuted-elsewhere", at, put(["steps", 0, "output"], "c"), "the same masses")
    other_problem("mass-refuted-events", at, put(["form"], "events"), "the other form")

    hidden = {"kind": "tupling", "dummies": 2, "base": BITS}
    same = problem(hidden, "log(3)")
    accept("tupling", same, proved(same, two, "tupling"), "dummies do not matter for delta = 0")
    # the worst event of one dummy is a pair of two no: 3/8 against 1/8
    once = {**hidden, "dummies": 1}
    level = problem(once, "1/2", "3/8-exp(1/2)/8")
    edge = accept("tupling-tie", level, proved(level, two, "tupling"), "met exactly")
    other_problem("tupling-near", edge, put(["delta"], "3/8-exp(1/2)/8-1e-30"), "missed by 1e-30")
    other_problem("tupling-epsilon", edge, put(["epsilon"], "1/3"), "a smaller epsilon")
    wide = problem(hidden, "1/2", "0.08446")
    above = accept("tupling-upper", wide, proved(wide, two, "tupling"), "no equality")
    other_problem("tupling-delta", above, put(["delta"], "0.08445"), "0.084454...")
    other_problem("tupling-pure", above, put(["delta"], 0), "log 3 is needed")
    fixed = problem({**hidden, "dummy": {"no": 1, "yes": 0}}, "1/2", "1/2")
    away = accept("tupling-dummies-fixed", fixed, proved(fixed, two, "tupling"),
                  "every yes is the true output: as without dummies")
    other_problem("tupling-dummies-fixed-delta", away, put(["delta"], "1/4"), "3/4 - e^(1/2)/4")
    noisy = problem({**hidden, "base": RESPONSE}, "1/2", "0.0603")
    accept("tupling-irrational", noisy, proved(noisy, ordered("abc"), "tupling"), "e in the masses")
    reject("tupling-as-channel", edge, put(["steps", 0, "rule"], "channel"), "of written channels")
    reject("tupling-bits", edge, put(["steps", 0, "bits"], 64), "no such key", "malformed")
    low = problem(once, "1/2", "1/10")
    down = accept("tupling-refuted", low,
                  refuted(low, "tupling-refuted", "a", "b", growth="3/2", margin="0.06"),
                  "3/8 - e^(1/2)/8 - 1/10 = 0.068...")
    reject("tupling-refuted-margin", down, put(["steps", 0, "margin"], "0.069"), "a bit more")
    reject("tupling-refuted-growth", down, put(["steps", 0, "growth"], "4"), "an empty event")
    reject("tupling-refuted-all", down, put(["steps", 0, "growth"], "1/100"), "every tuple")
    reject("tupling-refuted-inf", down, put(["steps", 0, "growth"], "inf"), "Q is positive")
    reject("tupling-refuted-growth-0", down, put(["steps", 0, "growth"], "0"), "g > 0", "malformed")
    reject("tupling-refuted-growth-text", down, put(["steps", 0, "growth"], "1.5"), "canonical",
           "malformed")
    other_problem("tupling-refuted-dummies", down, put(["channel", "dummies"], 40), "more of them")
    apart = problem({**hidden, "base": {**BITS, "rows": [["1/2", "1/2"], [1, 0]]}}, 3, "1/10")
    accept("tupling-refuted-nothing", apart,
           refuted(apart, "tupling-refuted", "a", "b", growth="inf", margin="0.025"),
           "three yes: 1/8")
    loud = problem({**hidden, "base": RESPONSE}, "1/2", "0.0602")
    accept("tupling-refuted-irrational", loud,
           refuted(loud, "tupling-refuted", "a", "b", growth="8/5", margin="0.00008"),
           "0.06028... - 0.0602")

    noise: Json = {"kind": "laplace", "scale": 1}
    laws = {"p": {"kind": "discrete", "mass": {"0": "1/2", "1": "1/2"}},
            "q": {"kind": "discrete", "mass": {"1": "1/4", "2": "1/4", "5/2": "1/2"}}}  # fmt: skip
    apart_by = {"schema": "pfverify/problem/1", "epsilon": 1, "notion": "xdistp", "noise": noise,
                "priors": laws}  # fmt: skip

    def pure(value: Json) -> Json:
        steps = [kb.step("pure", a, b, ties=[]) for a, b in (("p", "q"), ("q", "p"))]
        return kb.certificate(value, "certified", steps)

    winf_of_noise = accept("pure-xdistp", apart_by, pure(apart_by), "epsilon times W-infinity, 2")
    other_problem("pure-xdistp-plain", winf_of_noise, lambda p: p.pop("notion"), "epsilon alone")
    other_problem("pure-xdistp-metric", winf_of_noise, lambda p: p.update(
        metric=[["q", "p", "1/2"]]), "a table says less")
    table_of_noise = {**apart_by, "metric": [["q", "p", "sqrt(3)"]]}
    accept("pure-xdistp-table", table_of_noise, pure(table_of_noise), "a table says enough")
    bare: Json = {**apart_by, "epsilon": "log(2)/2", "noise": {"kind": "none"}, "priors": {
        "p": {"kind": "discrete", "counts": {"0": 2, "2": 1}},
        "q": {"kind": "discrete", "counts": {"0": 1, "2": 2}}}}  # fmt: skip
    free = kb.certificate(bare, "certified", [step("no-noise", *way) for way in ordered("pq")])
    none_added = accept("bare-xdistp", bare, free, "a ratio of 2 at W-infinity 2, a tie")
    other_problem("bare-xdistp-near", none_added, put(["epsilon"], "log(2)/2-1e-30"), "missed")
    still = {**apart_by, "epsilon": 0, "priors": {**laws, "r": laws["p"]},
             "pairs": [["p", "r"], ["p", "q"]]}  # fmt: skip
    never = {"rule": "minimum", "lower": "0", "upper": "inf", "lower_step": None,
             "upper_steps": [{"rule": "no-scale"}]}  # fmt: skip
    accept("no-scale-xdistp", still, kb.certificate(still, "scales", [never]), "epsilon is 0")
    some = {**still, "epsilon": 1}
    case("reject", "no-scale-xdistp-equal", some, kb.certificate(some, "scales", [never]),
         "rejected", "an epsilon of 0 is only that of two equal priors")

    short = problem(cut(12), 1, "1/2")
    kept = accept("channel-matrix-quotients", short, proved(short, ordered("ab")),
                  "a row of 25 quotients of one sum")
    other_problem("channel-matrix-quotients-delta", kept, put(["delta"], "2.8e-6"), "2.84e-6")

    def malformed(name: str, value: Json, why: str) -> None:
        case("malformed", f"problem-channel-{name}", value, tie[1], "malformed", why)

    def wrong(name: str, why: str, **changes: Any) -> None:
        channel = {k: v for k, v in {**BITS, **changes}.items() if v is not None}
        malformed(name, problem(channel, 1), why)

    wrong("row-sum", "0.99", rows=[["0.75", "0.24"], ["1/4", "3/4"]])
    wrong("row-sum-irrational", "a bit more than 1", rows=[["exp(-1)", "1-exp(-1)+1e-50"], [0, 1]])
    over = cut(12)["rows"][0]
    wrong("row-sum-quotients", "an entry twice, and so not 1", inputs=["a"],
          outputs=[str(k) for k in range(26)], rows=[[*over[:3], over[4], *over[4:]]])
    wrong("row-sum-near", "25 quotients of one sum, and a bit less", inputs=["a"],
          outputs=[str(k) for k in range(26)], rows=[[f"{over[0]}-1e-40", *over[1:]]])
    wrong("negative", "a negative entry", rows=[["5/4", "-1/4"], ["1/4", "3/4"]])
    wrong("rows-short", "one row", rows=[["3/4", "1/4"]])
    wrong("row-short", "one entry", rows=[["1"], ["1/4", "3/4"]])
    wrong("inputs-twice", "alike", inputs=["a", "a"])
    wrong("outputs-empty-name", "empty", outputs=["", "b"])
    wrong("outputs-numbers", "names are strings", outputs=[1, 2])
    wrong("kind", "no such kind", kind="oracle")
    wrong("kind-missing", "no kind", kind=None)
    wrong("key", "an unknown key", colour="red")
    wrong("notion", "no such notion", notion="cdp")
    wrong("notion-of-priors", "no priors", notion="distp")
    wrong("related-unknown", "no input c", inputs_related=[["a", "c"]])
    wrong("related-same", "a pair with itself", inputs_related=[["a", "a"]])
    wrong("related-none", "nothing to decide", inputs_related=[])
    wrong("metric-of-dp", "dp has no metric", metric="distance")
    wrong("points-of-dp", "unused", points={"a": [0], "b": [1]})
    wrong("distance-missing", "no numbers, no points", notion="xdp")
    wrong("distance-unknown", "no such distance", notion="xdp", distance="taxi")
    wrong("points-missing", "b has no place", notion="xdp", points={"a": [0]})
    wrong("points-dimension", "two dimensions", notion="xdp", points={"a": [0], "b": [0, 1]})
    wrong("points-unused", "a table says it", notion="xdp", points={"a": [0], "b": [1]},
          distance=[["a", "b", 1]])
    wrong("distance-negative", "negative", notion="xdp", distance=[["a", "b", "-1"]])
    wrong("distance-irrational", "the package takes fractions", notion="xdp",
          distance=[["a", "b", "sqrt(2)"]])
    wrong("distance-twice", "both ways", notion="xdp", distance=[["a", "b", 1], ["b", "a", 1]])
    malformed("tupling-pointwise", problem(hidden, 1, form="pointwise"), "too many tuples")
    malformed("and-noise", {**problem(BITS, 1), "noise": {"kind": "none"}}, "both")
    malformed("pairs-of-dp", problem(BITS, 1, pairs=[["a", "b"]]), "inputs_related")
    malformed("as-noise-kind", kb.problem({"0": 1}, {"1": 1}) | {"noise": {"kind": "channel"}},
              "a kind of noise that no table states")
    malformed("not-a-table", problem("matrix", 1), "a string")  # type: ignore[arg-type]
    malformed("prior-of-numbers", problem(BITS, 1, priors={
        "home": {"kind": "discrete", "mass": {"0": 1}}, "out": HOME["out"]}), "kind finite")
    malformed("prior-unknown-input", problem(BITS, 1, priors={
        **HOME, "out": {"kind": "finite", "mass": {"c": 1}}}), "no input c")
    malformed("prior-uncovered", problem(BITS, 1, priors={
        "home": {"kind": "finite", "mass": {"a": 1}}, "out": {"kind": "finite", "mass": {"a": 1}}}),
        "b is in no prior")
    malformed("related-of-distp", problem({**BITS, "inputs_related": "all"}, 1, priors=HOME), "no")
    malformed("finite-with-noise", {**kb.problem({"0": 1}, {"1": 1}), "priors": HOME}, "no channel")
    for name, change in (
        ("notion-dp", {"notion": "dp"}),
        ("notion-number", {"notion": 1}),
        ("metric-alone", {"notion": "distp", "metric": "winf"}),
        ("metric-unknown", {"metric": "w1"}),
        ("metric-of-others", {"metric": [["p", "x", 1]]}),
    ):
        value = {**apart_by, **change}
        case("malformed", f"problem-noise-{name}", value, winf_of_noise[1], "malformed", name)
    short = {**apart_by, "priors": {**laws, "r": laws["p"]}, "metric": [["p", "r", 1]]}
    smooth = {**apart_by, "priors": {**laws, "q": {"kind": "gaussian", "mean": 0, "sd": 1}}}
    case("malformed", "problem-noise-density", smooth, pure(smooth), "malformed", "W-infinity")
    case("malformed", "problem-noise-metric-missing", short, pure(short), "malformed", "no p, q")
    wrong("metric-empty", "no entry", notion="xdp", metric=[])
    for name, table in (
        ("response-both", {**RESPONSE, "truth": "1/2"}),
        ("response-alone", {"kind": "randomized-response", "inputs": ["a"], "epsilon": 1}),
        ("rappor-one", {**RAPPOR, "one": "3/4"}),
        ("rappor-flip", {**RAPPOR, "flip": "3/2"}),
        ("rappor-codes", {**RAPPOR, "codes": {"a": "01", "b": "2"}}),
        ("rappor-long", {**RAPPOR, "codes": {"a": "0" * 13, "b": "1" * 13}}),
        ("unary-half", {**UNARY, "one": "1/2"}),
        ("unary-variant", {**UNARY, "variant": "best"}),
        ("subsets-size", {**SUBSETS, "size": 3}),
        ("hashing-range", {**HASHING, "range": 1}),
        ("geometric-ratio", {"kind": "truncated-geometric", "size": 3, "ratio": 1}),
        ("geometric-size", {"kind": "truncated-geometric", "size": 1, "ratio": "1/2"}),
        ("scores-flat", {**SCORES, "scores": [[1, 2, 3], [1, 2, 3]]}),
        ("plane-dimension", {**PLANE, "grid": {"z": [0]}}),
        ("parts-none", {"kind": "composition", "parts": []}),
        ("parts-ambiguous", {"kind": "composition", "parts": [
            {**BITS, "outputs": ["x", "x,y"]}, {**BITS, "outputs": ["y,z", "z"]}]}),
        ("parts-inputs", {"kind": "composition", "parts": [BITS, {**BITS, "inputs": ["a", "c"]}]}),
        ("cascade-inputs", {"kind": "cascade", "parts": [BITS, BITS]}),
        ("weights", {"kind": "mixture", "parts": [BITS, BITS], "weights": ["1/2", "1/3"]}),
        ("dummies-none", {**hidden, "dummies": 0}),
        ("dummies-text", {**hidden, "dummies": "2"}),
        ("dummy-sum", {**hidden, "dummy": {"no": "1/2"}}),
        ("dummy-unknown", {**hidden, "dummy": {"maybe": 1}}),
        ("tupling-inside", {**hidden, "base": hidden}),
        ("large", {"kind": "truncated-geometric", "size": 2001, "ratio": "1/2"}),
    ):
        malformed(name, problem(table, 1), name)
