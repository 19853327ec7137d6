"""The Renyi divergence of two laws, against epsilon: one number for each normal form."""
