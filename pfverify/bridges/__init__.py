"""From what another library states to a problem, and back to the numbers that it expects.

One module for each library, which is imported only where it is asked for.
"""
