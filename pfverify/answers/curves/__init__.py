"""Whole curves between proved bounds: of delta, of tests, of a guess, of divergences."""
