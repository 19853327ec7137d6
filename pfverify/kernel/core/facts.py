"""The facts that rules name, in the order in which an answer cites them.

Each is named after its proof, a file of proofs/design.  These stand without one:

    CELL: a computation (Taylor's theorem, with a remainder that `density` encloses)
    INJS: a theorem of analysis (the transform of a law determines it; that of the noise has no 0)
    TABLE: a definition (P(Y = y) is the sum over x of P(x) w_x(y - x))
    X: a definition (Y = X)

What a file leaves open it says itself, after `open`: F3b (of F3), F40l, F42, F42b, F43i, F61,
F75, MGF.
"""

FACTS = {
    "F1": "the ratio of releases is extremal at atoms (F1)",
    "F12": "discrete Laplace has the ratios of Laplace at lattice points (F12)",
    "F3": "exact zero test of exponential sums (F3)",
    "F4": "closed form of the hockey-stick divergence (F4)",
    "F4L": "lattice sums of the hockey-stick divergence (F4L)",
    "F4b": "the excess is convex between atoms where it is positive (F4b)",
    "F77": "chances of choices among numbers with Laplace or exponential noise (F77)",
    "F82": "sums of log-concave integrands with Gaussian noise (F82)",
    "F84": "pairs that a permutation takes to each other are alike (F84)",
    "F83": "proportions of weights with Gumbel noise (F83)",
    "F77b": "chances of choices among numbers with discrete Laplace noise (F77b)",
    "F45": "masses of cells of Laplace noise (F45, of half lines F45f)",
    "F45e": "masses of cells of discrete Laplace noise (F45e)",
    "F45d": "to merge cells beyond all atoms changes nothing (F45d)",
    "F49": "sums over all turns of wrapped Laplace noise (F49)",
    "F2": "monotonicity in the scale (F2: Laplace(theta') = Laplace(theta) + independent noise)",
    "DPI": "what is made of an output alone tells no more (data processing)",
    "INJ": "convolution with Laplace noise is injective",
    "F5": "one-sided sums are monotone where the difference's density has one sign (F5)",
    "CELL": "Taylor enclosures of the sign of the difference's density",
    "F6": "closed forms of the normal-Laplace law (F6)",
    "F7": "limits in the tails (F7)",
    "F8": "a wider normal law against a narrower one (F8)",
    "MIX": "a coupling of the components (joint convexity)",
    "F2G": "monotonicity in the scale (F2G: N(0, s') = N(0, s) + independent noise)",
    "INJS": "convolution with the noise is injective",
    "TAIL": "the widest, outermost normal law dominates a tail",
    "MGF": "p <= e^epsilon q bounds the moment generating functions, strictly (gaussian noise)",
    "TABLE": "the law of X with the noise of the table, exactly",
    "F48h": "the last atom with a difference dominates a tail of discrete gaussian noise (F48h)",
    "F48i": "a bound of what discrete gaussian noise has beyond a distance (F48i)",
    "F40": "releases of one X with Laplace noise are made of one of their rates' sum (F40)",
    "F40k": "more discrete Laplace noise, or releases of one X, show no more than one (F40k)",
    "F40l": "releases of one X with Laplace noise, with a delta, show no more than that one (F40l)",
    "F41": "releases of one X with gaussian noise are one of their precisions' sum (F41)",
    "F42": "the ratio of releases of points is extremal on the grid of their coordinates (F42)",
    "F42b": "sums on the grid bound the divergence from both sides (F42b)",
    "F43": "the losses of independent releases add (F43)",
    "F43d": "each coordinate adds at most its range over its scale (F43d)",
    "F43f": "no step hides a number of an interval that it leaves as it is (F43f)",
    "F43g": "no step hides a lattice point that shares its output with no neighbour (F43g)",
    "F43h": "an excess of P over e^epsilon Q is one of the log ratio (F43h)",
    "F43i": "what fails for a sum fails where the rest moves it past all steps (F43i)",
    "F44": "monotonicity in the scale of each coordinate or release (F44)",
    "F60": "the ratio of a family is extremal for members with most or least mass at an atom (F60)",
    "F61": "averages of laws meet what all pairs of extreme ones meet (F61)",
    "F62": "an end of a confidence interval of a count fails as seldom as is stated (F62)",
    "F62c": "confidence intervals of counts hold together (F62c)",
    "F63": "one W-infinity ball has most density, another least, at finitely many outputs (F63)",
    "F70": "a factor with more divergence at every E gives its product more (F70)",
    "F71": "masses of a loss bound a divergence that they bound at their levels (F71)",
    "F72": "labels of the outputs bound a divergence from below (F72)",
    "F73": "losses on a grid add up like powers of polynomials (F73)",
    "F74": "mixtures diverge at most as the atoms of a coupling on average (F74)",
    "F75": "points on a line with normal noise are told apart by one number (F75)",
    "F76": "a monotone ratio of masses stays monotone under normal noise (F76)",
    "F80": "masses of truncated discrete Laplace noise (F80)",
    "F81": "Laplace noise in a window is that of other masses of the atoms (F81)",
    "X": "no noise: the release is X itself",
}
