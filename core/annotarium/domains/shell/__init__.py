"""What the studio asks before anything else: who is signed in, how it is configured, whether the server is well."""
