"""One file per command: it reads options, asks the library, shows the answer, returns a code."""
