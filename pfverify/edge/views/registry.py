"""The view of every kind of result. A kind without a row here cannot be shown."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pfverify.edge import stdin
from pfverify.edge.views.view import Asked, View

if TYPE_CHECKING:
    from pfverify.model.problem import Problem

VIEWS = {
    "pfverify.crosscheck.run.CrosscheckResult": "crosscheck.CrosscheckView",
    "pfverify.answers.grid.GridResult": "plain.GridView",
    "pfverify.answers.composed.ComposeResult": "compose.ComposeView",
    "pfverify.answers.explored.Explored": "explored.ExploredView",
    "pfverify.answers.least_size.LeastSizeResult": "sized.LeastSizeView",
    "pfverify.answers.largest_radius.LargestRadiusResult": "sized.LargestRadiusView",
    "pfverify.answers.most_releases.MostReleasesResult": "sized.MostReleasesView",
    "pfverify.answers.curves.result.CurveResult": "curve.CurveView",
    "pfverify.answers.loss.LossResult": "loss.LossView",
    "pfverify.answers.outcome.CertifyResult": "certify.CertifyView",
    "pfverify.edge.book.Book": "book.BookView",
    "pfverify.edge.checked.Checked": "check.CheckView",
    "pfverify.answers.coupling.Couplings": "coupling.CouplingsView",
    "pfverify.answers.plan_check.PlanCheck": "coupling.PlanCheckView",
    "pfverify.edge.papers.scales.DemoResult": "papers.DemoView",
    "pfverify.edge.many.Failed": "failed.FailedView",
    "pfverify.answers.lifting.Liftings": "coupling.LiftingsView",
    "pfverify.edge.papers.locations.LocationsResult": "papers.LocationsView",
    "pfverify.edge.papers.scales.CurvesResult": "papers.CurvesView",
    "pfverify.edge.papers.distribution.PropertiesResult": "papers.PropertiesView",
    "pfverify.edge.explain.Explanation": "plain.ExplanationView",
    "pfverify.edge.glossary.entries.Terms": "plain.TermsView",
    "pfverify.edge.latex.Fragment": "plain.FragmentView",
    "pfverify.edge.packaged.Examples": "plain.ExamplesView",
    "pfverify.edge.proofs.Proofs": "proofs.ProofsView",
    "pfverify.edge.start.found.Started": "plain.StartView",
    "pfverify.program.problem.EnumeratedProblem": "plain.EnumerateView",
    "pfverify.records.prior.CountedPrior": "prior.PriorView",
    "pfverify.crosscheck.curves.result.HeldCurve": "held.HeldCurveView",
    "pfverify.crosscheck.maps.result.MapResult": "held.MapView",
    "pfverify.crosscheck.samplers.result.SamplerResult": "sampler.SamplerView",
    "pfverify.records.ptable.PtableProblem": "plain.TableView",
    "pfverify.sampling.sample.SampleResult": "sample.SampleView",
    "pfverify.answers.dummies.DummiesResult": "sized.DummiesView",
    "pfverify.answers.methods.CalibrateResult": "calibrate.CalibrateView",
}
"""Class of a result -> its view, in a module here. Text, so that only what is shown is imported."""


def views_of(
    results: Iterable[object], name: str, problems: Iterable[Problem], digits: int
) -> list[View[Any]]:
    """Return the view of every result, which is about the problem at its place.

    Example: ``views_of([certify(problem)], "p.toml", [problem], 12)[0].asked.digest``.
    """
    return [
        view_of(result, name, Asked(name, problem, digits))
        for result, problem in zip(results, problems, strict=True)
    ]


def view_of(result: object, name: str = "", asked: Asked | None = None) -> View[Any]:
    """Return the view of a result; `name` is what was asked about, as it was written (- is named).

    `asked` is the problem, which data names with its digest.

    Raises TypeError for a kind of result that has no view: a subclass is a kind of its own.
    Example: ``view_of(certify("census.toml"), "census.toml").sections()``.
    """
    called = stdin.NAME if name == stdin.DASH else name
    view = view_class(f"{type(result).__module__}.{type(result).__qualname__}")
    return view(result, called, asked)


def view_class(kind: str) -> type[View[Any]]:
    """Return the view of a kind of result, the full name of its class; TypeError without one.

    Example: ``view_class("pfverify.answers.loss.LossResult").schema`` is ``"loss"``.
    """
    if kind not in VIEWS:
        raise TypeError(f"{kind} has no view: add one to pfverify.edge.views.registry")
    module, _, name = VIEWS[kind].partition(".")
    found = getattr(import_module(f"pfverify.edge.views.{module}"), name)
    if not (isinstance(found, type) and issubclass(found, View)):
        raise TypeError(f"{VIEWS[kind]} is no view")
    return found
