"""(11): the scale (9) for identical users."""
from pfverify.proof.language import *

K, sigma, epsilon = positive("K sigma epsilon")
mu, tau = constants("mu tau")
others = (K - 1) * sigma**2  # the variance of the K - 1 other users' sum
scale_9 = (abs(mu) + (sqrt(others + sigma**2) - sqrt(others)) * tau) / epsilon
scale_11 = (abs(mu) + (sqrt(K) - sqrt(K - 1)) * sigma * tau) / epsilon

Claim(
    id="G20", source=paper("gaussian-priors", "(11)"), result=PROVED,
    words="For K users with mean mu and variance sigma^2 each, the scale (9) is "
          "(|mu| + (sqrt(K) - sqrt(K-1)) sigma tau*)/epsilon",
    printed=proved(
        given={"users": K >= 1},
        example=instance(K=2, sigma=1, epsilon=1, mu=1, tau=1),
        statement=scale_9 == scale_11,
        steps=[
            step("all others", sqrt(others) == sqrt(K - 1) * sigma, arithmetic("users")),
            step("all users", sqrt(others + sigma**2) == sqrt(K) * sigma, arithmetic("users")),
            step("scale", scale_9 == scale_11, arithmetic("all others", "all users")),
        ],
    ),
    breaks=[
        edit("drop users", "all others"),
        edit("others = K * sigma**2", "all others",
             instance(K=1, sigma=1, epsilon=1, mu=1, tau=1)),
    ],
)
