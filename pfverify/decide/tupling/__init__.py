"""The route of the tupling mechanism: a value hidden in an unordered tuple of dummies."""
