"""Metrics: counts of a project for the dashboard."""
