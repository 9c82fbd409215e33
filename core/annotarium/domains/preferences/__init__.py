"""What a person chose for a project: kept on the server, so that it is there on every machine."""
