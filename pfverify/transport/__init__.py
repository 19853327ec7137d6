"""Transport plans between priors, in exact integers."""
