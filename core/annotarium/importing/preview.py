"""Preview of an import: the decisions on its batches and a summary of each document, without writing anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.holdout import SPLIT_FIELD, split_from_metadata_value
from annotarium.content.labels import missing_labels
from annotarium.importing.document_preparation import PreparedDocument
from annotarium.importing.import_resolution import ImportItem, resolve_import_batch
from annotarium.importing.outcome import IMPORTED, Outcome
from annotarium.importing.writer import label_keys

EXCERPT_LENGTH = 200
"""Code points of a text that are shown."""
MAX_LABELS_LISTED = 100


@dataclass
class ImportPreview:
    """What the batches so far would have done.

    Attributes:
        added: documents that would be new.
        labels: texts of the labels that would be created, by name.
        sums: characters, segments, annotations and categories of what would be written.
        parts: number of documents whose metadata assign them to the `train` or the `test` part.
        empty_lists: documents that would be written with an empty list of labels of undefined meaning.
    """

    added: int = 0
    labels: dict[str, str] = field(default_factory=dict)
    sums: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)
    empty_lists: int = 0

    def add_batch(self, call: ProjectCall, batch: Sequence[ImportItem], texts: Set[int] | None = None) -> list[Outcome]:
        """Decide on a batch as `write_documents` would, without writing. Returns one outcome per item, in order."""
        resolution = resolve_import_batch(call, batch, texts=texts, already_added=self.added)
        self.labels = missing_labels(call.session, call.project, label_keys(resolution.to_insert), self.labels)
        self.added += sum(one.outcome == IMPORTED for one in resolution.outcomes)
        self.empty_lists += sum(one.reviewed is None for one in resolution.to_insert)
        for one in resolution.to_insert:
            self.sums.update({name: value for name, value in document_summary(one).items() if isinstance(value, int)})
            part = split_from_metadata_value(one.metadata.get(SPLIT_FIELD))
            if part is not None:
                self.parts[part] += 1
        return [
            replace(outcome, facts=document_summary(line.document))
            for line, outcome in zip(batch, resolution.outcomes, strict=True)
        ]

    def result(self) -> dict[str, Any]:
        """Return the preview as the job's result: sums, the first `MAX_LABELS_LISTED` new labels and their number."""
        named = list(self.labels.values())
        labels = {"newLabels": named[:MAX_LABELS_LISTED], "newLabelCount": len(named)}
        sums = {"dryRun": True, **self.sums, **labels, "emptyLists": self.empty_lists}
        return sums | ({"parts": dict(self.parts)} if self.parts else {})


def document_summary(document: PreparedDocument) -> dict[str, Any]:
    """Return title, first characters and counts of a document."""
    return {
        "title": document.title,
        "start": document.text[:EXCERPT_LENGTH],
        "characters": len(document.text),
        "segments": len(document.segments),
        "annotations": len(document.annotations),
        "categories": len(document.categories),
    }
