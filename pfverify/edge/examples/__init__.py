"""Packaged problem files, each with its source; on the command line as ``example:NAME``."""
