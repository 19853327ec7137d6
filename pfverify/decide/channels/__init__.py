"""Laws of masses over the named outputs of a finite channel."""
