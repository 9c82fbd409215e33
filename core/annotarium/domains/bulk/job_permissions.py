"""The permission that each kind of job needs: when it starts, while it runs and when it is undone."""

from __future__ import annotations

JOB_PERMISSIONS = {
    "annotate_corpus": "annotateCorpus",
    "tag_found": "modifyMetadata",
    "categorise_found": "annotateCorpus",
    "delete_found": "deleteDocuments",
    "delete_labelling_found": "annotateCorpus",
    "clear_labelling": "annotateCorpus",
    "propagate_annotation": "annotateCorpus",
    "propagate_category": "annotateCorpus",
    "delete_labels": "writeLabel",
    "merge_labels": "writeLabel",
    "move_labelling": "writeLabel",
    "move_labels": "writeLabel",
    "delete_relation_name": "writeLabel",
    "import_documents": "importDocuments",
    "import_questions": "importDocuments",
}
"""Job function -> permission. Only these jobs can be undone."""
