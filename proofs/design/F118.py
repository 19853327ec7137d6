"""F118: the divergence of order 1, the integral of p log(p/q): its terms, and what bounds them.

With p/q = e^w a term p log(p/q) = q w e^w is at least p - q, and at most p (p/q)^d / d for every
d > 0; so outputs that are left out add at least minus their q, and at most 1/d of their share of R
of the order 1 + d (for d = 1 with all that F92 and F117 say of order 2). Around a place, with s and
t of F91, the log ratio is that there and log(1 + s T) - log(1 + t T), whose coefficients are those
of a geometric series over k; on |T| = r each logarithm is at most -log(1 - r) in size (open: to
compare coefficients, and Cauchy's bound of them). Weights c and d times p and q have the sum c D +
c log(c/d): so masses need not be known. Of two normal laws, of variances v and w and means that are
x apart, (x^2 + v - w)/(2 w) - log(v/w)/2 is what their second moments make of it (open).

Symbols:
w: the log ratio of an output
d: any number > 0
s, t: as in F91
T: a place
"""
from pfverify.proof.language import *

w = constants("w")
s, t = constants("s t")
d = positive("d")
T = variables("T")
least = exp(w) - 1 <= w * exp(w)
most = w <= (exp(d * w) - 1) / d
share = w * exp(w) <= exp((1 + d) * w) / d
slope = implies(-1 < T and T < 1, derivative(log(1 + s * T) - log(1 + t * T), T)
                == s / (1 + s * T) - t / (1 + t * T))

Claim(
    id="F118", source=paper("design", "F118"), result=PROVED,
    words="With p/q = e^w: w e^w is at least e^w - 1, and at most e^((1+d) w)/d; and the log ratio "
          "around a place has the slope s/(1 + s T) - t/(1 + t T)",
    printed=proved(
        given={"s": -1 <= s and s <= 1, "t": -1 <= t and t <= 1},
        example=instance(w=1, d=2, s=1/2, t=-1),
        statement=least and share and slope,
        steps=[
            step("down", 1 - w <= exp(-w), arithmetic()),
            step("least", least, arithmetic("down")),
            step("up", 1 + d * w <= exp(d * w), arithmetic()),
            step("most", most, arithmetic("up")),
            step("times", w * exp(w) <= exp(w) * (exp(d * w) - 1) / d, arithmetic("most")),
            step("share", share, arithmetic("times")),
            step("positive", implies(-1 < T and T < 1, 1 + s * T > 0 and 1 + t * T > 0),
                 arithmetic("s", "t")),
            step("slope", slope, arithmetic("positive")),
            step("all", least and share and slope, arithmetic("least", "share", "slope")),
        ],
    ),
    breaks=[edit("drop s", "positive"), edit("drop t", "positive")],
)
