"""Sign-in and sign-out; the first administrator."""
