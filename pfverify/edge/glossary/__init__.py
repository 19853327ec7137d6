"""The words of the toolkit and of the field, each with its definition, formula and source."""
