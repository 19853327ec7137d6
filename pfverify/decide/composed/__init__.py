"""Independent releases with a delta, from above and from below: losses on a grid, in integers."""
