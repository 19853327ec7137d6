"""Corollary 1 (a): hiding whether a user is there.

Totals stand for means over the sum of the other users and over the user's own value.
"""
from pfverify.proof.language import *

b, epsilon, v = positive("b epsilon v")  # v: the variance of user k
M, mu, tau, S = constants("M mu tau S")  # S: the variance of the others' sum, 0 if there are none
y = variables("y")
x, z = indices("x", "X"), indices("z", "Z")
others, user = masses("others user")
E, change = exp(epsilon), sqrt(S + v) - sqrt(S)
scale_9 = (abs(mu) + change * tau) / epsilon
scale_5 = (abs(M + mu - M) + abs(sqrt(S + v) - sqrt(S)) * tau) / epsilon
far, near = exp(-abs(y - x - z) / b), exp(-abs(y - x) / b)
there, gone = total(others(x) * user(z) * far, x, z), total(others(x) * near, x)
both = there <= E * gone and gone <= E * there
slow, fast = exp(-abs(z) / b), exp(abs(z) / b)

Claim(
    id="G16", source=paper("gaussian-priors", "Corollary 1 (a)"), result=PROVED,
    words="(9) is the scale (5) of Theorem 1 for N(M, S) against N(M + mu_k, S + sigma_k^2), the "
          "sum without and with user k, so it gives (epsilon, delta)-privacy by G07",
    printed=proved(
        given={"S": S >= 0}, example=instance(S=0, v=1, epsilon=1, M=0, mu=1, tau=1),
        statement=scale_9 == scale_5,
        steps=[step("grows", sqrt(S) <= sqrt(S + v), arithmetic("S")),
               step("all", scale_9 == scale_5, arithmetic("grows"))],
    ),
    tighter=proved(
        words="With delta = 0, for any laws: if E e^(|Z_k|/b) <= e^epsilon, both orders hold",
        given={"moment": total(user(z) * fast, z) <= E, "law": total(user(z), z) == 1},
        example=instance(b=1, epsilon=2, X=[0], others={0: 1}, Z=[0, 1], user={0: 1/2, 1: 1/2}),
        statement=both,
        steps=[
            step("triangle", far <= near * fast, arithmetic()),
            step("triangle back", near * slow <= far, arithmetic()),
            step("tangent", 2 / E - fast / E**2 <= slow, arithmetic()),
            step("with", there <= gone * total(user(z) * fast, z),
                 integrate("triangle", x, z, weight=others(x) * user(z))),
            step("without", gone * total(user(z) * slow, z) <= there,
                 integrate("triangle back", x, z, weight=others(x) * user(z))),
            step("Jensen", 2 / E * total(user(z), z) - total(user(z) * fast, z) / E**2
                 <= total(user(z) * slow, z), integrate("tangent", z, weight=user(z))),
            step("positive", 0 <= near, arithmetic()),
            step("gone", 0 <= gone, integrate("positive", x, weight=others(x))),
            step("kept", 1 <= E * total(user(z) * slow, z), arithmetic("Jensen", "moment", "law")),
            step("both", both, arithmetic("with", "without", "moment", "kept", "gone")),
        ],
    ),
)
