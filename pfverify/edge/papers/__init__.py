"""Tables of papers, as data with the printed numbers, and what recomputes them."""
