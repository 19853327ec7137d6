"""What is asked of a problem, and its answers: here decimals are written."""
