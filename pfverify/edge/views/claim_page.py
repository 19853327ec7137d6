"""The page of one claim: how it is read, from what it follows by which steps, where it fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pfverify.edge.book import Chapter
from pfverify.edge.document import Block, Inline, Paragraph, Text, simple_table, with_commas
from pfverify.edge.pages import (
    Code,
    Display,
    Heading,
    Hidden,
    Item,
    Link,
    Listed,
    Listing,
    Maths,
    Page,
)
from pfverify.edge.pictures import ZERO_LINE, Axis, GuideLine, Line, Mark, Plot
from pfverify.edge.sentences import sentence
from pfverify.edge.views.claim_problems import problem_blocks
from pfverify.edge.views.results import badge, result_word
from pfverify.edge.views.rules_page import RULES, rule_place
from pfverify.edge.views.typeset import lettered, typeset
from pfverify.edge.words import brief
from pfverify.errors import shorten
from pfverify.exact.number import Number
from pfverify.proof.breaking import exchanged
from pfverify.proof.claim import Claim, Part, Proved, Refuted, Step
from pfverify.proof.exercises import Noticed
from pfverify.proof.kept import KeptNames
from pfverify.proof.loader import ProofFile
from pfverify.proof.mathml import lines, width
from pfverify.proof.meaning import Instance
from pfverify.proof.notation import sign_of_name
from pfverify.proof.paper_notation import symbols_of
from pfverify.proof.shown import (
    compared,
    curves,
    functions_of,
    grounds_of,
    inner_steps,
    is_shown,
    markup_of,
    masses_of,
    names_of,
    where_false,
)
from pfverify.proof.symbol_words import words_for_symbols
from pfverify.proof.terms import Formula, Predicate, Verdict, joined

_TITLES = {"printed": "As printed", "corrected": "Corrected", "tighter": "Tighter"}
_LINE = 60  # characters of a formula that fit into a line of their own on a desk
_WIDE = 28  # characters of a formula that fit into a line of text anywhere
_LONG = 60  # characters of an exact number that are shown
_FAMILIAR = {"over": "over", "weight": "with weight", "between": "between"}
Symbols = Mapping[str, str]


def page(place: str, chapter: Chapter, uses: Text, users: Text, around: Text) -> Page:
    """Return the page of a claim; `uses`, `users` and `around` are links to other claims."""
    outcome = chapter.outcome
    blocks = [*_blocks(chapter, uses, users, around)]
    return Page(place, chapter.name, blocks, badge(result_word(outcome)), typeset(outcome.words))


def _blocks(chapter: Chapter, uses: Text, users: Text, around: Text) -> Iterator[Block]:
    outcome, file = chapter.outcome, chapter.file
    paper, _, number = outcome.source.partition(" ")
    if file is not None:
        yield Paragraph((number, " in ", Link(paper, f"papers/{chapter.paper}.html")), "Source")
    fails = f"{outcome.failed_step or 'the file'}: {outcome.failure}" if outcome.failure else ""
    cited = with_commas((Link(key, "assumed.html", f"cite-{key}"),) for key in outcome.citations)
    for label, told in (
        ("It fails at", typeset(fails)),
        ("Not checkable, because", typeset(outcome.reason)),
        ("Left open", typeset(outcome.open)),
        ("What is corrected is", typeset(outcome.comparison)),
        ("It rests on", cited), ("Uses the theorems", uses), ("Used by", users),
    ):  # fmt: skip
        if told:
            yield Paragraph(told, label)
    if file is not None:
        reader = _reader(file, chapter.text)
        yield from _notation(file.claim, reader)
        for name, part in file.claim.parts():
            yield from _part(name, part, reader, chapter.witnesses.get(name, ""))
        yield from _exercises(chapter.exercises, file, reader)
    yield from _theorems(chapter)
    yield Heading(("The file behind this page",))
    yield Hidden("Show the proof file", [Listing(chapter.text, f"{chapter.name}.py")])
    for name, setting in file.settings.items() if file is not None else ():
        yield Hidden(f"Show {name}, from which it imports", [Listing(setting, name)])
    if outcome.stated:
        tex = [Listing("\n".join(_latex(chapter)), "LaTeX")]
        yield Hidden("Show the formulas in LaTeX", tex, printed=False)
    if around:
        yield Paragraph(around, "Next to it")


@dataclass(frozen=True)
class _Reader:
    """How a file's names are shown: its table of symbols, and its functions that are >= 0.

    `kept` are the names that stand for terms, where a formula would leave the page without them;
    `meanings` says what symbols mean, in words of the file.
    """

    symbols: Symbols
    masses: frozenset[str]
    kept: KeptNames | None = None
    meanings: Mapping[str, str] = field(default_factory=dict)

    def sign(self, name: str) -> Maths:
        sign = sign_of_name(name, self.symbols)
        return Maths(sign.mathml(), sign.text)

    def shown(self, formula: Formula) -> Formula:
        return formula if self.kept is None else self.kept.folded(formula)


def _reader(file: ProofFile, text: str) -> _Reader:
    claim, symbols = file.claim, symbols_of(file.claim)
    masses = frozenset(name for _, part in claim.parts() for name in masses_of(part))
    wide = any(width(chunk) > _LINE for formula in _formulas(claim)
               for line in lines(formula, symbols) for chunk in line)  # fmt: skip
    kept = KeptNames(file, text) if wide else None
    return _Reader(symbols, masses, kept, words_for_symbols(file, text))


def _formulas(claim: Claim) -> Iterator[Formula]:
    """The formulas that stand on lines of their own."""
    for _, part in claim.parts():
        yield from part.formulas()
        yield from (step.formula for step in part.all_steps()) if isinstance(part, Proved) else ()


def _notation(claim: Claim, reader: _Reader) -> Iterator[Block]:
    """What every symbol stands for, and what more is so in the paper."""
    names: dict[str, str] = {}
    functions: dict[str, str] = {}
    for _, part in claim.parts():
        names |= names_of(part)
        functions |= functions_of(part)
    rows: list[list[Text]] = [
        [(reader.sign(name),), (*_meaning(name, reader), words, *_in_file(name, reader))]
        for name, words in names.items()
    ]
    rows += [[(Maths(markup),), (words,)] for markup, words in functions.items()]
    if rows:
        yield Heading(("Notation",))
        yield simple_table("What the symbols stand for", ["Symbol", "stands for"], rows)
        yield Paragraph((sentence("book.quantified"),))
    if reader.kept is not None:
        short = [reader.kept.folded(formula) for formula in _formulas(claim)]
        if used := reader.kept.used(short):
            yield Paragraph((sentence("book.kept"),))
            yield from (Display(lines(one, reader.symbols)) for one in used)
    if claim.meaning:
        yield Paragraph((sentence("book.meaning"),))
        yield from (_display(formula, reader) for formula in claim.meaning)


def _part(name: str, part: Part, reader: _Reader, witness: str) -> Iterator[Block]:
    kind = "refuted" if isinstance(part, Refuted) else "refuted by a theorem against it" * (
        part.denies) or "proved"  # fmt: skip
    here = name.replace(" ", "-")
    yield Heading((f"{_TITLES.get(name, name.capitalize())}: {kind}",), 2, here)
    if part.words:
        yield Paragraph(typeset(part.words))
    places = {name: _place(here, name) for name in part.given}
    if part.given:
        yield Heading(("Hypotheses",), 3)
        yield Listed([Item(typeset(name), [_display(formula, reader)], places[name])
                      for name, formula in part.given.items()])  # fmt: skip
    denied = part.denied if isinstance(part, Proved) else None
    if denied is not None:
        yield Heading(("What is printed says",), 3)
        yield _display(denied, reader)
    yield Heading(("We read it as" if denied is None else "It is false, as",), 3)
    yield _display(part.statement, reader)
    if isinstance(part, Refuted):
        yield Heading(("Counterexample",), 3)
        yield from _counterexample(part, reader, witness)
        return
    if part.data is not None:
        yield Heading(("Data it is about",), 3)
        yield from _instance(part.data, reader)
    yield from problem_blocks(part)
    yield Heading(("Steps",), 3)
    yield _steps(part.steps, part.statement, here, places, reader)
    for example in part.examples:
        if shown := [*_instance(example, reader)]:
            yield Hidden("An example in which the hypotheses hold", shown)


def _display(formula: Formula, reader: _Reader) -> Display:
    return Display(lines(reader.shown(formula), reader.symbols))


def _place(part: str, name: str) -> str:
    """An id for a fact: of its name, so that it stays when others are added."""
    return f"{part}--{''.join(c if c.isalnum() else f'-{ord(c):x}-' for c in name)}"


def _meaning(name: str, reader: _Reader) -> Text:
    """What a symbol means in words of the file: one that is bound again means the same."""
    words = reader.meanings.get(name.rstrip("'"))
    return (*typeset(words), "; ") if words else ()


def _in_file(name: str, reader: _Reader) -> Text:
    """How the proof file calls what the page shows in the paper's notation."""
    return ("; ", Code(name), " in the proof file") if name in reader.symbols else ()


# ---------------------------------------------------------------- steps


def _steps(
    steps: Sequence[Step], goal: Formula | Step, here: str, known: Mapping[str, str],
    reader: _Reader,
) -> Listed:  # fmt: skip
    """Steps in order; `known` says where on the page the facts stand that they may name.

    `goal` is the statement of the part, or the step whose rule checks these.
    """
    known = {**known, **{step.name: _place(here, step.name) for step in steps}}
    items = []
    for step in steps:
        place = known[step.name]
        below = [_display(step.formula, reader), *_by(step, known, reader.symbols),
                 Paragraph(_reason(step, steps, known, reader, goal))]  # fmt: skip
        if inner := inner_steps(step):
            below += [Paragraph(("which checks:",)), _steps(inner, step, place, known, reader)]
        items.append(Item(typeset(step.name), below, place))
    return Listed(items, numbered=True)


def _reason(
    step: Step, steps: Sequence[Step], known: Mapping[str, str], reader: _Reader,
    goal: Formula | Step,
) -> Text:  # fmt: skip
    """One sentence on why a step is taken: what it is for, read from the steps that name it."""
    users = [one.name for one in steps if one is not step and step.name in _named(one, reader)]
    said: list[Inline] = []
    if isinstance(goal, Step) and not users:
        users = [goal.name]
    if users:
        links = with_commas((Link(lettered(name), "", known[name]),) for name in users)
        said += ["It is taken because ", *links, " rests" if len(users) == 1 else " rest", " on it"]
    goals = [] if isinstance(goal, Step) else joined(goal)
    if any(part in goals for part in joined(step.formula)):
        whole = "the statement itself" if step.formula == goal else "a part of the statement"
        said += [" and it is " if said else "It is ", whole]
    if not said and isinstance(step.formula, Predicate):
        said.append("It is taken so that this is known to be finite")
    return (*(said or ["No other step rests on it by name"]), ".")


def _named(step: Step, reader: _Reader) -> set[str]:
    """The facts that a step, or one that its rule checks, is derived from."""
    facts = {fact for fact, _ in grounds_of(step.rule, reader.symbols).facts}
    return facts.union(*(_named(inner, reader) for inner in inner_steps(step)))


def _by(step: Step, known: Mapping[str, str], symbols: Symbols) -> list[Block]:
    grounds = grounds_of(step.rule, symbols)
    rule: Inline = Link(step.rule.name, RULES, rule_place(step.rule.name))
    if grounds.theorem is not None:
        other, part = grounds.theorem
        rule = Link(f"theorem {other}", f"claims/{other}.html", part.replace(" ", "-"))
    if grounds.cited:
        rule = Link(grounds.cited, "assumed.html", f"cite-{grounds.cited}")
    said: list[Inline] = ["by ", rule]
    facts: list[Text] = []
    apart: list[Block] = []
    for fact, binding in grounds.facts:
        name = lettered(fact)
        link: Inline = Link(name, "", known[fact]) if fact in known else name
        put = [[f"{k}<mo>:=</mo>{first}", *rest] for k, (first, *rest) in binding]
        if any(map(_is_wide, put)):
            apart += [Paragraph((f"{name} is used at:",)), Display(put)]
            put = []
        values = with_commas(tuple(map(Maths, line)) for line in put)
        facts.append((link, *([" at ", *values] if values else [])))
    if facts:
        said += [" from ", *with_commas(facts)]
    for label, shown in grounds.others:
        if label in _FAMILIAR and not any(map(_is_wide, shown)):
            said += [f", {_FAMILIAR[label]} ", *(Maths(part) for line in shown for part in line)]
        elif shown:
            apart += [Paragraph((f"{_FAMILIAR.get(label, label)}:",)), Display(shown)]
    return [Paragraph(tuple(said)), *apart]


def _is_wide(line: Sequence[str]) -> bool:
    """Whether a part of a formula may be too wide for a line of text on a phone."""
    return any(width(part) > _WIDE for part in line)


# ---------------------------------------------------------------- instances


def _instance(instance: Instance, reader: _Reader) -> Iterator[Block]:
    """Numbers and sets as a table, laws, and functions: those of one argument side by side."""
    rows: list[list[Text]] = [[(reader.sign(k),), _number(v)] for k, v in instance.values.items()]
    rows += [[(reader.sign(k),), ("{" + ", ".join(map(str, v)) + "}",)]
             for k, v in instance.domains.items()]  # fmt: skip
    if rows:
        yield simple_table("Numbers and sets", ["Symbol", "is"], rows)
    for name, law in instance.laws.items():
        masses = [[(str(k),), _number(v)] for k, v in law.items()]
        yield simple_table(("The law ", reader.sign(name)), ["value", "mass"], masses)
    beside: dict[tuple[Any, ...], list[str]] = {}
    for name, table in instance.tables.items():
        alone = () if all(len(key) == 1 for key in table) else (name,)
        rest = _elsewhere(name, instance, reader)
        beside.setdefault((rest, *alone, *table), []).append(name)
    for (rest, *_), names in beside.items():
        yield _tables(names, rest, instance, reader)


def _elsewhere(name: str, instance: Instance, reader: _Reader) -> str:
    """What a function is where its table has no row, "" if it has no value; a mass is 0 there."""
    rest = instance.elsewhere.get(name)
    if rest is None:
        return "0" if name in reader.masses else ""
    return shorten(rest.text, _LONG)


def _tables(names: Sequence[str], rest: str, instance: Instance, reader: _Reader) -> Block:
    """Functions whose tables have the same rows, in one table; that of two arguments as a grid."""
    tables = [instance.tables[name] for name in names]
    signs = with_commas((reader.sign(name),) for name in names)
    if not tables[0]:
        return Paragraph((*signs, f": {rest} everywhere" if rest else ": without values"))
    title: Text = ("Values of ", *signs, f" ({rest} elsewhere)" if rest else "")
    keys = list(tables[0])
    if len(names) == 1 and all(len(key) == 2 for key in keys):
        ends = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
        rows: list[list[Text]] = [
            [(str(a),), *(_number(tables[0][a, b]) if (a, b) in tables[0] else () for b in ends[1])]
            for a in ends[0]
        ]
        return simple_table(title, ["row, column", *map(str, ends[1])], rows)
    rows = [[(", ".join(map(str, key)),), *(_number(table[key]) for table in tables)]
            for key in keys]  # fmt: skip
    return simple_table(title, ["at", *map(reader.sign, names)], rows)


def _number(value: Number) -> Text:
    return (shorten(value.text, _LONG),)


# ---------------------------------------------------------------- counterexamples


def _counterexample(part: Refuted, reader: _Reader, witness: str) -> Iterator[Block]:
    yield from problem_blocks(part)
    if isinstance(part.statement, Verdict):
        yield Paragraph((f"The kernel accepts a certificate that it is {part.verdict}.",))
    if witness:
        yield Paragraph(typeset(witness), "The bound fails")
    if part.instance is not None:
        yield from _instance(part.instance, reader)
    found = where_false(part)
    if part.binds:
        put = with_commas((reader.sign(name), f" is its {of}") for name, of in part.binds.items())
        yield Paragraph(put, "Of the problem")
    if found is not None and found[1]:
        at = {str(v): x.text for v, x in found[1].items()}
        yield Paragraph(_values(at, reader), "It fails at")
    rows: list[list[Text]] = []
    for one in compared(part, reader.symbols):
        left, right = ((Maths(side[0]),) for side in (one.left, one.right))
        rows.append([left, (f"{one.left[2]:.6g}",), typeset(one.sign), right,
                     (f"{one.right[2]:.6g}",), ("holds" if one.holds else "fails",)])  # fmt: skip
    if rows:
        header = ["left", "about", "", "right", "about", "there"]
        yield simple_table("Both sides in numbers", header, rows, named=False)
    drawn = curves(part)
    if drawn is not None:
        name, mark, (left_side, right_side) = drawn
        name = sign_of_name(name, reader.symbols).text
        caption = f"Both sides of the relation over {name}; it fails at {name} = {mark:g} (dashed)"
        sides = Line(left_side, "s0"), Line(right_side, "s1")
        marks: list[Mark] = [ZERO_LINE, GuideLine(mark, "bad dashes"), *sides]
        keys = [("s0", "left side"), ("s1", "right side")]
        yield Plot(caption, caption, Axis(name), Axis(), marks, keys)


def _values(at: Mapping[str, str], reader: _Reader) -> Text:
    return with_commas((reader.sign(name), f" = {brief(shorten(text, 24))}")
                       for name, text in at.items())  # fmt: skip


# ---------------------------------------------------------------- exercises and source


def _theorems(chapter: Chapter) -> Iterator[Block]:
    """The theorems in Coq about the claim: what each says, where it is, and its statement."""
    if not chapter.theorems:
        return
    yield Heading(("In Coq",))
    yield Paragraph((sentence("book.in-coq"),))
    yield Listed([
        Item((Code(theorem.name), f" in proofs/coq/{theorem.file}: {theorem.says}"),
             [Listing(theorem.statement, f"{theorem.name} in Coq")])
        for theorem in chapter.theorems
    ])  # fmt: skip


def _exercises(found: Sequence[Noticed], file: ProofFile, reader: _Reader) -> Iterator[Block]:
    if not found:
        return
    items = []
    for one in found:
        change, shown = _question(file, one.entry.change, reader)
        question = (*change, " Which step notices? Is the claim still true?")
        items.append(Item(question, [*shown, Hidden("Answer", [*_answer(one, reader)])]))
    yield Heading(("Exercises",))
    yield Listed(items, numbered=True)


def _question(file: ProofFile, change: str, reader: _Reader) -> tuple[Text, list[Block]]:
    """A change in words, and the formulas that it is about."""
    name, before, after = exchanged(file, change)
    if after is None:
        return ("Drop the hypothesis ", *typeset(name), "."), []
    if before is None and isinstance(after, Formula):
        return ("Read ", *typeset(name), " as this:"), [_display(after, reader)]
    if is_shown(before) and is_shown(after):
        new, old = (Display([[markup_of(item, reader.symbols)]]) for item in (after, before))
        return ("Put the first of these for the second, everywhere:",), [new, old]
    return ("Make the change ", Code(change), "."), []


def _answer(one: Noticed, reader: _Reader) -> Iterator[Block]:
    yield Paragraph(typeset(f"{one.step}: {one.why}"), "The step that notices")
    if one.false and one.entry.where is not None:
        at = _values(one.at, reader)
        where: Text = (f"{one.false}, here", *((" and at ", *at) if at else ()))
        yield Paragraph(where, "What is false then")
        yield from _instance(one.entry.where, reader)
    elif one.shows:
        yield Paragraph((Code(one.shows),), "What is false then")
    if one.failure:
        yield Paragraph((one.failure,), "This exercise is wrong")


def _latex(chapter: Chapter) -> Iterator[str]:
    for part in chapter.outcome.stated:
        yield f"% {part.part} ({part.kind})"
        yield from (f"% hypothesis {name}\n{text}" for name, text in part.given_latex.items())
        yield f"% statement\n{part.latex}"
        yield from (f"% step {name}\n{text}" for name, text in part.steps_latex.items())
