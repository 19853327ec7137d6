"""Certificates of answers, where an answer has something to prove."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pfverify.decide.verdict import Verdict
from pfverify.edge.codes import several_code
from pfverify.edge.leave import EXIT_UNDECIDED, warn

if TYPE_CHECKING:
    from pfverify.answers.curves.result import CurveResult
    from pfverify.answers.methods import CalibrateResult
    from pfverify.answers.outcome import CertifyResult
    from pfverify.certificate.checking import CertificateError
    from pfverify.model.problem import Problem

    Provable = CertifyResult | CalibrateResult | CurveResult

_PROVES = {Verdict.CERTIFIED: True, Verdict.REFUTED: True, Verdict.UNDECIDED: False}


def write_answer(
    output: Path, path: Path, problem: Problem, result: Provable, *, attest: bool
) -> bool:
    """Write the certificate of an answer about a problem file; return whether there is one.

    Raises CertificateError where the kernel takes none.
    """
    from pfverify.answers.curves.result import CurveResult
    from pfverify.answers.methods import CalibrateResult
    from pfverify.answers.outcome import CertifyResult
    from pfverify.certificate.build import write_curve, write_scales, write_verdict

    match result:
        case CurveResult():
            write_curve(output, path, problem, result)
        case CalibrateResult() if _PROVES[result.minimum.verdict]:
            write_scales(output, path, problem, result)
        case CertifyResult() if _PROVES[result.verdict]:
            write_verdict(output, path, problem, result, attest=attest)
        case _:
            return False
    return True


class AskedCertificate:
    """The certificate that -o asks for, of the answer about one problem; none without a file.

    `source` is the file of the problem; where that is `changed`, no file states it, and it is
    written too, to CERT.toml.
    """

    def __init__(
        self, output: str | None, source: Path, *, changed: bool = False, attest: bool = False
    ) -> None:
        """Take where it goes."""
        self._output, self._source = output, source
        self._changed, self._attest = changed, attest
        self._refused: CertificateError | None = None

    def tell_refused(self, problem: Problem) -> None:
        """Say on standard error, before the work, that the kernel will take no certificate."""
        if self._output is None:
            return
        from pfverify.certificate.build import refused_ahead

        why = refused_ahead(self._source, problem)
        if why is not None:
            warn(f"no certificate will be written: {why}; the answer follows")

    def save(self, problem: Problem, result: Provable) -> None:
        """Write the certificate of a verdict, of all scales, or of a curve.

        Nothing is written where the verdict or the minimum is undecided, and where the kernel takes
        no certificate, for which `code` has the reason.
        """
        if self._output is None:
            return
        from pfverify.certificate.checking import CertificateError

        try:
            if self._changed:
                self._save_both(Path(f"{self._output}.toml"), problem, result)
            else:
                self._write(self._source, problem, result)
        except CertificateError as refused:
            self._refused = refused

    def _write(self, path: Path, problem: Problem, result: Provable) -> bool:
        return write_answer(Path(str(self._output)), path, problem, result, attest=self._attest)

    def _save_both(self, path: Path, problem: Problem, result: Provable) -> None:
        """The certificate and then the problem, which is as in the source but for its numbers."""
        from tempfile import TemporaryDirectory

        from pfverify.model.changed_file import write_changed

        with TemporaryDirectory(prefix="pfverify-") as folder:
            copy = Path(folder) / path.name
            write_changed(copy, self._source, problem)
            if self._write(copy, problem, result):
                write_changed(path, self._source, problem)
                warn(f"wrote {path}, the problem that {self._output} is about")

    def code(self, code: int) -> int:
        """Return the code of an answer that stands, where its certificate was refused 3 at least.

        Then a line on standard error says why.
        Example: ``AskedCertificate(None, Path("census.toml")).code(0)`` is ``0``.
        """
        if self._refused is None:
            return code
        warn(str(self._refused))
        return several_code((code, EXIT_UNDECIDED))
