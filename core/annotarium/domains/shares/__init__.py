"""Shares of projects with users and groups, and their ownership."""
