"""Atoms with discrete Gaussian noise: sums over a window of the lattice, with bounded tails."""
