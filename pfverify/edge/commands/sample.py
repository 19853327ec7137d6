"""``pfverify sample``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import (
    certificate_path,
    csv_option,
    json_option,
    load,
    path_of,
    refuse_inputs,
)
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.progress import progress
from pfverify.errors import InputError


@click.command()
@click.argument("problem", type=PROBLEM)
@click.option("--count", default=1, show_default=True, help="How many draws of noise.")
@click.option("--value", metavar="X",
              help="The true value: release X + noise (of a channel, the input's name), once.")
@click.option("--cert", "certificate", type=FILE, metavar="CERT",
              help="Check this certificate in place of deciding again.")
@click.option("--uncertified", is_flag=True,
              help="Draw even where the problem is refuted or undecided (same exit code).")
@click.option("--lattice", metavar="STEP",
              help="Take discrete Laplace noise on multiples of STEP, decided too, for Laplace.")
@click.option("-o", "--output", type=FILE, metavar="PROBLEM",
              help="With --lattice: write that problem file, and draw nothing.")
@csv_option
@json_option
def sample(
    problem: str,
    count: int,
    value: str | None,
    certificate: str | None,
    uncertified: bool,
    lattice: str | None,
    output: str | None,
    as_csv: bool,
    as_json: bool,
) -> int:
    """Draw exactly the noise that PROBLEM is about, after certifying it.

    Discrete Laplace and discrete Gaussian noise, noise tables and the outputs of finite channels
    are drawn from the operating system's random bits in exact arithmetic: what is drawn is what was
    decided. There is no seed: noise that can be repeated hides nothing. How long a draw takes is
    not hidden. Continuous noise is refused, since no floating-point sampler is what was certified;
    --lattice STEP takes discrete Laplace noise of the same scale in place of Laplace noise, and
    decides that problem.

    --value stays in the shell's history; draw the noise and add it where that matters.

    Exit code 0: certified, and drawn. 1: refuted, 3: undecided, and nothing drawn.

    \b
    Examples:
      pfverify sample example:census --lattice 1/100
      pfverify sample example:census --lattice 1 --count 5 --csv
      pfverify sample example:census --lattice 1/100 -o lattice.toml
      pfverify sample example:home-and-out --value office
    """
    from pfverify.answers.certify import certify
    from pfverify.decide.verdict import Verdict
    from pfverify.edge.checked import checked
    from pfverify.edge.codes import decided
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of
    from pfverify.edge.views.view import Asked, Remark
    from pfverify.sampling.sample import CERTIFICATE, DECISION, planned

    form = form_of(as_json=as_json, as_csv=as_csv)
    drawing = value is not None or certificate is not None or uncertified or count != 1
    if output is not None and (lattice is None or drawing or form != "terminal"):
        raise InputError("-o: writes the problem of --lattice STEP, alone, and draws nothing")
    if certificate is not None and (lattice is not None or uncertified):
        raise InputError(
            "--cert: a certificate is about a problem file as it is, without --lattice (write that "
            "file with -o) and --uncertified"
        )
    stated = load(problem)
    if lattice is not None:
        stated = stated.on_lattice(lattice)
    if output is not None:
        refuse_inputs(output, path_of(problem))
        stated.save(Path(output))
        show([Remark(f"wrote {output}: certify it, then sample it; nothing was drawn")], form)
        return 0
    plan, asked = planned(stated, count, value), Asked(problem, stated)
    if certificate is not None:
        answer = checked(path_of(problem), certificate_path(certificate), "certified")
        if not answer.ok:
            show([view_of(answer, problem, asked)], form)
            return answer.code
        verdict, proved_by = Verdict.CERTIFIED, CERTIFICATE
    else:
        with progress("deciding") as report:
            verdict, proved_by = certify(stated, digits=1, progress=report).verdict, DECISION
    result = plan.done(verdict, proved_by, uncertified=uncertified)
    show([view_of(result, problem, asked)], form)
    return decided(verdict)
