"""Tables of points of curves, held to what is proved of the curve."""
