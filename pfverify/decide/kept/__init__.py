"""Laplace noise whose density the steps keep in part: intervals of density, and single outputs."""
