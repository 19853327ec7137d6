"""A report: what was decided about a problem as one page that its reader needs no program for."""
