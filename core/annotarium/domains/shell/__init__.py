"""What the web app requests first: the signed-in user, its configuration, and the health of the server."""
