"""Calls hooks of plugins: `get_hooks().call("documents_imported", project=..., document_ids=..., job_id=...)`."""

from annotarium.hooks.manager import Hooks, get_hooks

__all__ = ["Hooks", "get_hooks"]
