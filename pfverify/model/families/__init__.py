"""Families of laws, every one of which may be the prior of a secret."""
