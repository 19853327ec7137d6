"""What results say: one view per kind of result, in sentences and rows that renderers draw."""
