"""The law of a release, once: density, mass and distribution function, exact and in balls."""
