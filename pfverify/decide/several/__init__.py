"""Many releases of one quantity: what is known of one of them decides most of it."""
