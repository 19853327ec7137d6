"""The page of one claim: how it is read, from what it follows by which steps, where it fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pfverify.edge.book import Chapter
from pfverify.edge.document import (
    Block,
    Code,
    Display,
    Heading,
    Hidden,
    Inline,
    Item,
    Link,
    Listed,
    Listing,
    Maths,
    Page,
    Paragraph,
    Text,
    simple_table,
)
from pfverify.edge.pictures import ZERO_LINE, Axis, GuideLine, Line, Mark, Plot
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
_QUANTIFIED = (
    "A formula holds for all values of the symbols that stand for any number or member; the other "
    "symbols stand for the same all over the page."
)
_KEPT = "The formulas of this page keep names of the proof file for longer terms, where"
_MEANING = (
    "In the paper these hold as well. The steps do not need them; the answers of the exercises "
    "respect them:"
)
_IN_COQ = (
    "Proved from the definitions of proofs/coq and the axioms of the real numbers. "
    "sh proofs/coq/compile checks it; making this book did not."
)
Symbols = Mapping[str, str]


def page(place: str, chapter: Chapter, uses: Text, users: Text, around: Text) -> Page:
    """Return the page of a claim; `uses`, `users` and `around` are links to other claims."""
    outcome, file = chapter.outcome, chapter.file
    paper, _, number = outcome.source.partition(" ")
    blocks: list[Block] = []
    if file is not None:
        link = Link(paper, f"papers/{chapter.paper}.html")
        blocks.append(Paragraph((number, " in ", link), "Source"))
    fails = f"{outcome.failed_step or 'the file'}: {outcome.failure}" if outcome.failure else ""
    cited = _joined([(Link(c, "assumed.html", f"cite-{c}"),) for c in outcome.citations])
    for label, said in (
        ("It fails at", typeset(fails)),
        ("Not checkable, because", typeset(outcome.reason)),
        ("Left open", typeset(outcome.open)),
        ("What is corrected is", typeset(outcome.comparison)),
        ("It rests on", cited), ("Uses the theorems", uses), ("Used by", users),
    ):  # fmt: skip
        blocks += [Paragraph(said, label)] if said else []
    if file is not None:
        reader = _reader(file, chapter.text)
        blocks += _claim_blocks(file.claim, reader, chapter.witnesses)
        blocks += _exercises(chapter.exercises, file, reader)
    blocks += _theorems(chapter)
    blocks.append(Heading(("The file behind this page",)))
    blocks.append(Hidden("Show the proof file", [Listing(chapter.text, f"{chapter.name}.py")]))
    for name, setting in file.settings.items() if file is not None else ():
        blocks.append(Hidden(f"Show {name}, from which it imports", [Listing(setting, name)]))
    if outcome.stated:
        tex = [Listing(_latex(chapter), "LaTeX")]
        blocks.append(Hidden("Show the formulas in LaTeX", tex, printed=False))
    blocks += [Paragraph(around, "Next to it")] if around else []
    lead = typeset(outcome.words)
    return Page(place, chapter.name, blocks, badge(result_word(outcome)), lead)


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
        return Maths(sign_of_name(name, self.symbols).mathml())

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


def _claim_blocks(claim: Claim, reader: _Reader, witnesses: Mapping[str, str]) -> list[Block]:
    blocks = _notation(claim, reader)
    for name, part in claim.parts():
        blocks += _part(name, part, reader, witnesses.get(name, ""))
    return blocks


def _notation(claim: Claim, reader: _Reader) -> list[Block]:
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
    blocks: list[Block] = []
    if rows:
        symbols = simple_table("What the symbols stand for", ["Symbol", "stands for"], rows)
        blocks += [Heading(("Notation",)), symbols, Paragraph((_QUANTIFIED,))]
    if reader.kept is not None:
        short = [reader.kept.folded(formula) for formula in _formulas(claim)]
        where = [Display(lines(one, reader.symbols)) for one in reader.kept.used(short)]
        blocks += [Paragraph((_KEPT,)), *where] if where else []
    if claim.meaning:
        blocks.append(Paragraph((_MEANING,)))
        blocks += [_display(formula, reader) for formula in claim.meaning]
    return blocks


def _part(name: str, part: Part, reader: _Reader, witness: str) -> list[Block]:
    kind = "refuted" if isinstance(part, Refuted) else "refuted by a theorem against it" * (
        part.denies) or "proved"  # fmt: skip
    title = f"{_TITLES.get(name, name.capitalize())}: {kind}"
    here = name.replace(" ", "-")
    blocks: list[Block] = [Heading((title,), 2, here)]
    blocks += [Paragraph(typeset(part.words))] if part.words else []
    if part.given:
        given = [Item(typeset(name), [_display(formula, reader)], _place(here, name))
                 for name, formula in part.given.items()]  # fmt: skip
        blocks += [Heading(("Hypotheses",), 3), Listed(given)]
    if isinstance(part, Proved) and part.denied is not None:
        blocks += [Heading(("What is printed says",), 3), _display(part.denied, reader),
                   Heading(("It is false, as",), 3), _display(part.statement, reader)]  # fmt: skip
    else:
        blocks += [Heading(("We read it as",), 3), _display(part.statement, reader)]
    if isinstance(part, Proved):
        if part.data is not None:
            blocks += [Heading(("Data it is about",), 3), *_instance(part.data, reader)]
        blocks += problem_blocks(part)
        blocks += [Heading(("Steps",), 3), Listed(_steps(part, here, reader), numbered=True)]
        for example in part.examples:
            shown = _instance(example, reader)
            blocks += [Hidden("An example in which the hypotheses hold", shown)] if shown else []
        return blocks
    return [*blocks, Heading(("Counterexample",), 3), *_counterexample(part, reader, witness)]


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


def _steps(part: Proved, here: str, reader: _Reader) -> list[Item]:
    known = {name: _place(here, name) for name in part.given}
    known |= {step.name: _place(here, step.name) for step in part.steps}
    return [
        _step(step, here, known, reader, _reason(step, part.steps, known, reader, part.statement))
        for step in part.steps
    ]


def _reason(
    step: Step, steps: Sequence[Step], known: Mapping[str, str], reader: _Reader,
    goal: Formula | Step,
) -> Text:  # fmt: skip
    """One sentence on why a step is taken: what it is for, read from the steps that name it.

    `goal` is the statement of the part, or the step whose rule checks this one.
    """
    users = [one.name for one in steps if one is not step and step.name in _named(one, reader)]
    said: list[Inline] = []
    if isinstance(goal, Step) and not users:
        users = [goal.name]
    if users:
        links = _joined([(Link(lettered(name), "", known[name]),) for name in users])
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


def _step(
    step: Step, here: str, known: Mapping[str, str], reader: _Reader, reason: Text
) -> Item:
    """A step; `known` says where on the page the facts stand that it may name."""
    below: list[Block] = [_display(step.formula, reader), *_by(step, known, reader.symbols)]
    below.append(Paragraph(reason))
    inner = inner_steps(step)
    if inner:
        below.append(Paragraph(("which checks:",)))
        inside = _place(here, step.name)
        known = {**known, **{one.name: _place(inside, one.name) for one in inner}}
        items = [_step(one, inside, known, reader, _reason(one, inner, known, reader, step))
                 for one in inner]  # fmt: skip
        below.append(Listed(items, numbered=True))
    return Item(typeset(step.name), below, _place(here, step.name))


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
        values = _joined([tuple(map(Maths, line)) for line in put])
        facts.append((link, *([" at ", *values] if values else [])))
    if facts:
        said += [" from ", *_joined(facts)]
    for label, shown in grounds.others:
        if label in _FAMILIAR and not any(map(_is_wide, shown)):
            said += [f", {_FAMILIAR[label]} ", *(Maths(part) for line in shown for part in line)]
        elif shown:
            apart += [Paragraph((f"{_FAMILIAR.get(label, label)}:",)), Display(shown)]
    return [Paragraph(tuple(said)), *apart]


def _is_wide(line: Sequence[str]) -> bool:
    """Whether a part of a formula may be too wide for a line of text on a phone."""
    return any(width(part) > _WIDE for part in line)


def _joined(parts: Sequence[Text]) -> Text:
    found: list[Inline] = []
    for part in parts:
        found += [", "] if found else []
        found += part
    return tuple(found)


# ---------------------------------------------------------------- instances


def _instance(instance: Instance, reader: _Reader) -> list[Block]:
    """Numbers and sets as a table, laws, and functions: those of one argument side by side."""
    rows: list[list[Text]] = [[(reader.sign(k),), _number(v)] for k, v in instance.values.items()]
    rows += [[(reader.sign(k),), ("{" + ", ".join(map(str, v)) + "}",)]
             for k, v in instance.domains.items()]  # fmt: skip
    blocks: list[Block] = []
    if rows:
        blocks.append(simple_table("Numbers and sets", ["Symbol", "is"], rows))
    for name, law in instance.laws.items():
        masses: list[list[Text]] = [[(str(k),), _number(v)] for k, v in law.items()]
        blocks.append(simple_table(f"The law {name}", ["value", "mass"], masses))
    beside: dict[tuple[Any, ...], list[str]] = {}
    for name, table in instance.tables.items():
        alone = () if all(len(key) == 1 for key in table) else (name,)
        rest = _elsewhere(name, instance, reader)
        beside.setdefault((rest, *alone, *table), []).append(name)
    return blocks + [_tables(names, rest, instance, reader)
                     for (rest, *_), names in beside.items()]  # fmt: skip


def _elsewhere(name: str, instance: Instance, reader: _Reader) -> str:
    """What a function is where its table has no row, "" if it has no value; a mass is 0 there."""
    rest = instance.elsewhere.get(name)
    if rest is None:
        return "0" if name in reader.masses else ""
    return shorten(rest.text, _LONG)


def _tables(names: Sequence[str], rest: str, instance: Instance, reader: _Reader) -> Block:
    """Functions whose tables have the same rows, in one table; that of two arguments as a grid."""
    tables = [instance.tables[name] for name in names]
    if not tables[0]:
        return Paragraph((*_joined([(reader.sign(name),) for name in names]),
                          f": {rest} everywhere" if rest else ": without values"))  # fmt: skip
    title = f"Values of {', '.join(sign_of_name(n, reader.symbols).text for n in names)}"
    title += f" ({rest} elsewhere)" if rest else ""
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


def _counterexample(part: Refuted, reader: _Reader, witness: str) -> list[Block]:
    blocks = problem_blocks(part)
    if isinstance(part.statement, Verdict):
        blocks.append(Paragraph((f"The kernel accepts a certificate that it is {part.verdict}.",)))
    blocks += [Paragraph(typeset(witness), "The bound fails")] if witness else []
    if part.instance is not None:
        blocks += _instance(part.instance, reader)
    found = where_false(part)
    if part.binds:
        put = [(reader.sign(name), f" is its {what}") for name, what in part.binds.items()]
        blocks.append(Paragraph(_joined(put), "Of the problem"))
    if found is not None and found[1]:
        blocks.append(Paragraph(_values({str(v): x.text for v, x in found[1].items()}, reader),
                                "It fails at"))  # fmt: skip
    rows: list[list[Text]] = []
    for one in compared(part, reader.symbols):
        left, right = ((Maths(side[0]),) for side in (one.left, one.right))
        rows.append([left, (f"{one.left[2]:.6g}",), typeset(one.sign), right,
                     (f"{one.right[2]:.6g}",), ("holds" if one.holds else "fails",)])  # fmt: skip
    if rows:
        header = ["left", "about", "", "right", "about", "there"]
        blocks.append(simple_table("Both sides in numbers", header, rows, named=False))
    drawn = curves(part)
    if drawn is not None:
        name, mark, (left_side, right_side) = drawn
        name = sign_of_name(name, reader.symbols).text
        caption = f"Both sides of the relation over {name}; it fails at {name} = {mark:g} (dashed)"
        sides = Line(left_side, "s0"), Line(right_side, "s1")
        marks: list[Mark] = [ZERO_LINE, GuideLine(mark, "bad dashes"), *sides]
        keys = [("s0", "left side"), ("s1", "right side")]
        blocks.append(Plot(caption, caption, Axis(name), Axis(), marks, keys))
    return blocks


def _values(at: Mapping[str, str], reader: _Reader) -> Text:
    return _joined([(reader.sign(name), f" = {brief(shorten(text, 24))}")
                    for name, text in at.items()])  # fmt: skip


# ---------------------------------------------------------------- exercises and source


def _theorems(chapter: Chapter) -> list[Block]:
    """The theorems in Coq about the claim: what each says, where it is, and its statement."""
    if not chapter.theorems:
        return []
    items = [
        Item((Code(theorem.name), f" in proofs/coq/{theorem.file}: {theorem.says}"),
             [Listing(theorem.statement, f"{theorem.name} in Coq")])
        for theorem in chapter.theorems
    ]  # fmt: skip
    return [Heading(("In Coq",)), Paragraph((_IN_COQ,)), Listed(items)]


def _exercises(found: Sequence[Noticed], file: ProofFile, reader: _Reader) -> list[Block]:
    if not found:
        return []
    items = []
    for one in found:
        change, shown = _question(file, one.entry.change, reader)
        question = (*change, " Which step notices? Is the claim still true?")
        items.append(Item(question, [*shown, Hidden("Answer", _answer(one, reader))]))
    return [Heading(("Exercises",)), Listed(items, numbered=True)]


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


def _answer(one: Noticed, reader: _Reader) -> list[Block]:
    said: list[Block] = [Paragraph(typeset(f"{one.step}: {one.why}"), "The step that notices")]
    if one.false and one.entry.where is not None:
        at = _values(one.at, reader)
        where: Text = (f"{one.false}, here", *((" and at ", *at) if at else ()))
        said += [Paragraph(where, "What is false then"), *_instance(one.entry.where, reader)]
    elif one.shows:
        said.append(Paragraph((Code(one.shows),), "What is false then"))
    if one.failure:
        said.append(Paragraph((one.failure,), "This exercise is wrong"))
    return said


def _latex(chapter: Chapter) -> str:
    found = []
    for part in chapter.outcome.stated:
        found.append(f"% {part.part} ({part.kind})")
        found += [f"% hypothesis {name}\n{text}" for name, text in part.given_latex.items()]
        found.append(f"% statement\n{part.latex}")
        found += [f"% step {name}\n{text}" for name, text in part.steps_latex.items()]
    return "\n".join(found)
