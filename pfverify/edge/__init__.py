"""Where the project meets people: command line, tables, packaged examples."""
