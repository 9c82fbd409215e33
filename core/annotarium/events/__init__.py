"""Live events: from a commit in any process to the WebSockets of the users who may see them."""
