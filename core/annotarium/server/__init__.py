"""Starts, watches and stops the processes of an installation, and runs its periodic tasks."""
