"""Somebody's sampler against the exact law: exact binomial tests on sets chosen beforehand."""
