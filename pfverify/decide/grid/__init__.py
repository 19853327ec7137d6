"""Several numbers with Laplace noise on each: the grid of their coordinates decides."""
