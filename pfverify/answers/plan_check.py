"""The judgement on a transport plan that somebody else computed for a pair of priors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from pfverify.answers.outcome import ordered_line
from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.no_truth import NoTruth
from pfverify.model.priors.discrete import Discrete
from pfverify.model.question import Question
from pfverify.results import Shown
from pfverify.transport.metric import AbsoluteDifference, Metric
from pfverify.transport.plan import exact_text, plan_of_masses
from pfverify.transport.plan_file import Pairs, PlanTable
from pfverify.transport.repair import repaired
from pfverify.transport.validate import PROPERTIES, Edge, PlanReport, validate_plan


@dataclass(frozen=True)
class Property(NoTruth, ask="compare .verdict"):
    """A property of a plan: `verdict` yes, no, or not asked, and the edges that show it."""

    name: str
    verdict: str
    detail: str


@dataclass(frozen=True, repr=False)
class PlanCheck(Shown, NoTruth, ask="use .valid"):
    """The judgement on a given plan."""

    belief: str
    from_: str
    to: str
    valid: bool
    floats: bool
    defect: str
    properties: list[Property]
    failed: list[str]

    def _line(self) -> str:
        failed = f", failed {', '.join(self.failed)}" if self.failed else ""
        said = f"{'valid' if self.valid else 'invalid'}{failed}"
        return ordered_line(self.from_, self.to, said)


def priors_with_atoms(item: Question) -> tuple[Discrete, Discrete]:
    """Return both priors of a pair; InputError where one has a density, as plans are about atoms.

    Example: ``priors_with_atoms(item)[0].mass``.
    """
    return item.discrete_priors("coupling: plans are about atoms")


def judged(
    item: Question,
    table: PlanTable,
    metric: Metric | None,
    relation: Pairs | None,
    within: Fraction | None,
    require: tuple[str, ...],
) -> PlanCheck:
    """Return the judgement on a plan file for one pair.

    Wrong marginals, an edge outside `within` or the relation, and a required property that does
    not hold make it invalid. Raises InputError for a property that there is not.
    """
    for name in require:
        if name not in PROPERTIES:
            raise InputError(f"--require: {shorten(name)}, expected one of {', '.join(PROPERTIES)}")
        if name == "support" and within is None and relation is None:
            raise InputError("--require support: say which with --within T or --relation FILE")
    report = validate_plan(
        plan_of_masses(table.rows),
        *priors_with_atoms(item),
        metric or AbsoluteDifference(),
        relation=relation,
        within=within,
    )
    properties = properties_of(report)
    demanded = {"marginals", "support", *require}
    failed = [p.name for p in properties if p.name in demanded and p.verdict == "no"]
    residuals = [abs(r.excess) for r in (*report.rows, *report.columns)]
    defect = max(residuals, default=Fraction(0))
    return PlanCheck(
        item.belief,
        item.first,
        item.second,
        not failed,
        table.floats,
        _size(defect, table.floats),
        properties,
        failed,
    )


def _size(defect: Fraction, about: bool) -> str:
    """Return a defect exactly, or (floats, or too long) about, also beyond the floats' range."""
    if not about:
        try:
            return decimal_or_fraction(defect)
        except InputError:
            pass
    return f"about {Decimal(defect.numerator) / Decimal(defect.denominator):.3g}"


def decimal_or_fraction(value: Fraction) -> str:
    """Return a rational as a short exact decimal, or as a fraction."""
    fraction = exact_text(value)
    text = decimal_text(value)
    return text if len(text) <= 20 else fraction


def repaired_csv(item: Question, table: PlanTable) -> str:
    """Return the nearest exact plan on the same support as CSV.

    Raises InputError (with a Hall set) where the support carries no exact plan.
    """
    exact = repaired(table.rows, *priors_with_atoms(item))
    lines = [f"{x},{y},{exact_text(mass)}" for (x, y), mass in exact.masses().items()]
    return "\n".join(["from,to,mass", *lines]) + "\n"


def properties_of(report: PlanReport) -> list[Property]:
    """Return each property of a plan with its verdict and the edges that show it."""
    words = {True: "yes", False: "no", None: "not asked"}
    details = {
        "marginals": _residuals(report),
        "support": _edges(report.outside or (), "outside: "),
        "forest": _edges(report.cycle or (), "a cycle of edges: "),
        "monotone": _edges(report.crossing or (), "these cross: "),
        "optimal": _optimality(report),
        "connected": f"{len(report.components)} component(s)",
    }
    found = [Property(name, words[report.holds(name)], details[name]) for name in PROPERTIES]
    for name, edge in (("heaviest edge", report.heaviest), ("longest edge", report.longest)):
        if edge is not None:
            found.append(Property(name, "is", _edge(edge)))
    return found


def _edge(edge: Edge) -> str:
    length = "" if edge.distance is None else f", length {shorten(edge.distance)}"
    return f"{edge.row} -> {edge.column} (mass {shorten(edge.mass, 30)}{length})"


def _edges(edges: Sequence[Edge], start: str) -> str:
    if not edges:
        return ""
    more = f" and {len(edges) - 6} more" if len(edges) > 6 else ""
    return start + "; ".join(_edge(edge) for edge in edges[:6]) + more


def _residuals(report: PlanReport) -> str:
    wrong = [("row", r) for r in report.rows] + [("column", r) for r in report.columns]
    texts = [
        f"{what} {r.point} sums to {shorten(r.found, 30)}, expected "
        f"{shorten(r.expected, 30)}"
        for what, r in wrong[:4]
    ]
    more = f" and {len(wrong) - 4} more" if len(wrong) > 4 else ""
    return "; ".join(texts) + more


def _optimality(report: PlanReport) -> str:
    found = report.optimality
    if found is None or found.cycle is None:
        return ""
    removed = ", ".join(f"{x} -> {y}" for x, y in found.cycle.removed[:4])
    added = ", ".join(f"{x} -> {y}" for x, y in found.cycle.added[:4])
    saving = shorten(found.cycle.saving)
    return f"a negative cycle: move mass from {removed} to {added} (saves {saving})"
