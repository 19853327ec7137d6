"""Laplace noise whose steps leave many single outputs: cells of the line, worked out in arrays."""
