"""(7), (8): sums of independent normal variables, by one convolution at a time."""
from pfverify.proof.language import *

(s, t), (m, n, a) = positive("s t"), constants("m n a")
x, y, v, u = variables("x y v u")
r = sqrt(s**2 + t**2)
density = integral(normal_pdf(x, m, s) * normal_pdf(y - x, n, t), x, -oo, oo)
middle = m + s**2 * (y - m - n) / (s**2 + t**2)  # given the sum, X is N(middle, (s t / r)^2)
whole = normal_pdf(y, m + n, r) * normal_cdf(x, middle, s * t / r)
moved = integral(normal_pdf(v, m, s), v, -oo, y - a) == normal_cdf(y, a + m, s)  # a + X <= y
statement = density == normal_pdf(y, m + n, r) and moved
(i, j, k), (o, e, c) = indices("i j k", "K"), member("o e c", "K")  # o, ..., e: users after one
(mu, M), (var, V) = functions("mu M"), masses("var V")  # of user k, of the sum of users up to k
then = {m: M(k - 1), s: sqrt(V(k - 1)), n: mu(k), t: sqrt(var(k))}
both = V(u - 1) > 0 and V(u) > 0
next_sum = at(density, then) == normal_pdf(y, M(k), sqrt(V(k)))
sums = M(e) == M(o - 1) + total(mu(i), i) and V(e) == V(o - 1) + total(var(i), i)

Claim(
    id="G15", source=paper("gaussian-priors", "(7), (8)"), result=PROVED,
    open="that the density of a sum of independent variables is their convolution, its definition",
    words="The sum of independent N(m, s^2) and N(n, t^2) is N(m + n, s^2 + t^2), and a + N(m, "
          "s^2) is N(a + m, s^2): (7) and (8) follow, adding one user after the other",
    printed=proved(
        statement=statement,
        steps=[
            step("sum", density == normal_pdf(y, m + n, r), antiderivative(whole)),
            step("shift", moved, antiderivative(normal_cdf(v, m, s))),
            step("all", statement, arithmetic("sum", "shift")),
        ],
    ),
    tighter=proved(
        words="Any number of users: N(M(k), V(k)), M and V adding up means and variances, is the "
              "convolution of N(M(k - 1), V(k - 1)) and user k's law; at the end all have added",
        given={"users": is_chain([j, k], [o, e]), "spread": var(k) > 0,
               "one user": V(o - 1) > 0, "M": M(k) == M(k - 1) + mu(k),
               "V": V(k) == V(k - 1) + var(k)},
        example=instance(K=[1, 2], o=1, e=2, mu={"else": 2}, var={1: 1, 2: 1},
                         M={0: 1, 1: 3, 2: 5, "else": 0}, V={0: 1, 1: 2, 2: 3}),
        statement=next_sum and sums,
        steps=[
            step("o", at(both, {u: o}), arithmetic(
                "one user", use("V", {k: o}), use("spread", {k: o}))),
            step("both", at(both, {u: k}), induction("users", "o", k, both, u, c, [
                step("c", at(both, {u: c}), arithmetic(
                    "before", use("V", {k: c}), use("spread", {k: c}))),
            ])),
            step("convolution", at(density == normal_pdf(y, m + n, r), then),
                 antiderivative(at(whole, then), ["both", "spread"])),
            step("next", next_sum, arithmetic("convolution", "M", "V", "both", "spread")),
            step("mu", total(M(k), k) == total(M(k - 1) + mu(k), k), integrate("M", k)),
            step("var", total(V(k), k) == total(V(k - 1) + var(k), k), integrate("V", k)),
            step("all M", total(M(i) - M(i - 1), i) == M(e) - M(o - 1), theorem(
                "F10a", {"X": "K", "h": 1, "n": e, "a": j, "f": M}, "users")),
            step("all V", total(V(i) - V(i - 1), i) == V(e) - V(o - 1), theorem(
                "F10a", {"X": "K", "h": 1, "n": e, "a": j, "f": maps(u, V(u))}, "users")),
            step("all", next_sum and sums, arithmetic("next", "mu", "var", "all M", "all V")),
        ],
    ),
)
