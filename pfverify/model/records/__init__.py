"""From records to a problem: cells, their coding, counts and laws, and the table of a problem."""
