"""A page on which scale and epsilon are moved between values that were decided."""
