"""Corollary 2: the mean of the shifts is not enough, the largest of them is."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
y, u, v = variables("y u v")
m, z = indices("m", "M"), indices("z", "Z")
alpha, g = masses("alpha g")
mu, nu, sigma = functions("mu nu sigma")
E, shift = exp(epsilon), abs(mu(m) - nu(m))
near = exp(-abs(y - mu(m) - sigma(m) * z) / b)  # a total over z stands for the mean over any law
far = exp(-abs(y - nu(m) - sigma(m) * z) / b)
p, q = total(alpha(m) * g(z) * near, m, z), total(alpha(m) * g(z) * far, m, z)
# the chance that N(u, v^2) plus the noise is above y, as in F6
above = normal_tail(y, u, v) + exp(v**2 / (2 * b**2)) / 2 * (
    exp((u - y) / b) * normal_cdf((y - u) / v - v / b)
    - exp((y - u) / b) * normal_cdf((u - y) / v - v / b))
p_above = total(alpha(m) * at(above, {u: mu(m), v: sigma(m)}), m)
q_above = total(alpha(m) * at(above, {u: nu(m), v: sigma(m)}), m)
tails = total(alpha(m) * exp(nu(m) / b), m) <= E * total(alpha(m) * exp(mu(m) / b), m)

Claim(
    id="G26", source=paper("gaussian-priors", "Corollary 2"), result=REPAIRED,
    words="Mixtures whose components move without changing their shape need the scale "
          "sum alpha_m |mu_im - mu_jm| / epsilon",
    printed=refuted(
        words="Means (0, 0) and (1, 3), sigma = 1, e^epsilon = 4: outputs above 5 exceed their "
              "bound by 0.019; far out the ratio is that of the means of e^(X/b), 5 for any sigma",
        given={"weights": total(alpha(m), m) == 1, "all move": mu(m) != nu(m),
               "(15)": b * epsilon >= total(alpha(m) * shift, m)},
        statement=q_above <= E * p_above + 19/1000 or tails, at={y: 5},
        instance=instance(M=[1, 2], alpha={1: 1/2, 2: 1/2}, mu={}, nu={1: 1, 2: 3},
                          sigma={1: 1, 2: 1}, epsilon=log(4), b="1/log(2)"),
    ),
    corrected=proved(
        words="The scale max |mu_im - mu_jm| / epsilon gives both orders at every output",
        given={"largest": b * epsilon >= shift},
        example=instance(M=[1, 2], Z=[0, 1], g={0: 1/2, 1: 1/2}, alpha={1: 1/2, 2: 1/2}, mu={},
                         nu={1: 1, 2: 3}, sigma={1: 1, 2: 1}, b=3, epsilon=1),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("exponent", shift / b <= epsilon, arithmetic("largest")),
            step("kernel", near <= E * far, arithmetic("exponent")),
            step("back", far <= E * near, arithmetic("exponent")),
            step("p <= q", p <= E * q, integrate("kernel", m, z, weight=alpha(m) * g(z))),
            step("q <= p", q <= E * p, integrate("back", m, z, weight=alpha(m) * g(z))),
            step("both", p <= E * q and q <= E * p, arithmetic("p <= q", "q <= p")),
        ],
    ),
)
