"""First questions in place of a first file: what is asked, what is made of the answers."""
