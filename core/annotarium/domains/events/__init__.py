"""Live events as clients reach them."""
