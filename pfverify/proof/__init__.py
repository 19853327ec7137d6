"""Claims checked step by step: the language of the files in proofs/, its rules and its checker."""
