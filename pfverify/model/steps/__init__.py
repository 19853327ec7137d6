"""Steps that follow the noise: what is published is made of the noisy number."""
