"""Shared by the converters: bounded readers of archives and XML, error messages, and a text builder that records
offsets.
"""
