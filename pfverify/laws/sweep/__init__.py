"""Sums over the atoms on either side of a place, with the decay of exponential noise: in floats,
balls, integers and exact sums."""
