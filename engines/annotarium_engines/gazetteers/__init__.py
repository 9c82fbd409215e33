"""Gazetteers: find the terms of lexicons in texts."""
