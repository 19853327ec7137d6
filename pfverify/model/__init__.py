"""Priors, noises, beliefs and problems as exact data. No verdicts here."""
