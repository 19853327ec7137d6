"""One module per form of output; each draws views and knows nothing about results."""
