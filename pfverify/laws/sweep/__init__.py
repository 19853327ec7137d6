"""Sums over the atoms on either side of a place, decayed as noise decays, in every arithmetic."""
