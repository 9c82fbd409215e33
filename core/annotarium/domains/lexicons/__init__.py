"""Lexicons: named lists of terms."""
