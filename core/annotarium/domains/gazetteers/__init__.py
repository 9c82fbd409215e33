"""Gazetteers: annotators built from the terms of lexicons."""
