"""Runs a trained annotator or plan on documents of a request and on the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.bulk_count_and_delete import RangesByDocument
from annotarium.content.labelling.changes import history_entity_of_row, history_snapshot_of_row, write_history
from annotarium.content.plans.active import plan_of
from annotarium.content.plans.plan_annotator import PlanAnnotator
from annotarium.content.plans.runner import plan_runner_for
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Annotation, Category, Experiment, Gazetteer, Label, Plan, Suggester
from annotarium.db.row_marks import mark_modified
from annotarium.domains.annotators import repository
from annotarium.domains.gazetteers.service import GazetteerAnnotator, load_gazetteer
from annotarium.domains.trainables.examples import Example
from annotarium.registry.model_store import load_learner
from annotarium_plugins.base.learner import Learner
from annotarium_schemas.documents import Annotation as InAnnotation
from annotarium_schemas.documents import Category as InCategory
from annotarium_schemas.documents import Document

Mark = TypeVar("Mark", InAnnotation, InCategory)
BATCH_CHARACTERS = 200_000
"""Characters after which a batch ends: a dictionary may find a term in every tenth of them."""


Predictor = Learner[Any] | PlanAnnotator | GazetteerAnnotator
"""What annotates: a trained learner, the steps of a plan, or the terms of lexicons."""


def load_annotator(call: ProjectCall, annotator: Experiment | Suggester | Gazetteer | Plan) -> Predictor:
    """Load the trained learner of an annotator, the runner of a plan, or the matcher of a gazetteer.

    Args:
        call: a call in the annotator's project.
    """
    if isinstance(annotator, Plan):
        return PlanAnnotator(plan_runner_for(call, plan_of(annotator)))
    if isinstance(annotator, Gazetteer):
        return load_gazetteer(annotator)
    kind = "experiment" if isinstance(annotator, Experiment) else "suggester"
    return load_learner(annotator.project_id, kind, annotator.id)


def annotate(tool: Predictor, documents: Iterable[Document], language: str) -> Iterator[Document]:
    """Yield the documents with the predictions added to the labelling they have."""
    if isinstance(tool, PlanAnnotator):
        yield from tool.run(documents, language)
        return
    given = list(documents)
    bare = [document.model_copy(update={"annotations": [], "categories": []}) for document in given]
    for document, predicted in zip(given, tool.predict(bare, language), strict=True):
        found: list[InAnnotation | InCategory] = [*predicted.annotations, *predicted.categories]
        for one in found:
            one.creation_mode = one.creation_mode or "automatic"
        yield document.model_copy(
            update={
                "annotations": [*document.annotations, *predicted.annotations],
                "categories": [*document.categories, *predicted.categories],
            }
        )


def rename_predicted_labels(document: Document, names: Mapping[str, str]) -> Document:
    """Rename the labels of a document's automatic categories in place; returns the document.

    Args:
        names: label names by predicted name; other names stay.
    """
    for one in document.categories:
        if one.creation_mode == "automatic":
            one.label_name = names.get(one.label_name or "", one.label_name)
    return document


def document_to_json(document: Document, labels: dict[str, Label], options: dict[str, Any]) -> dict[str, Any]:
    """Serialise an `AnnotatedDocument`.

    Args:
        labels: labels of the project, by name.
        options: `inlineLabels`, `inlineLabelIds`, `inlineText`: which fields annotations and categories have.
    """
    body = document.model_dump(mode="json", by_alias=True, exclude_none=True)
    for item in (*body["annotations"], *body["categories"]):
        _add_label_fields(item, labels, options)
    return body


def _add_label_fields(item: dict[str, Any], labels: dict[str, Label], options: dict[str, Any]) -> None:
    label = labels.get(item.get("labelName", ""))
    if options.get("inlineLabels", True) and label is not None:
        item["label"] = label.label
    if options.get("inlineLabelIds", True) and label is not None and label.identifier:
        item["labelId"] = label.identifier
    if not options.get("inlineText", True):
        item.pop("text", None)
    if item.get("creationMode") == "imported":
        del item["creationMode"]  # not a value of the published enumeration


class WrittenPredictions(NamedTuple):
    """How many annotations and categories were added, and how many existing annotations got the terms of one."""

    added: int
    linked: int = 0


def write_predictions(
    call: ProjectCall,
    creator: str,
    examples: list[tuple[Example, Document]],
    labels: dict[str, Label],
    *,
    overwrite: bool,
    within: bool = False,
    unknown_labels: Counter[str] | None = None,
    decided_by: Collection[str] | None = None,
) -> WrittenPredictions:
    """Store predictions for whole documents, without those that exist already.

    An annotation that exists already, manual or confirmed, gets the terms of the prediction if it links to none: a span
    that a person labelled before there was a vocabulary. One whose terms a person changed or removed stays as it is.

    Every change gets a history row, deletions before additions, so that the job can be undone.

    Args:
        overwrite: delete undecided predictions of the same creator first.
        within: delete only those that overlap an example, because only parts of the documents were annotated.
        unknown_labels: counts predictions whose label the project does not have, by label name; they are not stored.
        decided_by: names of the labels of an exclusive set; if a person chose one of them, no category is added. None =
            any label, in a project with exclusive classes.
    """
    unknown_labels = Counter() if unknown_labels is None else unknown_labels
    documents = sorted({example.document_id for example, _ in examples})
    touched: set[int] = set()
    if overwrite:
        for table in (Annotation, Category):
            ranges = _ranges_by_document(examples) if within else None
            for row in repository.delete_undecided_predictions(call, table, documents, creator, ranges):
                entity = history_entity_of_row(row)
                write_history(
                    call, row.document_id, entity, row.id, "deleted", before=history_snapshot_of_row(row), after=None
                )
                touched.add(row.document_id)
    known = repository.existing_labelling_keys(call.session, Annotation, documents)
    known_categories = repository.existing_labelling_keys(call.session, Category, documents)
    timestamp = now_ms()
    spans: list[dict[str, Any]] = []
    terms_of_known: TermsByPosition = {}
    categories: list[dict[str, Any]] = []
    for example, predicted in examples:
        common = _common_column_values(call, creator, example, timestamp)
        for item, label in _pair_with_known_labels(predicted.annotations, labels, unknown_labels):
            start, end = example.start + item.start, example.start + item.end
            if (position_key := (example.document_id, start, end, label.id)) in known:
                terms_of_known[position_key] = _terms_to_store(item)
                continue
            text = example.document.text[item.start : item.end]
            spans.append(common | _annotation_column_values(label, start, end, text, item))
        position = (None, None) if example.whole else (example.start, example.end)
        # If a person has already chosen the only category allowed, there is nothing to propose.
        decided = _has_decided_category(call, example, decided_by)
        for category, label in _pair_with_known_labels(() if decided else predicted.categories, labels, unknown_labels):
            if (example.document_id, *position, label.id) in known_categories:
                continue
            values = {
                "id": new_id(),
                "label_id": label.id,
                "score": category.score,
                "start": position[0],
                "end": position[1],
            }
            categories.append(common | values)
    for table, made in ((Annotation, spans), (Category, categories)):
        repository.insert_predictions(call.session, table, made)
        for values in made:
            row = table(**values)
            entity = history_entity_of_row(row)
            write_history(
                call, row.document_id, entity, row.id, "created", before=None, after=history_snapshot_of_row(row)
            )
    linked = _link_known_annotations(call, creator, documents, terms_of_known)
    touched |= {row["document_id"] for row in [*spans, *categories]} | set(linked)
    for document_id in sorted(touched):
        call.unit.touch(call.project.id, "facets", document_id=document_id)
    return WrittenPredictions(len(spans) + len(categories), len(linked))


TermsByPosition = dict[tuple[int, int, int, int], list[dict[str, Any]] | None]
"""Terms of predictions, by document, start, end and label of the annotation."""


def _link_known_annotations(
    call: ProjectCall, creator: str, documents: Sequence[int], terms: TermsByPosition
) -> list[int]:
    """Give annotations that link to no term those of the prediction; returns the document of each."""
    if not any(terms.values()):
        return []
    linked: list[int] = []
    for row in repository.annotations_to_link(call.session, documents):
        found = terms.get((row.document_id, row.start, row.end, row.label_id))
        if not found:
            continue
        before = history_snapshot_of_row(row)
        row.terms = found
        mark_modified(row, creator)
        entity = history_entity_of_row(row)
        write_history(
            call, row.document_id, entity, row.id, "updated", before=before, after=history_snapshot_of_row(row)
        )
        linked.append(row.document_id)
    return linked


def _has_decided_category(call: ProjectCall, example: Example, labels: Collection[str] | None) -> bool:
    if labels is None and not call.project.exclusive_classes:
        return False
    chosen = (one.label_name for one in example.document.categories if one.status == "OK")
    return any(labels is None or name in labels for name in chosen)


def _pair_with_known_labels(
    items: Iterable[Mark], labels: Mapping[str, Label], unknown_labels: Counter[str]
) -> Iterator[tuple[Mark, Label]]:
    """Pair the items with their labels; count and skip those whose label the project does not have."""
    for item in items:
        label = labels.get(item.label_name or "")
        if label is None:
            unknown_labels[item.label_name or ""] += 1
        else:
            yield item, label


def _ranges_by_document(examples: list[tuple[Example, Document]]) -> RangesByDocument:
    ranges: RangesByDocument = {}
    for example, _ in examples:
        ranges.setdefault(example.document_id, []).append((example.start, example.end, example.whole))
    return ranges


def _common_column_values(call: ProjectCall, creator: str, example: Example, timestamp: int) -> dict[str, Any]:
    return {
        "project_id": call.project.id,
        "document_id": example.document_id,
        "creation_mode": "automatic",
        "created_by": creator,
        "modified_by": creator,
        "created_at": timestamp,
        "modified_at": timestamp,
        "version": 1,
    }


def _annotation_column_values(label: Label, start: int, end: int, text: str, item: InAnnotation) -> dict[str, Any]:
    position = {"label_id": label.id, "start": start, "end": end, "text": text}
    return {"id": new_id(), "score": item.score, "terms": _terms_to_store(item)} | position


def _terms_to_store(item: InAnnotation) -> list[dict[str, Any]] | None:
    return [term.model_dump(by_alias=True, exclude_none=True) for term in item.terms or ()] or None


def batch_by_document(examples: Iterable[Example], documents: int) -> Iterator[list[Example]]:
    """Group examples into batches of whole documents: at most `documents` of them per batch, and fewer long ones.

    A batch is written in one transaction, for whose end other writers wait.
    """
    batch: list[Example] = []
    count = characters = 0
    for _, group in groupby(examples, key=lambda example: example.document_id):
        own = list(group)
        batch += own
        count += 1
        characters += sum(len(example.document.text) for example in own)
        if count >= documents or characters >= BATCH_CHARACTERS:
            yield batch
            batch, count, characters = [], 0, 0
    if batch:
        yield batch
