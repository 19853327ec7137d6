"""From a file of records to a problem: reading, conditions, fits, and what came out."""
