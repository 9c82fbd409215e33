"""Users: accounts, profiles, roles, permissions and groups."""
