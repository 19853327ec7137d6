"""Which of several noisy numbers is published: what is stated, and how likely each choice is."""
