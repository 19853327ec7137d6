"""The facts that rules name, in the order in which an answer cites them.  Each has its proof."""

FACTS = {
    "F1": "the ratio of releases is extremal at atoms (F1)",
    "F12": "discrete Laplace has the ratios of Laplace at lattice points (F12)",
    "F3": "exact zero test of exponential sums (F3)",
    "F4": "closed form of the hockey-stick divergence (F4)",
    "F4L": "lattice sums of the hockey-stick divergence (F12)",
    "F4b": "the excess is convex between atoms where it is positive (F4b)",
    "F2": "monotonicity in the scale (F2: Laplace(theta') = Laplace(theta) + independent noise)",
    "DPI": "adding independent noise does not increase the divergence (data processing)",
    "INJ": "convolution with Laplace noise is injective",
    "SIGN": "one-sided sums are monotone where the difference's density has one sign (F5)",
    "CELL": "Taylor enclosures of the sign of the difference's density",
    "F6": "closed forms of the normal-Laplace law (F6)",
    "F7": "limits in the tails (F7)",
    "F8": "a wider normal law against a narrower one (F8)",
    "MIX": "a coupling of the components (joint convexity)",
    "F2G": "monotonicity in the scale (F2: N(0, s') = N(0, s) + independent noise)",
    "INJS": "convolution with the noise is injective",
    "TAIL": "the widest, outermost normal law dominates a tail",
    "MGF": "p <= e^epsilon q bounds the moment generating functions, strictly (gaussian noise)",
    "X": "no noise: the release is X itself",
}
