"""From records to a problem: files and rows, cells and their coding, counts, laws and the table."""
