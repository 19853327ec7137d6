"""Noise scales: every published recipe, each decided, and the certified minimum."""
