"""Algorithm 1 can return more than twice the noise parameter it is to approximate."""
from pfverify.proof.language import *

theta, E = positive("theta E")
x = indices("x", "X")
pi = masses("pi")
P, Q = {1: 99/100, 6: 1/100}, {0: 1}

Claim(
    id="N22", source=paper("noise-reduction", "Proposition 3.3 (2)"), result=REFUTED,
    open="what 'approximates' means is not printed: here a factor of 2",
    words="Algorithm 1 approximates the root of f, within a factor of 2 at least",
    printed=refuted(
        statement=total(pi(x, 0) * (exp(abs(x) / (theta / 2)) - E), x) >= 0,
        instance=instance(E=64, X=[0, 1, 6], pi=plan(P, Q), theta=algorithm_1_scale(P, Q, 64)),
        words="f is already negative at half of the output, so the root is smaller still",
    ),
    breaks=[
        edit("P = {6: 1}", "the counterexample"),
        edit("P = {1: 1/2, 6: 1/2}", "the counterexample"),
    ],
)
