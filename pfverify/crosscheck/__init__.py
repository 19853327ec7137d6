"""Other people's implementations against the exact answer: cases, judges, shrinking, vectors."""
