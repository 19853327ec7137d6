"""Atoms without noise: the masses themselves are compared."""
