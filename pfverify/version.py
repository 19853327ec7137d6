"""The version of the package, for whatever names the program that made a file."""

__version__ = "0.1.0"
