"""W-infinity balls of priors with Laplace noise: most of one density against least of the other."""
