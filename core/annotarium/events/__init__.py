"""Live events: from a commit in any process to the sockets of those who may see them."""
