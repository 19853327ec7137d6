"""Systems of independent users: the priors of their sum are built, not typed."""
