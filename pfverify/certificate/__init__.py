"""Certificates: built from verdicts, written whole or not at all, checked by the kernel."""
