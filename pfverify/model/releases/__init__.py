"""What is published of X."""
