"""Statements as sympy objects, with their conditions, LaTeX, exact values and sources."""
