"""Registers gazetteers as listeners of changes; `connect` is called in every process that writes."""

from __future__ import annotations

from annotarium.domains.gazetteers.label_uses import find_label_uses
from annotarium.domains.labels.service import label_use_query


def connect() -> None:
    """Listen to queries about labels that may be deleted; however often it is called."""
    label_use_query.connect(find_label_uses)
