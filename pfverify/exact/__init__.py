"""Exact numbers: the one door for text, exponential sums with a zero test, rigorous balls."""
