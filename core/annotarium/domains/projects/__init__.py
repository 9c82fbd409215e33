"""Projects: list, creation, settings, deletion, archives."""
