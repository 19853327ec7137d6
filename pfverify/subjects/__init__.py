"""Other people's ways of computing what pfverify decides: what `crosscheck` holds to the truth.

Nothing here decides anything, and nothing here is exact unless it says so. Each function has a
signature of `crosscheck`; `registry.SUBJECTS` names them all.
"""
