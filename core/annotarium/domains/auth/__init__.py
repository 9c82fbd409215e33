"""Signing in and out, the first administrator."""
