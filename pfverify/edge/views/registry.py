"""The view of every kind of result. A kind without a row here cannot be shown."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pfverify.edge import stdin
from pfverify.edge.views.view import View

VIEWS = {
    "pfverify.decide.grid.GridResult": "grid.GridView",
    "pfverify.decide.loss.LossResult": "loss.LossView",
    "pfverify.decide.outcome.CertifyResult": "certify.CertifyView",
    "pfverify.edge.book.Book": "book.BookView",
    "pfverify.edge.checked.Checked": "check.CheckView",
    "pfverify.edge.checked.Trusting": "check.TrustingView",
    "pfverify.edge.coupling.Couplings": "coupling.CouplingsView",
    "pfverify.edge.coupling.PlanCheck": "coupling.PlanCheckView",
    "pfverify.edge.demo.DemoResult": "demo.DemoView",
    "pfverify.edge.lifted.Liftings": "lifted.LiftingsView",
    "pfverify.edge.locations.LocationsResult": "locations.LocationsView",
    "pfverify.edge.multi_user.CurvesResult": "multi_user.CurvesView",
    "pfverify.edge.distribution.PropertiesResult": "distribution.PropertiesView",
    "pfverify.edge.explain.Explanation": "explain.ExplanationView",
    "pfverify.edge.latex.Fragment": "latex.FragmentView",
    "pfverify.edge.packaged.Examples": "examples.ExamplesView",
    "pfverify.edge.proofs.Counts": "proofs.CountsView",
    "pfverify.edge.proofs.Proofs": "proofs.ProofsView",
    "pfverify.scales.dummies.DummiesResult": "dummies.DummiesView",
    "pfverify.scales.outcome.CalibrateResult": "calibrate.CalibrateView",
}
"""Class of a result -> its view, in a module here. Text, so that only what is shown is imported."""


def view_of(result: object, name: str = "") -> View[Any]:
    """Return the view of a result; `name` is what was asked about, as it was written (- is named).

    Raises TypeError for a kind of result that has no view: a subclass is a kind of its own.
    Example: ``view_of(certify("census.toml"), "census.toml").sections()``.
    """
    kind = f"{type(result).__module__}.{type(result).__qualname__}"
    if kind not in VIEWS:
        raise TypeError(f"{kind} has no view: add one to pfverify.edge.views.registry")
    module, _, view = VIEWS[kind].partition(".")
    called = stdin.NAME if name == stdin.DASH else name
    made = getattr(import_module(f"pfverify.edge.views.{module}"), view)(result, called)
    if not isinstance(made, View):
        raise TypeError(f"{VIEWS[kind]} is no view")
    return made
