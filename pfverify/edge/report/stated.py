"""The problem of a report in words, in symbols and as the file that states it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.edge.document import Block, Text, counted, say, simple_table, text_of
from pfverify.edge.pages import Display, Hidden, Item, Listed, Listing
from pfverify.edge.report.facts import Facts
from pfverify.edge.report.labels import Names
from pfverify.edge.report.named import published
from pfverify.edge.report.odds import of_masses
from pfverify.edge.report.sentences import entry, filled, paragraph, sentence, words
from pfverify.edge.views.pairs import listed
from pfverify.edge.words import inequality, plain, sizes_words
from pfverify.exact.decimals import decimal_lower, decimal_text
from pfverify.model.channels.channel import Channel
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.families.family import Family
from pfverify.model.notion import Renyi
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.of_parts import OfParts
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.protection import KINDS
from pfverify.model.releases.composition import ComposedReleases, word
from pfverify.model.releases.merged import MergedOutputs
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Release
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped
from pfverify.model.sources.families import Families

_PRIORS = 50  # in the table of priors
_LINES = 120  # of the problem file that are shown
_LINE = 400  # characters of a line


def problem_blocks(facts: Facts, names: Names) -> list[Block]:
    """Return the problem in words, as a formula, its priors, and its file."""
    problem = facts.problem
    return [
        *what_blocks(facts),
        say(*released_words(facts)),
        say(*_compared(problem)),
        paragraph("problem.target"),
        *target_blocks(facts),
        *_priors(problem, names),
        Hidden("The whole problem as a file", [_file(problem)], printed=False),
    ]


def what_blocks(facts: Facts) -> list[Block]:
    """Return what is published, by its name where that is known."""
    what = published(facts)
    return [paragraph("named.published", what=what)] if what else []


def released_words(facts: Facts, *, sized: bool = True) -> Text:
    """Return what is published; `sized`: with the number of users."""
    problem, release = facts.problem, facts.problem.release
    done = "; ".join(_steps(release))
    steps = words("problem.steps", steps=done) if done else ""
    if isinstance(release, Channel):
        count = len(release.inputs)
        return sentence("problem.channel", kind=release.named_kind, count=count, steps=steps)
    if isinstance(release, ComposedReleases):
        parts = "; ".join(f"{word(k)}: {one.release!r}" for k, one in enumerate(release.parts))
        return sentence("problem.parts", several=release.several, parts=parts)
    said, noise = problem.source.said(sized=sized), release.noise
    system = (said and f" {said}") + steps
    if noise.adds_nothing or not noise.has_size:
        return sentence("problem.no-noise" if noise.adds_nothing else "problem.table",
                        system=system)  # fmt: skip
    before = release.before if isinstance(release, Selected | Processed) else release
    size = sizes_words(noise.kind, problem.scale().text, before.several)
    if noise.step is not None:
        size += f", step {decimal_text(noise.step)}"
    return sentence(
        "problem.noise-many" if problem.numbers else "problem.noise", count=len(problem.numbers),
        noise=words(f"problem.noises.{noise.kind}"), size=size, system=system,
    )  # fmt: skip


def _steps(release: Release) -> Sequence[str]:
    """What is done with the noisy numbers, or with the outputs of a channel."""
    if isinstance(release, MergedOutputs | Stepped):
        return [step.words for step in release.steps]
    if isinstance(release, Selected):
        return [release.choice.words]
    return [release.steps_said] if isinstance(release, Processed) else []


def _compared(problem: Problem) -> Text:
    count = len(problem.pairs)
    pairs = "one pair" if count == 1 else f"{count} pairs"
    if problem.protection.of_inputs:
        return sentence("problem.inputs", pairs=pairs)
    beliefs = len(problem.beliefs)
    whose = "one belief" if beliefs == 1 else f"each of {beliefs} beliefs"
    whose = problem.source.stands_for or whose
    of = "over the inputs" if isinstance(problem.release, Channel) else "of X"
    if problem.source.part_alone:
        of = "of what the user adds to X"
    return sentence("problem.secrets", pairs=pairs, whose=whose, of=of)


def target_blocks(facts: Facts) -> list[Block]:
    """Return the target as a formula, and its numbers."""
    numbers = [Item((f"{name}: {value}",)) for name, value in _target_numbers(facts)]
    return [_formula(facts), Listed(numbers)]


def _formula(facts: Facts) -> Display:
    problem, verdict = facts.problem, facts.decided
    other, power = words("problem.formula.other"), "<mi>ε</mi>"
    if problem.protection.extended:
        power = words("problem.formula.distance", other=other)
    order = str(problem.notion.order) if isinstance(problem.notion, Renyi) else ""
    delta = "" if verdict.delta == "0" else "<mo>+</mo><mi>δ</mi>"
    line = [
        text_of(filled(one, other=other, power=power, order=order, delta=delta))
        for one in entry(f"problem.formula.{problem.notion.stated.value}")["line"]
    ]
    text = inequality(problem.form, verdict.epsilon, verdict.delta, verdict.notion)
    return Display([line], text)


def _target_numbers(facts: Facts) -> list[tuple[str, str]]:
    """The numbers of the target by name, and its form."""
    problem = facts.problem
    found = [("ε", plain(problem.epsilon.text)), ("δ", plain(problem.delta.text))]
    what = "probability" if of_masses(problem) else "density"
    found.append(("form", words(f"problem.forms.{problem.notion.stated.value}", what=what)))
    if problem.named_notion is not None:
        kind = KINDS[problem.named_notion]
        scaled = ", with ε per unit of distance d" if kind.metric is not None else ""
        found.append(("notion", f"{problem.named_notion}, {kind.words}{scaled}"))
    return found


def _priors(problem: Problem, names: Names) -> list[Block]:
    if problem.protection.of_inputs:
        return []
    source = problem.source
    laws = source.stated_laws if isinstance(source, Families) else problem.beliefs
    several = len(laws) > 1
    compared = {name for pair in problem.pairs for name in pair}
    secrets = [
        (belief, secret) for belief, table in laws.items() for secret in table
        if secret in compared
    ]  # fmt: skip
    alike: dict[tuple[str, ...], list[str]] = {}
    for belief, secret in secrets:
        key = (names.plain(belief),) if several else ()
        cells = (*key, *_described(laws[belief][secret]))
        alike.setdefault(cells, []).append(names.plain(secret))
    rows: list[list[Text]] = []
    for cells, of in list(alike.items())[:_PRIORS]:
        head, tail = cells[:several], cells[several:]
        name = f"{len(of)} secrets: {listed(of)}" if len(of) > 1 else of[0]
        rows.append([(cell,) for cell in (*head, name, *tail)])
    header = [*["belief"] * several, "secret", "prior", "from", "to", "mean"]
    more = len(alike) - len(rows)
    end = [say(f"... and {more} more rows.")] if more else []
    grid = simple_table("The priors", header, rows)
    return [Hidden(f"The priors ({len(secrets)})", [grid, *end])]


def _described(prior: Prior) -> list[str]:
    """What a prior is, its smallest and largest value, and its mean, to read and not to use."""
    if isinstance(prior, Family):
        return [prior.words(), "", "", ""]
    if isinstance(prior, Finite):
        count = len(prior.support)
        return [f"{count} input{'s' * (count != 1)}", "", "", ""]
    if isinstance(prior, Nothing):
        count = len(prior.atoms())
        return ["no row" if not count else f"no row, or {count} values", "", "", ""]
    if isinstance(prior, Joint):
        points = len(prior.mass)
        of = listed(prior.names)
        if points == 1:
            ((point, _),) = prior.mass.items()
            known = zip(prior.names, point, strict=True)
            here = [f"{name} = {decimal_text(x)}" for name, x in known if x]
            return [f"1 point ({listed(here) or f'{of}: all 0'})", "", "", ""]
        return [f"{points} points ({of})", "", "", ""]
    if isinstance(prior, WInfinityBall):
        ends = min(prior.centre) - prior.radius, max(prior.centre) + prior.radius
        what = f"{prior.words()}, of {len(prior.centre)} values"
        return [what, *map(_short, ends), ""]
    if isinstance(prior, OfParts):
        return [f"of {len(prior.laws)} parts, each its own", "", "", ""]
    mean = _short(prior.mean)
    if isinstance(prior, Discrete):
        values = f"{prior.size} value{'s' * (prior.size != 1)}"
        return [values, *(_short(Fraction(end, prior.denominator)) for end in prior.ends), mean]
    parts = prior.components
    normal = sum(1 for part in parts if part.variance)
    kind = "a normal law" if len(parts) == 1 else (
        f"a mixture of {normal} normal law{'s' * (normal != 1)}"
        + (f" and {len(parts) - normal} values" if len(parts) > normal else "")
    )  # fmt: skip
    return [kind, "-∞", "∞", mean]


def _short(value: Fraction) -> str:
    """A number of at most six digits, rounded down where it has more."""
    text = decimal_text(value)
    return text if len(text) <= 8 else f"about {decimal_lower(value, 6)}"


def _file(problem: Problem) -> Listing:
    lines = problem.to_toml().splitlines()
    shown = [line if len(line) <= _LINE else f"{line[:_LINE]} ..." for line in lines[:_LINES]]
    if len(lines) > _LINES:
        shown.append(f"... and {counted(len(lines) - _LINES, 'more line')}")
    return Listing("\n".join(shown), words("problem.file"))
