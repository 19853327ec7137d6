"""Chains too long for exact laws: the density under every secret enclosed in one sweep of time."""
