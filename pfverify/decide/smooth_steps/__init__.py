"""Steps after a number with a density of normal laws: the cells of a chart of the bare number."""
