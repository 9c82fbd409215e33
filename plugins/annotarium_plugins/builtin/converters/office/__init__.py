"""Readers of office files, one module per format. They return blocks of text, which the converters turn into
documents.
"""
