"""Two secrets, two epsilons or two scales never print alike on the screen."""

import io
import re
import unicodedata
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.proofs import PROOFS

from pfverify import Discrete, Laplace, Problem, calibrate, certify, loss
from pfverify.answers.grid import grid_certify
from pfverify.answers.outcome import Witness
from pfverify.edge.cli import main
from pfverify.edge.explain import explained
from pfverify.edge.names import distinct, marked
from pfverify.edge.ordered import against
from pfverify.edge.render.console import Output
from pfverify.edge.render.terminal import draw
from pfverify.edge.views.registry import view_of
from pfverify.edge.words import noise_words, plain, witness_words
from pfverify.model.noises.gaussian import GaussianNoise

LONG = "s" * 400
ALIKE = [  # pairs that a reader could take for one another
    ("a", "\u0430"), ("\u00e9", "e\u0301"), ("a", "a "), ("a b", "a  b"), (" a", "a"),
    ("a\u034f", "a"), ("\u3164", "\u2800"), ("fi", "\ufb01"), ("1\u20442", "1/2"),
    ("a-b", "a\u2013b"),
    (LONG + "x", LONG + "y"), (LONG + "  x", LONG + " x"), ("a", "'a'"), ("a ", "'a '"),
    ("\uff41", "a"), ("\u0410", "\u0391"), ("caf\u00e9", "cafe"), ("x\ufe0f", "x"),
]  # fmt: skip


def seen(text):
    """What is left of a text on paper: compatibility forms, no accents, blanks as one space."""
    marks = unicodedata.normalize("NFKD", text)
    return " ".join("".join(c for c in marks if unicodedata.category(c) != "Mn").split())


@pytest.mark.parametrize("pair", ALIKE, ids=ascii)
def test_names_that_look_alike_are_written_out(pair):
    shown = distinct(pair)
    assert len({seen(text) for text in shown.values()}) == 2
    assert all(len(text) <= 240 for text in shown.values())
    if not pair[0].startswith(LONG):
        assert any(text.isascii() and text[0] in "'\"" for text in shown.values())


@given(st.lists(st.text("ab \u0430\u00e9e\u0301'\"\\x20\u034f\u3164", max_size=5), max_size=6))
@example(["bb", "b" * 500, marked("b" * 500, "b" * 120 + "...")])
@example(["a ", "'a '", "\"'a '\""])
@example(["", "\u0301''"])
def test_different_names_are_different_on_paper(names):
    shown = distinct(names)
    assert len({seen(text) for text in shown.values()}) == len(set(names))


@pytest.mark.parametrize(
    "name", ["yes", "higher=no", "\u7537", "Stra\u00dfe", "a b", "\u0416", "[x]"]
)
def test_an_ordinary_name_is_left_alone(name):
    assert distinct([name, "\u5973", "other"])[name] == name


@pytest.mark.parametrize("pair", ALIKE[:12], ids=ascii)
def test_every_table_tells_them_apart(pair):
    priors = dict(zip(pair, (Discrete({0: 1}), Discrete({1: 1})), strict=True))
    try:
        problem = Problem(priors, noise=Laplace(1), epsilon="1/2")
    except ValueError:  # not a name at all
        return
    one, other = (seen(text) for text in distinct(pair).values())
    result = certify(problem)
    out = io.StringIO()
    screen = Output(file=out, width=1500, highlight=False)
    texts = []
    for what in (result, loss(problem), grid_certify(problem, 3), explained(problem, result)):
        draw(screen, view_of(what, "p.toml"))
        texts.append(seen(out.getvalue()))
        out.truncate(0)
        out.seek(0)
    for text in texts:
        assert one in text
        assert other in text


NUMBERS = ["1/3", "log(3)", "0.1", "1" * 59, *(f"{'7' * 80}/{k}" for k in (3, 11, 13)),
           *(f"log(3)+{'+'.join(['exp(-1)'] * 20)}+{k}" for k in (1, 2, 3)),
           f"1+1/{10**70}", f"1+1/{10**70 + 1}"]  # fmt: skip


def test_different_epsilons_and_scales_never_print_alike():
    for show in (lambda x: plain(Laplace(x).scale.text),
                 lambda x: noise_words("laplace", Laplace(x).scale.text)):  # fmt: skip
        shown = [show(x) for x in NUMBERS]
        assert len(set(shown)) == len(NUMBERS)
        assert all(len(text) < 130 for text in shown)
    assert sum("sha256" in text for text in shown) == 8
    sigmas = [GaussianNoise(variance=Fraction(7**60, 3**k)).scale.text for k in (90, 91, 92, 93)]
    assert len({noise_words("gaussian", text) for text in sigmas}) == 4


@pytest.mark.parametrize(
    ("form", "delta", "words"),
    [
        ("events", 0, "It fails from a against b at y = 0: log ratio above epsilon by 0.5"),
        ("events", "1/9", "P(B) - e^epsilon Q(B) above delta by 0."),
        ("pointwise", "1/9", "at y = 0: p - e^epsilon q above delta by 0."),
    ],
)
def test_a_refuted_verdict_names_its_place_and_kind_of_margin(form, delta, words):
    problem = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(1),
                      epsilon="1/2", delta=delta, form=form)  # fmt: skip
    out = io.StringIO()
    draw(Output(file=out, width=200), view_of(certify(problem), "p.toml"))
    sentence = next(line for line in out.getvalue().splitlines() if "It fails" in line)
    assert words.removesuffix("5") in sentence
    if form == "events" and delta:
        assert re.search(r"at B = \(-inf, [-0-9.]+\]: P\(B\)", sentence)
    draw(Output(file=out, width=200), view_of(calibrate(problem), "p.toml"))


def test_a_margin_says_what_it_is_of():
    kinds = {witness_words(witness, delta).partition(": ")[2] for witness, delta in (
        (Witness("1", y="0"), "0"), (Witness("1", y="0"), "1/2"),
        (Witness("1", event=[["0", "1"]]), "1/2"))}  # fmt: skip
    assert len(kinds) == 3


@pytest.mark.parametrize("epsilon", ["1", "1/100"])
def test_braces_in_names_are_put_in_for_nothing(epsilon, tmp_path, monkeypatch, capsys):
    """Sentences and theorems are texts with names in braces: a secret may be called like one."""
    outputs = []
    for secret, belief in (("{shown!r}{", "{scale}"), (".shown.r..", ".scale.")):
        folder = tmp_path / belief[1:-1] / str(len(outputs))
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder)
        priors = {"0": Discrete({0: 1}), secret: Discrete({0: "1/2", 1: "1/2"})}
        Problem(beliefs={belief: priors}, noise=Laplace(2), epsilon=epsilon).save("p.toml")
        for words in (
            "certify p.toml -o c.json", "certify p.toml --explain", "coupling p.toml",
            "report p.toml -o r.md", "report p.toml --cert c.json --redact -o s.md",
            f"export c.json --problem p.toml --coq --proofs {PROOFS}",
            "export c.json --problem p.toml --smtlib",
        ):  # fmt: skip
            assert main(words.split()) in (0, 1), capsys.readouterr().err
        said = capsys.readouterr().out + Path("r.md").read_text("utf-8")
        said += Path("s.md").read_text("utf-8")
        assert said.count(secret) > 15
        outputs.append(said.replace(secret, "SECRET").replace(belief, "BELIEF"))
    braces, dots = (re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", text) for text in outputs)
    assert braces == dots


class NamedPair(NamedTuple):
    belief: str
    from_: str
    to: str


def test_a_pair_is_named_so_that_it_is_told_from_pairs_beside_it():
    """A Cyrillic letter is drawn like a Latin one that only other pairs have."""
    pairs = [NamedPair("default", "\u0430", "b"), NamedPair("default", "a", "c")]
    assert against(pairs[0], pairs) == "'\\u0430' against b"
    assert against(pairs[1], pairs[1:]) == "a against c"
