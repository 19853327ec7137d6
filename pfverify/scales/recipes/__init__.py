"""The published and our own recipes for a noise scale: one table, one file per family."""
