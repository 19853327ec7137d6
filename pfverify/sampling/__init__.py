"""Exact draws: integers from random bits alone, which follow the law that was certified."""
