"""What models learn from, besides the labelling that people give: texts, segments, split, label sets."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.db.signals import Signal

training_data_changed = Signal[[ProjectCall]]("training_data_changed")
"""A project has other documents, segments, parts or label sets than before; sent inside the transaction."""
