"""Correlated records: the law of a sum over the nodes of a Bayesian network, exactly."""
