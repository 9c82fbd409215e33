"""Per-project preferences of a user, stored on the server so that they follow the user to other machines."""
