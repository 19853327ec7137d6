"""Decisions for priors with densities: Gaussians, their mixtures, and Gaussian noise."""
