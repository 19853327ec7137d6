"""Statements of certificates as theorems in Coq: the text, the theory they need, and coqc."""
