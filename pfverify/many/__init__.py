"""Many questions at once: processes instead of one, and answers as plain data between them."""
