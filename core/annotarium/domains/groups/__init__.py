"""Groups of users: limits, roles for new users, the projects they own."""
