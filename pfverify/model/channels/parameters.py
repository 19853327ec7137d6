"""Parameters of mechanisms, read exactly: a budget, a chance, powers of e."""

from __future__ import annotations

from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.number import Number, printable
from pfverify.model.channels.entries import Entry, as_number, folded, product


def checked_budget(value: object) -> Number:
    """Return an exact epsilon >= 0; InputError that begins with "epsilon".

    Example: ``checked_budget("log(3)").text`` is ``"log(3)"``.
    """
    epsilon = printable(value, "epsilon")
    sign = epsilon.sign()
    if sign is None:
        raise InputError(f"epsilon: cannot decide whether {shorten(epsilon.text)} is >= 0")
    if sign < 0:
        raise InputError(f"epsilon: {shorten(epsilon.text)} is negative, expected a number >= 0")
    return epsilon


def checked_chance(value: object, where: str) -> Number:
    """Return an exact number in [0, 1]; InputError that begins with `where`.

    Example: ``checked_chance("3/2", "truth")`` raises.
    """
    chance = printable(value, where)
    low, high = chance.sign(), (Number.of_rational(1) - chance).sign()
    if low is None or high is None:
        raise InputError(f"{where}: cannot decide whether {shorten(chance.text)} is in [0, 1]")
    if low < 0 or high < 0:
        raise InputError(f"{where}: {shorten(chance.text)} is outside [0, 1]")
    return chance


_ONE = ExpSum.constant(1)
_PLAIN = 10**6  # rational exponents below it need no test of their size


def power_of_e(epsilon: Number, factor: Entry) -> Entry:
    """Return e**(epsilon * factor), folded; InputError where it is too large to work with.

    Example: ``power_of_e(Number.parse("log(3)"), Fraction(-2))`` is ``1/9``.
    """
    value = product(folded(epsilon), factor)
    if isinstance(value, Fraction) and abs(value) < _PLAIN:  # at once: it is rational at 0 alone
        return _plain_power(value)
    try:
        return folded(as_number(value).exp())
    except InputError as error:
        raise InputError(f"epsilon: {error}") from None


def _plain_power(value: Fraction) -> Entry:
    if not value:
        return Fraction(1)
    exponent = Exponent.rational(value)
    inside = Number(("rational", value), exponent)
    power = ExpSum.power(exponent)
    return Number(("exp", inside.tree), ratio=(power, _ONE), operands=(inside,))
