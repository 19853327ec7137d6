"""Inequalities written out with their numbers, so that a person can redo them by hand."""
