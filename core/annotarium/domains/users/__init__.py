"""Users: accounts, their profile, roles, permissions and groups."""
