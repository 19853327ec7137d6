"""Correlated records: the laws of what is released of a Markov chain, exactly."""
