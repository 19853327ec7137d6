"""Verdicts: certified, refuted or undecided, never by a float, a tolerance or a grid."""
