"""Pictures of answers: drawn from floats, in the terminal or to a file. They decide nothing."""
