"""The page of one claim: how it is read, from what it follows by which steps, where it fails."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pfverify.edge.book import Chapter
from pfverify.edge.views.page import (
    Bars,
    Block,
    Code,
    Curve,
    Display,
    Grid,
    Heading,
    Hidden,
    Inline,
    Item,
    Link,
    Listed,
    Maths,
    Page,
    Paragraph,
    Plot,
    Source,
    Text,
)
from pfverify.edge.views.results import badge, result_word
from pfverify.edge.words import brief
from pfverify.errors import shorten
from pfverify.proof.claim import Claim, Part, Proved, Refuted, Step
from pfverify.proof.exercises import Noticed
from pfverify.proof.mathml import lines
from pfverify.proof.meaning import Instance
from pfverify.proof.notation import sign_of_name
from pfverify.proof.shown import (
    compared,
    curves,
    grounds_of,
    inner_steps,
    names_of,
    problems_of,
    where_false,
)
from pfverify.proof.terms import Formula, Verdict

_TITLES = {"printed": "As printed", "corrected": "Corrected", "tighter": "Tighter"}
_SAMPLES = 160
_LONG = 60  # characters of an exact number that are shown
_FAMILIAR = {"using": "", "over": "over", "weight": "with weight", "between": "between"}
Symbols = Mapping[str, str]


def page(place: str, chapter: Chapter, uses: Text, users: Text, around: Text) -> Page:
    """Return the page of a claim; `uses`, `users` and `around` are links to other claims."""
    outcome, claim = chapter.outcome, chapter.claim
    paper, _, number = outcome.source.partition(" ")
    blocks: list[Block] = []
    if claim is not None:
        link = Link(paper, f"papers/{chapter.paper}.html")
        blocks.append(Paragraph((number, " in ", link), "Source"))
    if outcome.failure:
        text: Text = (f"{outcome.failed_step or 'the file'}: {outcome.failure}",)
        blocks.append(Paragraph(text, "It fails at"))
    for label, words in (("Not checkable, because", outcome.reason), ("Left open", outcome.open),
                         ("What is corrected is", outcome.comparison)):  # fmt: skip
        blocks += [Paragraph((words,), label)] if words else []
    if outcome.citations:
        links = _joined([(Link(c, "assumed.html", f"cite-{c}"),) for c in outcome.citations])
        blocks.append(Paragraph(links, "It rests on"))
    blocks += [Paragraph(uses, "Uses the theorems")] if uses else []
    blocks += [Paragraph(users, "Used by")] if users else []
    if claim is not None:
        blocks += _claim_blocks(claim)
        blocks += _exercises(chapter.exercises)
    blocks.append(Heading(("The files behind this page",)))
    blocks.append(Hidden("Show the proof file", [Source(chapter.text, f"{chapter.name}.py")]))
    if outcome.stated:
        blocks.append(Hidden("Show the formulas in LaTeX", [Source(_latex(chapter), "LaTeX")]))
    blocks += [Paragraph(around, "Next to it")] if around else []
    return Page(place, chapter.name, blocks, badge(result_word(outcome)), outcome.words)


def _claim_blocks(claim: Claim) -> list[Block]:
    found: dict[str, str] = {}
    for _, part in claim.parts():
        found |= names_of(part)
    blocks: list[Block] = []
    if found:
        rows: list[list[Text]] = [[_sign(name, claim.symbols), (words,)]
                                  for name, words in found.items()]  # fmt: skip
        header: list[Text] = [("Symbol",), ("stands for",)]
        blocks += [Heading(("Notation",)), Grid("What the symbols stand for", header, rows)]
    for name, part in claim.parts():
        blocks += _part(name, part, claim.symbols)
    return blocks


def _sign(name: str, symbols: Symbols) -> Text:
    return (Maths(sign_of_name(name, symbols).mathml()),)


def _part(name: str, part: Part, symbols: Symbols) -> list[Block]:
    kind = "refuted" if isinstance(part, Refuted) else "refuted by a theorem against it" * (
        part.denies) or "proved"  # fmt: skip
    title = f"{_TITLES.get(name, name.capitalize())}: {kind}"
    here = name.replace(" ", "-")
    blocks: list[Block] = [Heading((title,), 2, here)]
    blocks += [Paragraph((part.words,))] if part.words else []
    if part.given:
        given = [Item((name,), [_display(formula, symbols)], _place(here, name))
                 for name, formula in part.given.items()]  # fmt: skip
        blocks += [Heading(("Hypotheses",), 3), Listed(given)]
    blocks += [Heading(("We read it as",), 3), _display(part.statement, symbols)]
    if isinstance(part, Proved):
        if part.data is not None:
            blocks += [Heading(("Data it is about",), 3), *_instance(part.data, symbols)]
        blocks += _problems(part)
        blocks += [Heading(("Steps",), 3), Listed(_steps(part, here, symbols), numbered=True)]
        for example in part.examples:
            shown = _instance(example, symbols)
            blocks += [Hidden("An example in which the hypotheses hold", shown)] if shown else []
        return blocks
    return [*blocks, Heading(("Counterexample",), 3), *_counterexample(part, symbols)]


def _display(formula: Formula, symbols: Symbols) -> Display:
    return Display(lines(formula, symbols))


def _place(part: str, name: str) -> str:
    """An id for a fact: of its name, so that it stays when others are added."""
    return f"{part}--{''.join(c if c.isalnum() else f'-{ord(c):x}-' for c in name)}"


# ---------------------------------------------------------------- steps


def _steps(part: Proved, here: str, symbols: Symbols) -> list[Item]:
    known = {*part.given, *(step.name for step in part.steps)}
    return [_step(step, here, known, symbols) for step in part.steps]


def _step(step: Step, here: str, known: set[str], symbols: Symbols) -> Item:
    below: list[Block] = [_display(step.formula, symbols),
                          Paragraph(_by(step, here, known, symbols))]  # fmt: skip
    inner = inner_steps(step)
    if inner:
        inside = _place(here, step.name)
        items = [_step(one, inside, {one.name for one in inner}, symbols) for one in inner]
        below.append(Listed(items, numbered=True))
    return Item((step.name,), below, _place(here, step.name))


def _by(step: Step, here: str, known: set[str], symbols: Symbols) -> Text:
    grounds = grounds_of(step.rule, symbols)
    name: Inline = step.rule.name
    if grounds.theorem is not None:
        other, part = grounds.theorem
        name = Link(f"theorem {other}", f"claims/{other}.html", part.replace(" ", "-"))
    if grounds.cited:
        name = Link(grounds.cited, "assumed.html", f"cite-{grounds.cited}")
    said: list[Inline] = ["by ", name]
    facts: list[Text] = []
    for fact, binding in grounds.facts:
        link: Inline = Link(fact, "", _place(here, fact)) if fact in known else fact
        put = [(Maths(f"{k}<mo>:=</mo>{v}"),) for k, v in binding]
        facts.append((link, *([" at ", *_joined(put)] if put else [])))
    if facts:
        said += [" from ", *_joined(facts)]
    for label, markup in grounds.others:
        if markup:
            said += [f", {_FAMILIAR.get(label, label)} ", Maths(markup)]
    return tuple(said)


def _joined(parts: Sequence[Text]) -> Text:
    found: list[Inline] = []
    for part in parts:
        found += [", "] if found else []
        found += part
    return tuple(found)


# ---------------------------------------------------------------- instances


def _instance(instance: Instance, symbols: Symbols) -> list[Block]:
    """Numbers and sets as a table; each function as a table of its own."""
    rows: list[list[Text]] = [[_sign(k, symbols), (shorten(v.text, _LONG),)]
                              for k, v in instance.values.items()]  # fmt: skip
    rows += [[_sign(k, symbols), ("{" + ", ".join(map(str, v)) + "}",)]
             for k, v in instance.domains.items()]  # fmt: skip
    header: list[Text] = [("Symbol",), ("is",)]
    blocks: list[Block] = [Grid("Numbers and sets", header, rows)] if rows else []
    for name, law in instance.laws.items():
        masses: list[list[Text]] = [[(str(k),), (shorten(v.text, _LONG),)] for k, v in law.items()]
        blocks.append(Grid(f"The law {name}", [("value",), ("mass",)], masses))
    return blocks + [_table(name, instance) for name in instance.tables]


def _table(name: str, instance: Instance) -> Grid:
    table = instance.tables[name]
    rest = instance.elsewhere.get(name)
    title = f"Table of {sign_of_name(name, {}).text}"
    title += f" ({shorten(rest.text, _LONG)} elsewhere)" if rest is not None else ""
    if table and all(len(key) == 2 for key in table):
        columns = sorted({key[1] for key in table})
        rows: list[list[Text]] = [
            [(str(first),), *((shorten(table[first, c].text, _LONG) if (first, c) in table else "",)
                              for c in columns)]
            for first in sorted({key[0] for key in table})
        ]  # fmt: skip
        return Grid(title, [("",), *((str(c),) for c in columns)], rows)
    rows = [[(", ".join(map(str, key)),), (shorten(v.text, _LONG),)] for key, v in table.items()]
    return Grid(title, [("at",), ("value",)], rows)


# ---------------------------------------------------------------- counterexamples


def _counterexample(part: Refuted, symbols: Symbols) -> list[Block]:
    blocks = _problems(part)
    if part.instance is not None:
        blocks += _instance(part.instance, symbols)
    found = where_false(part)
    if found is not None and found[1]:
        places = [(Maths(f"{sign_of_name(str(v), symbols).mathml()}<mo>=</mo>"
                         f"<mn>{brief(shorten(x.text, 24))}</mn>"),)
                  for v, x in found[1].items()]  # fmt: skip
        blocks.append(Paragraph(_joined(places), "It fails at"))
    rows: list[list[Text]] = []
    for one in compared(part, symbols):
        left, right = ((Maths(side[0]),) for side in (one.left, one.right))
        rows.append([left, (f"{one.left[2]:.6g}",), (one.sign,), right, (f"{one.right[2]:.6g}",),
                     ("holds" if one.holds else "fails",)])  # fmt: skip
    if rows:
        header: list[Text] = [("left",), ("about",), ("",), ("right",), ("about",), ("there",)]
        blocks.append(Grid("Both sides in numbers", header, rows, named=False))
    if isinstance(part.statement, Verdict):
        blocks.append(Paragraph((f"The kernel accepts a certificate that it is {part.verdict}.",)))
    drawn = curves(part)
    if drawn is not None:
        name, mark, (left_side, right_side) = drawn
        name = sign_of_name(name, symbols).text
        caption = f"Both sides of the relation over {name}; it fails at {name} = {mark:g} (dashed)"
        series = [Curve("left side", left_side), Curve("right side", right_side)]
        blocks.append(Plot(caption, series, name, mark))
    return blocks


def _problems(part: Part) -> list[Block]:
    blocks: list[Block] = []
    for problem in problems_of(part):
        priors = problem["priors"]
        rest = {key: item for key, item in problem.items() if key not in ("priors", "schema")}
        rows: list[list[Text]] = [[(key,), (_words(item),)] for key, item in rest.items()]
        rows += [[(f"prior of {secret}",), (_words(law),)] for secret, law in priors.items()]
        blocks.append(Grid("The problem that the kernel decides", [("",), ("is",)], rows))
        series = [s for secret, law in priors.items() for s in _drawn(f"prior of {secret}", law)]
        if series:
            caption = "The priors of the problem: masses as bars, densities as lines"
            blocks.append(Plot(caption, series, "x"))
    return blocks


def _words(item: Any) -> str:
    if isinstance(item, Mapping):
        return ", ".join(f"{key} {_words(value)}" for key, value in item.items())
    if isinstance(item, list):
        return "; ".join(map(_words, item))
    return str(item)


def _drawn(name: str, law: Mapping[str, Any]) -> list[Curve | Bars]:
    """A prior as a picture; none where a number is no fraction."""
    try:
        if law["kind"] == "discrete":
            return [Bars(name, [(_near(x), _near(m)) for x, m in law["mass"].items()])]
        parts = law["components"] if law["kind"] == "mixture" else [law]
        normal = [(_near(p.get("weight", 1)), _near(p["mean"]), _spread(p)) for p in parts]
    except (KeyError, ValueError, ZeroDivisionError):
        return []
    low = min(mean - 4 * sd for _, mean, sd in normal)
    high = max(mean + 4 * sd for _, mean, sd in normal)
    xs = [low + (high - low) * k / _SAMPLES for k in range(_SAMPLES + 1)]
    return [Curve(name, [(x, _density(normal, x)) for x in xs])]


def _near(item: Any) -> float:
    return float(Fraction(str(item)))


def _spread(law: Mapping[str, Any]) -> float:
    return _near(law["sd"]) if "sd" in law else math.sqrt(_near(law["variance"]))


def _density(parts: Sequence[tuple[float, float, float]], x: float) -> float:
    return sum(weight * math.exp(-(((x - mean) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
               for weight, mean, sd in parts)  # fmt: skip


# ---------------------------------------------------------------- exercises and source


def _exercises(found: Sequence[Noticed]) -> list[Block]:
    if not found:
        return []
    items = []
    for one in found:
        said: list[Block] = [Paragraph((f"{one.step}: {one.why}",), "The step that notices")]
        if one.shows:
            said.append(Paragraph((one.shows,), "What is false then"))
        if one.failure:
            said.append(Paragraph((one.failure,), "This exercise is wrong"))
        question = ("Make the change ", Code(one.entry.change),
                    ". Which step notices? Is the claim still true?")  # fmt: skip
        items.append(Item(question, [Hidden("Answer", said)]))
    return [Heading(("Exercises",)), Listed(items, numbered=True)]


def _latex(chapter: Chapter) -> str:
    found = []
    for part in chapter.outcome.stated:
        found.append(f"% {part.part} ({part.kind})")
        found += [f"% hypothesis {name}\n{text}" for name, text in part.given_latex.items()]
        found.append(f"% statement\n{part.latex}")
        found += [f"% step {name}\n{text}" for name, text in part.steps_latex.items()]
    return "\n".join(found)
