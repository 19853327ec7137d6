"""Atoms with Laplace or discrete Laplace noise: sums of exponentials, decided at the atoms."""
