"""Readers of office files, one module a format. Each gives blocks of text; the converters make documents of them."""
