"""Shares of projects with users and groups, and ownership of projects."""
