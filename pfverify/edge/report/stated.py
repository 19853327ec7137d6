"""The problem of a report in words, in symbols and as the file that states it."""

from __future__ import annotations

from fractions import Fraction

from pfverify.edge.document import (
    Block,
    Display,
    Hidden,
    Item,
    Listed,
    Listing,
    Paragraph,
    Text,
    simple_table,
)
from pfverify.edge.report.facts import Facts
from pfverify.edge.report.labels import PRIME, Names
from pfverify.edge.report.odds import of_masses
from pfverify.edge.words import inequality, noise_words, plain
from pfverify.exact.decimals import decimal_lower, decimal_text
from pfverify.model.channels.channel import Channel
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.notion import Bound
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.protection import KINDS

_PRIORS = 50  # in the table of priors
_LINES = 120  # of the problem file that are shown
_LINE = 400  # characters of a line

_NOISE = {
    Laplace: "Laplace noise: a distance d from 0 is e^(-d/scale) times as likely as 0",
    DiscreteLaplace: "discrete Laplace noise: whole steps, k of them e^(-k step/scale) times as "
    "likely as 0",
    GaussianNoise: "Gaussian noise: a normal law around 0",
}


def problem_blocks(facts: Facts, names: Names) -> list[Block]:
    """Return the problem in words, as a formula, its priors, and its file."""
    problem = facts.problem
    return [
        Paragraph(released_words(facts)),
        Paragraph(_compared(problem)),
        Paragraph(("The target, for every such pair, in both orders:",)),
        formula(facts),
        Listed([Item((f"{name}: {value}",)) for name, value in target_numbers(facts)]),
        *_priors(problem, names),
        Hidden("The whole problem as a file", [_file(problem)], printed=False),
    ]


def released_words(facts: Facts, *, sized: bool = True) -> Text:
    """Return what is published; `sized`: with the number of users."""
    problem = facts.problem
    if isinstance(problem.release, Channel):
        channel = problem.release
        return (f"A finite channel (kind {channel.kind}) turns one of {len(channel.inputs)} inputs "
                "into a random output, which is published.",)  # fmt: skip
    said = problem.source.said(sized=sized)
    system = said and f" {said}"
    if problem.noise.adds_nothing:
        return (f"The number X itself is published, without any noise: Y = X.{system}",)
    size = noise_words(problem.noise.kind, problem.scale().text)
    if problem.noise.step is not None:
        size += f", step {decimal_text(problem.noise.step)}"
    return (f"The published number is Y = X + N: the true number X plus noise N that does not "
            f"depend on it, {_NOISE[type(problem.noise)]}; {size}.{system}",)  # fmt: skip


def others_unknown(problem: Problem) -> bool:
    """Say whether nothing is known of the other users, so that X has no law.

    Example: ``others_unknown(Problem.load("example:census"))`` is False.
    """
    return problem.source.part_alone


def _compared(problem: Problem) -> Text:
    count = len(problem.pairs)
    pairs = "one pair" if count == 1 else f"{count} pairs"
    if problem.protection.of_inputs:
        return (f"Compared are single inputs: {pairs} of them, whatever prior there is.",)
    beliefs = len(problem.beliefs)
    whose = "one belief" if beliefs == 1 else f"each of {beliefs} beliefs"
    of = "over the inputs" if problem.release.named else "of X"
    if others_unknown(problem):
        of = "of what the user adds to X"
    return (f"Compared are secrets: {pairs} of them, under {whose}. A belief gives for each "
            f"secret the law {of} if that secret is true (its prior).",)  # fmt: skip


def formula(facts: Facts) -> Display:
    """Return the target as a formula."""
    problem, verdict = facts.problem, facts.decided
    events = problem.notion.exceeding is Bound.DIVERGENCE
    side = "<mi>P</mi>" if events else "<mi>p</mi>"
    what = "<mi>Y</mi><mo>∈</mo><mi>B</mi>" if events else "<mi>y</mi>"

    def law(secret: str) -> str:
        return f"<mrow>{side}<mo>(</mo>{what}<mo>|</mo>{secret}<mo>)</mo></mrow>"

    other = f'<mrow><mi>s</mi><mo lspace="0" rspace="0">{PRIME}</mo></mrow>'
    power = "<mi>ε</mi>"
    if problem.protection.extended:
        power = ("<mrow><mi>ε</mi><mo>&#x2062;</mo><mi>d</mi><mo>(</mo><mi>s</mi><mo>,</mo>"
                 f"{other}<mo>)</mo></mrow>")  # fmt: skip
    growth = f'<msup><mi mathvariant="normal">e</mi>{power}</msup>'
    where = "for every event B" if events else "at every output y"
    delta = "" if verdict.delta == "0" else "<mo>+</mo><mi>δ</mi>"
    line = [
        f"{law('<mi>s</mi>')}",
        f"<mo>≤</mo>{growth}<mo>&#x2062;</mo>{law(other)}{delta}",
        f"<mtext>&nbsp;{where}</mtext>",
    ]
    text = inequality(problem.form, verdict.epsilon, verdict.delta, verdict.notion)
    return Display([line], text)


def target_numbers(facts: Facts) -> list[tuple[str, str]]:
    """Return the numbers of the target by name, and its form."""
    problem = facts.problem
    found = [("ε", plain(problem.epsilon.text)), ("δ", plain(problem.delta.text))]
    what = "probability" if of_masses(problem) else "density"
    forms = {
        Bound.DIVERGENCE: "every event of outputs is bounded (events)",
        Bound.EXCESS: f"the {what} of every single output is bounded (pointwise)",
    }
    found.append(("form", forms[problem.notion.exceeding]))
    if problem.named_notion is not None:
        kind = KINDS[problem.named_notion]
        scaled = ", with ε per unit of distance d" if kind.metric is not None else ""
        found.append(("notion", f"{problem.named_notion}, {kind.words}{scaled}"))
    return found


def _priors(problem: Problem, names: Names) -> list[Block]:
    if problem.protection.of_inputs:
        return []
    several = len(problem.beliefs) > 1
    compared = {name for pair in problem.pairs for name in pair}
    secrets = [
        (belief, secret) for belief, table in problem.beliefs.items() for secret in table
        if secret in compared
    ]  # fmt: skip
    rows: list[list[Text]] = []
    for belief, secret in secrets[:_PRIORS]:
        head = [(names.plain(belief),)] if several else []
        cells = _described(problem.beliefs[belief][secret])
        rows.append([*head, (names.plain(secret),), *((cell,) for cell in cells)])
    header = [*["belief"] * several, "secret", "prior", "from", "to", "mean"]
    more = len(secrets) - len(rows)
    tail = [Paragraph((f"... and {more} more priors.",))] if more else []
    grid = simple_table("The priors", header, rows)
    return [Hidden(f"The priors ({len(secrets)})", [grid, *tail])]


def _described(prior: Prior) -> list[str]:
    """What a prior is, its smallest and largest value, and its mean, to read and not to use."""
    if isinstance(prior, Finite):
        count = len(prior.support)
        return [f"{count} input{'s' * (count != 1)}", "", "", ""]
    parts = prior.components
    mean = _short(sum((part.weight * part.mean for part in parts), Fraction(0)))
    if not prior.has_density:
        atoms = [part.mean for part in parts]
        values = f"{len(atoms)} value{'s' * (len(atoms) != 1)}"
        return [values, _short(min(atoms)), _short(max(atoms)), mean]
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
        shown.append(f"... and {len(lines) - _LINES} more lines")
    return Listing("\n".join(shown), "The problem as a file, in TOML, every number exact")


