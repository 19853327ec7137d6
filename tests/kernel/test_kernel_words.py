"""What the kernel prints: two different inputs never print alike, a refutation says what fails."""

import json
import re
from fractions import Fraction

import kernel_builder as kb
import pytest
from checker import check_bytes
from core.facts import FACTS
from core.failures import MARGINS, failure
from core.grammar import shown
from core.kinds import REFUTING
from hypothesis import assume, given
from hypothesis import strategies as st
from reader.reader import digest, parse_problem


@given(
    st.text(max_size=6),
    st.lists(st.text(max_size=4), min_size=2, max_size=2, unique=True),
    st.text(max_size=6),
    st.integers(1, 12),
)
def test_different_texts_never_print_alike(head, middles, tail, limit):
    first, second = (head * 4 + middle + tail for middle in middles)
    assume(first != second)
    assert shown(first, limit) != shown(second, limit)
    assert shown(first, limit) != shown(json.loads(shown(second, limit)), limit) or (
        json.loads(shown(second, limit)) == first
    )
    assert shown(first, limit).isascii()
    assert shown(first, limit).isprintable()


def test_a_long_text_is_cut_with_its_digest():
    one, two = ("secret " * 10 + end for end in "ab")
    assert shown(one, 30) != shown(two, 30)
    assert re.fullmatch(r'"(secret ){4}se\.\.\. \(sha256 [0-9a-f]{32}\)"', shown(one, 30))
    assert shown(shown(one, 30)[1:-1], 30) != shown(one, 30)


def refuted(rule, extra, form="events", delta="0", names=("a", "b"), epsilon="1/2"):
    """The kernel's answer on two point masses, 0 under the first secret and 1 under the other."""
    priors = {
        name: {"kind": "discrete", "mass": {str(k): 1}} for k, name in enumerate(names)
    }
    problem = {"schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "form": form,
               "noise": {"kind": "laplace", "scale": "1/4"}, "priors": priors}
    raw = json.dumps(problem).encode()
    step = {"rule": rule, "belief": "default", "from": names[0], "to": names[1], "bits": 128}
    proof = {"schema": "pfverify/certificate/1", "problem": digest(parse_problem(raw, True)),
             "produced_by": {}, "result": "refuted", "steps": [step | extra]}
    text = json.dumps(proof, sort_keys=True, separators=(",", ":"))
    return check_bytes(raw, True, text.encode())


@pytest.mark.parametrize(
    ("rule", "extra", "more", "words"),
    [
        ("pure-refuted", {"y": "-1/2", "margin": "3.4"}, {},
         "fails at y=-1/2: log p(y)/q(y) - epsilon >= 3.4;"),
        ("pointwise-refuted", {"y": "0", "margin": "1"}, {"form": "pointwise", "delta": "1/9"},
         "fails at y=0: p(y) - e^epsilon q(y) - delta >= 1;"),
        ("event-refuted", {"event": [["-inf", "-2"], ["-1/4", "1/4"]], "margin": "0.3"},
         {"delta": "1/9"},
         "fails on B=(-inf, -2] or [-1/4, 1/4]: P(B) - e^epsilon Q(B) - delta >= 0.3;"),
    ],
    ids=["pure", "pointwise", "events"],
)  # fmt: skip
def test_a_refutation_names_its_place_and_its_kind_of_margin(rule, extra, more, words):
    word, message = refuted(rule, extra, **more)
    assert word == "refuted", message
    assert words in message


def test_every_refuting_rule_says_what_its_margin_is():
    assert {*MARGINS} == REFUTING


def test_secrets_that_begin_alike_and_long_epsilons_do_not_print_alike():
    extra = {"y": "0", "margin": "0.5"}
    long = "s" * 40
    messages = [refuted("pure-refuted", extra, names=(long + a, long + b))[1] for a, b in
                (("a", "b"), ("c", "b"), ("a", "c"))]  # fmt: skip
    wheres = [message.partition(" fails")[0] for message in messages]
    assert len(set(wheres)) == 3
    sums = ["+".join(["exp(-3)"] * 14) + end for end in ("", "+0*log(2)", "+0*log(3)")]
    found = [refuted("pure-refuted", extra, epsilon=text) for text in sums]
    shown_epsilons = {re.search(r"epsilon=(.*) delta=", message)[1] for _, message in found}
    assert {word for word, _ in found} == {"refuted"}
    assert len(shown_epsilons) == 3
    assert all("sha256" in text for text in shown_epsilons)


@pytest.mark.parametrize(
    ("noise", "form", "above"),
    [
        ({"kind": "laplace"}, "pointwise", True),
        ({"kind": "laplace"}, "events", False),
        ({"kind": "discrete-laplace", "step": "1"}, "pointwise", False),
    ],
)
def test_a_scale_of_0_claims_no_density_that_there_is_not(noise, form, above):
    """P/Q is at most 2 = e^epsilon at both atoms."""
    priors = {"a": {"kind": "discrete", "mass": {"0": "1/3", "1": "2/3"}},
              "b": {"kind": "discrete", "mass": {"0": "2/3", "1": "1/3"}}}
    problem = {"schema": "pfverify/problem/1", "epsilon": "log(2)", "delta": 0, "form": form,
               "noise": noise, "priors": priors}
    raw = json.dumps(problem).encode()
    bare = [{"rule": "no-noise"}]
    steps = [
        {"rule": "scale", "method": "x", "scale": "0", "verdict": "certified", "steps": bare},
        {"rule": "minimum", "lower": "0", "upper": "0", "lower_step": None, "upper_steps": bare},
    ]
    proof = {"schema": "pfverify/certificate/1", "problem": digest(parse_problem(raw, True)),
             "produced_by": {}, "result": "scales", "steps": steps}
    text = json.dumps(proof, sort_keys=True, separators=(",", ":"))
    word, message = check_bytes(raw, True, text.encode())
    assert word == "scales", message
    assert message.count("(every scale above 0; at 0 itself atoms have no density)") == 2 * above


@pytest.mark.parametrize(
    ("case", "words"),
    [("tupling-refuted", "{tuples with P > 3/2 Q}"),
     ("tupling-refuted-nothing", "{tuples with P > 0 = Q}")],
)  # fmt: skip
def test_events_of_tuples_are_said(case, words):
    stored = json.loads((kb.CORPUS / "accept" / f"{case}.json").read_text())
    assert f"fails on B={words}: P(B)" in kb.run(stored["problem"], stored["certificate"])[1]


def test_a_notion_is_said_beside_noise_unless_it_is_the_usual_one():
    for case, words in (
        ("pure-plain", " form=events noise=laplace scale="),
        ("pure-xdistp", " form=events noise=laplace notion=xdistp metric=winf scale="),
    ):
        stored = json.loads((kb.CORPUS / "accept" / f"{case}.json").read_text())
        assert words in kb.run(stored["problem"], stored["certificate"])[1]


def test_a_negative_scale_is_no_scale():
    for noise in ({"kind": "gaussian", "scale": "-sqrt(2)"}, {"kind": "laplace", "scale": "-1"}):
        problem = kb.problem({"0": 1}, {"1": 1}, 1, 0) | {"noise": noise}
        word, message = kb.run(problem, {})
        assert (word, message) == ("malformed", "the scale must be positive, or written as 0")


@pytest.mark.parametrize("count", [1, 4, 5, 6, 8])
def test_five_outputs_of_a_set_are_named_and_the_others_counted(count):
    outputs = [f"{k}" * 40 for k in range(count)]
    step = {"rule": "outputs-refuted", "outputs": outputs, "margin": "0.5"}
    named = ", ".join(shown(name, 30) for name in outputs[:5])
    more = f" and {count - 5} more" if count > 5 else ""
    said = failure(step, behind=False, collapsed=False)
    assert said == f"fails on B={{{named}{more}}}: P(B) - e^epsilon Q(B) - delta >= 0.5"


def test_an_excess_of_one_release_in_place_of_several_is_said_to_be_that():
    """Two releases of scale 1, of 0 or of 1, are made of one of scale 1/2 and have its ratios, but
    for every B P(B) - e^(1/2) Q(B) < 0.351, which of the one is 0.527."""
    of_one = "delta >= 0.5, with one release where it stands for several;"
    value = kb.problem({"0": 1}, {"1": 1}, "1/2", 0)
    noise = {"kind": "laplace", "scale": "1", "releases": 2}
    event = kb.step("event-refuted", event=[["-inf", "1/4"]], margin="0.5")
    assert of_one in refuting(value | {"noise": noise}, [event])
    cuts = [str(Fraction(k, 5)) for k in range(6)]
    for draws, name, margin, said in (("same", ["part 1"], "0.5", of_one),
                                      ("fresh", ["part 1", "release 1"], "0.3", "delta >= 0.3;")):
        part = {"noise": noise | {"draws": draws}, "priors": value["priors"]}
        parts = {key: value[key] for key in ("schema", "epsilon", "delta")} | {"parts": [part]}
        labels = {"grid": "1/50", "digits": 20, "window": [-400, 400], "margin": margin}
        step = kb.step("composed-refuted", parts=[{"part": name, "cuts": cuts}], **labels)
        del step["bits"]
        assert said in refuting(parts, [step])


def refuting(value, steps):
    word, message = kb.run(value, kb.certificate(value, "refuted", steps))
    assert word == "refuted", message
    return message


def test_a_ratio_of_one_release_is_that_of_several():
    step = {"rule": "pure-refuted", "y": "0", "margin": "0.5"}
    said = failure(step, behind=False, collapsed=True)
    assert said == "fails at y=0: log p(y)/q(y) - epsilon >= 0.5"
    step = {"rule": "mass-refuted", "y": "0", "margin": "0.5"}
    inside = {"rule": "part-refuted", "part": ["x"], "step": step}
    assert ", with one release where" in failure(inside, behind=False, collapsed=True)


@pytest.mark.parametrize("spans", [1, 12, 13, 14, 15, 16, 40])
def test_a_long_event_is_cut_at_200_characters(spans):
    event = [["-inf", "0"], *([str(k), f"{k}/7"] for k in range(10, 10 + spans)), ["99", "inf"]]
    middle = [f"[{k}, {k}/7]" for k in range(10, 10 + spans)]
    text = " or ".join(["(-inf, 0]", *middle, "[99, inf)"])
    step = {"rule": "event-refuted", "event": event, "margin": "1"}
    said = failure(step, behind=False, collapsed=False)
    assert said == f"fails on B={shown(text, 200)[1:-1]}: P(B) - e^epsilon Q(B) - delta >= 1"


@pytest.mark.parametrize(
    ("kind", "steps", "event", "facts"),
    [
        ("laplace", [{"clamp": ["0", "2"]}], ["0", "2"], "(F45, of half lines F45f)"),
        ("gaussian", [{"clamp": ["0", "2"]}], ["0", "2"], ""),
        ("gaussian", [{"round": {"to": "1"}}], ["-1/2", "inf"], ""),
    ],
)
def test_behind_steps_an_event_is_said_to_be_one_of_the_noisy_number(kind, steps, event, facts):
    """Every output lies in [0, 2], so that as a set of outputs the first event would not fail."""
    problem = kb.problem({"1": 1}, {"-3": 1}, "1/10", 0, "2") | {"post": steps}
    problem["noise"] = {"kind": kind, "scale": "2"}
    step = kb.step("event-refuted", event=[event], margin="0.1")
    word, message = kb.run(problem, kb.certificate(problem, "refuted", [step]))
    assert word == "refuted", message
    end = ")" if event[1] == "inf" else "]"
    said = f"fails on B={{X+N in [{event[0]}, {event[1]}{end}}}, before the steps: P(B)"
    assert said in message
    assert facts in message


def test_no_stored_event_behind_steps_is_said_to_be_one_of_outputs():
    told = 0
    for path in sorted((kb.CORPUS / "accept").glob("*.json")):
        case = json.loads(path.read_text())
        problem, certificate = case["problem"], case["certificate"]
        if case["expect"] != "refuted" or isinstance(problem, str) or isinstance(certificate, str):
            continue
        if "post" in problem and "event" in certificate["steps"][0]:
            message = kb.run(problem, certificate, case["problem_suffix"])[1]
            assert "fails on B={X+N in " in message, path.stem
            told += 1
    assert told >= 5


def test_refutations_name_their_facts():
    for case, facts in (
        ("pure-refuted-plain", set()),
        ("event-refuted-plain", {"F45"}),
        ("event-refuted-half-line", {"F45"}),
        ("own-refuted", {"F40", "F43f"}),
        ("any-rest-far", {"F40", "F43i"}),
        ("product-refuted", {"F43"}),
        ("grid-event-refuted", {"F42b"}),
        ("spread-refuted", {"F63"}),
    ):
        stored = json.loads((kb.CORPUS / "accept" / f"{case}.json").read_text())
        found = kb.checked(stored["problem"], stored["certificate"], stored["problem_suffix"])
        assert {key for key, text in FACTS.items() if text in found.message} == facts, case
