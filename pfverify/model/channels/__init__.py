"""Finite channels: what every kind says of itself, and a file per kind or family."""
