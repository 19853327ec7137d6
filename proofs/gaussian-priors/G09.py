"""Below (20) and Figure 5: the Lambert function gives a bound for tau*, not its value.

(22) and (23) both have the solution t of t^2 e^(t^2) = 2/(pi delta^2), that is delta = 2 phi(t)/t.
"""
from pfverify.proof.language import *

t = positive("t")
delta = 2 * normal_pdf(t) / t
lambert = t**2 * exp(t**2) == 2 / (PI * delta**2)
low, high, w_low, w_high = 67448/100000, 67449/100000, 98367/100000, 98368/100000
numbers = (normal_tail(low) > 1/4 and normal_tail(high) < 1/4
           and w_low**2 * exp(w_low**2) < 8 / PI and 8 / PI < w_high**2 * exp(w_high**2))

Claim(
    id="G09", source=paper("gaussian-priors", "Figure 5"), result=REPAIRED,
    words="The value of tau*(delta) is the one that (22) gives by the Lambert function",
    printed=refuted(
        words="t = 1, delta = 2 phi(1) = 0.4839: Q(1) is 0.1587, not delta/2",
        statement=normal_tail(t) == delta / 2, instance=instance(t=1),
    ),
    corrected=proved(
        words="At every delta it is more than tau*: Q there is less than delta/2",
        statement=lambert and normal_tail(t) < delta / 2,
        steps=[
            step("Lambert", lambert, identity()),
            step("(21)", normal_tail(t) < delta / 2, theorem("G33")),
        ],
    ),
    tighter=proved(
        words="At delta = 1/2 tau* is 0.67448..., the Lambert value 0.98367...",
        statement=numbers, steps=[step("numbers", numbers, enclosure())],
    ),
    breaks=[edit("delta = normal_pdf(t) / t", "Lambert", instance(t=1))],
)
