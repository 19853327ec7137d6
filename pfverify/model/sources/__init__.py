"""Where the laws of X come from."""
