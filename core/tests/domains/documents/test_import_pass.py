"""One pass over the sources of an import: batches, skipping what an earlier run did, notifications. No file is
converted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, OperationalError
from support.import_batches import import_item, split_into_halves
from support.job_rows import add_running_job
from support.live_events import args_of

from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Document, JobItem, Outbox
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.domains.imports import importer
from annotarium.domains.imports.importer import (
    DryRunImporter,
    Importer,
    ImportRun,
    ImportTally,
    empty_label_lists_message,
)
from annotarium.importing.document_preparation import PrepareOptions
from annotarium.importing.import_resolution import document_limit_message
from annotarium.importing.outcome import Outcome
from annotarium.importing.sources import SourceItem
from annotarium.jobs.context import JobContext
from annotarium.jobs.scheduling import Preempted
from annotarium_schemas.documents import Document as Given


def item(identifier: str, text: str = "Some words.", **fields: Any) -> SourceItem:
    return SourceItem(f"f#{identifier}", import_item(identifier, text, **fields).document, identifier)


def refused(identifier: str, message: str = "It is wrong", **fields: Any) -> SourceItem:
    return SourceItem(f"f#{identifier}", None, identifier, message, "Mend it", **fields)


class Context(JobContext):
    """Records its calls."""

    steps: list[tuple[int, int, str]]
    behind: list[str]
    over: Callable[[int], bool]

    def progress(self, step: int, total: int, message: str) -> None:
        self.steps.append((step, total, str(message)))
        if self.over(step):
            raise Preempted

    def start_replay(self) -> None:
        self.behind.append("behind")

    def end_replay(self) -> None:
        self.behind.append("caught up")


def new_job() -> str:
    """Create a running job of Marie's and return its id."""
    return add_running_job(f"{new_id():032d}", lease_until=now_ms() + 3_600_000, created_by="marie")


class Import:
    """Runs passes over prepared items, in a job of Marie's."""

    def __init__(self, project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project, self.job = project, new_job()
        self.batches = list[list[str]]()
        self.refuses: Callable[[str], Exception | None] = lambda _: None
        self.hooked = list[tuple[str, dict[str, Any]]]()
        self.opened: dict[str, Any] = {}
        honest = importer.write_documents

        def write(call: Any, batch: Any, *more: Any) -> Any:
            self.batches.append([one.document.identifier for one in batch])
            outcomes = honest(call, batch, *more)
            for one in batch:
                error = self.refuses(one.document.identifier)
                if error is not None:
                    raise error
            return outcomes

        hooks = SimpleNamespace(call=lambda name, **arguments: self.hooked.append((name, arguments)))
        monkeypatch.setattr(importer, "write_documents", write)
        monkeypatch.setattr(importer, "get_hooks", lambda: hooks)
        monkeypatch.setattr(importer, "open_reader", self._opened)

    @contextmanager
    def _opened(self, finish: Any, language: str, **options: Any) -> Iterator[Any]:
        self.opened = {"finish": finish, "language": language, **options}
        self.process = process = SimpleNamespace(read_bytes=0, cut=None, on_idle=None)

        def read(source: list[SourceItem]) -> Iterator[SourceItem]:
            for one in source:
                process.read_bytes += 10
                yield one

        yield SimpleNamespace(read=read), process

    def run(
        self, *items: SourceItem, check: bool = False, tally: ImportTally | None = None, **plan: Any
    ) -> tuple[ImportTally, Importer]:
        tally = tally or ImportTally()
        values: dict[str, Any] = {"options": PrepareOptions(), "segment": split_into_halves, "folder_categories": False}
        values |= {"sources": [items], "source_bytes": 10 * len(items), "limit": -1, "converters": {}}
        whole = ImportRun(**(values | plan))
        self.context = Context(self.job, username="marie", project_id=self.project.id, fence=1)
        self.context.steps, self.context.behind, self.context.over = [], [], self.over
        made = (DryRunImporter if check else Importer)(self.context, self.project.name, whole, tally)
        made.run()
        return tally, made

    over: Callable[[int], bool] = staticmethod(lambda _: False)  # type: ignore[assignment]

    def report(self) -> list[tuple[str, str, str | None, int]]:
        with unit_of_work(actor="", write=False) as work:
            query = select(JobItem).where(JobItem.job_id == self.job).order_by(JobItem.ordinal)
            return [(row.item, row.outcome, row.message, row.count) for row in work.session.scalars(query)]

    def _live(self, column: Any) -> list[Any]:
        with unit_of_work(actor="", write=False) as work:
            query = select(column).where(Document.project_id == self.project.id, Document.deleted_at.is_(None))
            return list(work.session.scalars(query.order_by(Document.id)))

    def documents(self) -> list[str]:
        return self._live(Document.identifier)

    def ids(self) -> list[int]:
        return self._live(Document.id)


@pytest.fixture
def one_import(client: Any, as_user: Any, make_project: Any, monkeypatch: pytest.MonkeyPatch) -> Import:
    as_user(client, "marie", "ProjectManager")
    return Import(make_project(owner="marie", lang="en"), monkeypatch)


def counted(tally: ImportTally) -> dict[str, int]:
    return dict(tally.outcomes)


def test_batches_double_up_to_limits_of_documents_and_characters(
    one_import: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first batch is small, so that documents appear early. Refused items count towards a batch. The number of
    characters in a batch is limited, which bounds the memory used.
    """
    monkeypatch.setattr(importer, "_FIRST_BATCH", 2)
    monkeypatch.setattr(importer, "BATCH_DOCUMENTS", 5)
    tally, _ = one_import.run(*(item(str(number)) for number in range(14)))
    assert [len(batch) for batch in one_import.batches] == [2, 4, 5, 3]
    assert (counted(tally), tally.ordinal) == ({"imported": 14}, 14)
    one_import.batches.clear()
    one_import.run(item("a"), refused("b"), item("c"), item("d"))
    assert one_import.batches == [["a"], ["c", "d"]]
    one_import.batches.clear()
    monkeypatch.setattr(importer, "BATCH_CHARACTERS", 20)
    sizes = {"e": 19, "f": 2, "g": 20, "h": 19, "i": 2, "j": 2}
    one_import.run(*(item(name, "x" * size) for name, size in sizes.items()))
    assert one_import.batches == [["e", "f"], ["g"], ["h", "i"], ["j"]]
    assert one_import.documents()[-6:] == list(sizes)


def test_progress_counts_read_items_and_estimates_the_rest(one_import: Import) -> None:
    items = [item("a"), refused("b", count=3), item("c"), item("d")]
    one_import.run(*items)
    assert [step[:2] for step in one_import.context.steps] == [(1, 4), (4, 8), (5, 7), (6, 6), (6, 6)]
    assert one_import.context.steps[0][2] == "1 document read"
    ordinals = {row[0]: row for row in one_import.report()}
    assert ordinals["f#b"] == ("f#b", "refused", "It is wrong", 3)
    with unit_of_work(actor="", write=False) as work:
        query = select(JobItem.item, JobItem.ordinal).where(JobItem.job_id == one_import.job)
        assert {row[0]: row[1] for row in work.session.execute(query)} == {
            "f#a": 1,
            "f#b": 2,
            "f#c": 5,
            "f#d": 6,
        }


def test_a_second_run_replays_the_first_and_writes_the_rest(one_import: Import) -> None:
    """Each item has the outcome of the first run. The job is notified when the replay ends, since it is not preempted
    before.
    """
    first = [item("a"), refused("b"), item("c")]
    one_import.run(*first)
    assert one_import.context.behind == ["caught up"] * 3, "a first run is never behind"
    one_import.batches.clear()
    tally, made = one_import.run(*first, item("d"), SourceItem("g#c", import_item("c").document, "c"))
    assert one_import.batches == [["d"]]
    assert one_import.context.behind == ["behind", "caught up", "caught up"], "from the fourth item on"
    assert counted(tally) == {"imported": 3, "refused": 2}
    assert made.first_error == "It is wrong"
    assert [row[:2] for row in one_import.report()] == [
        ("f#a", "imported"),
        ("f#b", "refused"),
        ("f#c", "imported"),
        ("f#d", "imported"),
        ("g#c", "refused"),
    ]
    assert sorted(one_import.documents()) == ["a", "c", "d"]


def test_the_second_document_of_one_identifier_is_refused(one_import: Import) -> None:
    twin = SourceItem("g#a", import_item("a", "Other.").document, "a")
    long = "x" * 200
    tally, made = one_import.run(item("a"), twin, item(long), SourceItem("g#x", import_item(long).document, long))
    assert counted(tally) == {"imported": 2, "refused": 2}
    messages = [row[2] for row in one_import.report() if row[1] == "refused"]
    assert "same identifier (a)" in str(messages[0])
    assert f"({'x' * 100})" in str(messages[1])
    assert made.first_error == messages[0]


def test_duplicate_texts_are_skipped_on_request_also_in_a_second_run(one_import: Import) -> None:
    """Within a batch, in a later one, and after an interrupted run: what that run imported counts."""
    first = item("a", "Same words.")
    one_import.run(first, distinct_texts=True)
    tally, _ = one_import.run(
        first, item("b", "Same words."), item("c", "Others."), item("d", "Others."), distinct_texts=True
    )
    assert counted(tally) == {"imported": 2, "skipped": 2}
    assert tally.texts == {hash("Same words."), hash("Others.")}
    messages = {row[0]: str(row[2]) for row in one_import.report()}
    assert "earlier document of this import" in messages["f#b"]
    tally, _ = one_import.run(item("e", "Same words."))
    assert (counted(tally), tally.texts) == ({"imported": 1}, set())


def test_hooks_receive_exactly_the_written_documents(one_import: Import) -> None:
    one_import.run(item("a"), item("b"), refused("c"))
    told = {"project": one_import.project.name, "document_ids": ["a", "b"], "job_id": one_import.job}
    assert one_import.hooked == [("documents_imported", told)]
    one_import.job = new_job()
    one_import.run(item("a"), item("b", "Changed."))
    assert one_import.hooked[1:] == [("documents_imported", told | {"document_ids": ["b"], "job_id": one_import.job})]
    one_import.run(refused("z"), check=True)
    one_import.run(item("y"), check=True)
    assert len(one_import.hooked) == 2


CONSTRAINT = IntegrityError("INSERT", {}, Exception("constraint failed"))
FULL = OperationalError("INSERT", {}, Exception("x"))


def test_a_document_that_cannot_be_written_does_not_affect_others(one_import: Import) -> None:
    """The batch is rolled back and its documents are written one by one; refused ones have their line in the report."""
    one_import.refuses = lambda name: CONSTRAINT if name == "bad" else None
    tally, made = one_import.run(item("a"), refused("b"), item("bad"), item("c"))
    assert one_import.batches == [["a", "bad", "c"], ["a"], ["bad"], ["c"]]
    assert counted(tally) == {"imported": 2, "refused": 2}
    rows = {row[0]: row for row in one_import.report()}
    assert (rows["f#bad"][1], rows["f#bad"][2]) == ("refused", "The database refused this document")
    assert sorted(one_import.documents()) == ["a", "c"]
    assert made.first_error == "It is wrong"


@pytest.mark.parametrize("trouble", ["disconnected", "disk_full"])
@pytest.mark.parametrize("alone", [False, True])
def test_infrastructure_errors_end_the_run_without_refusing_documents(
    one_import: Import, monkeypatch: pytest.MonkeyPatch, trouble: str, alone: bool
) -> None:
    """Whether it happens in the batch or for a document that is written alone: the job is retried."""
    monkeypatch.setattr(importer, f"is_{trouble}", lambda error: error is FULL)
    errors = [CONSTRAINT, FULL] if alone else [FULL]
    one_import.refuses = lambda _: errors.pop(0) if errors else None
    with pytest.raises(OperationalError):
        one_import.run(item("a"))
    assert one_import.report() == one_import.documents() == []


def test_items_read_before_preemption_are_written_and_recognised_later(
    one_import: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_import.over = lambda step: step == 2
    with pytest.raises(Preempted):
        one_import.run(item("a"), item("b"), item("c"))
    assert one_import.documents() == ["a", "b"]
    one_import.over = lambda _: False
    tally, _ = one_import.run(item("a"), item("b"), item("c"))
    assert (counted(tally), one_import.documents()) == ({"imported": 3}, ["a", "b", "c"])


def test_empty_lists_of_labels_count_for_what_was_written(one_import: Import) -> None:
    empty = {"annotations": []}
    tally, _ = one_import.run(item("a", **empty), item("b"), item("c", reviewed=True, **empty), item("d", **empty))
    assert tally.empty_lists == 2
    one_import.job = new_job()
    tally, _ = one_import.run(item("a", **empty), item("d", "Changed.", **empty))
    assert (counted(tally), tally.empty_lists) == ({"unchanged": 1, "replaced": 1}, 1)


def test_sources_are_read_with_the_options_of_the_import(one_import: Import) -> None:
    """By the chosen converter with its options; documents are prepared with the active plan; the job may give way to
    others.
    """

    def steps(document: Given) -> Given:
        document.title = "Of the plan"
        return document

    options = PrepareOptions(language="fr", policy="always_recompute")
    asked = {"converter": "csv", "converters": {"csv": {"a": 1}}, "folder_categories": True, "steps": steps}
    _, made = one_import.run(item("a"), options=options, **asked)
    finish = one_import.opened.pop("finish")
    assert one_import.opened == {
        "language": "fr",
        "converter": "csv",
        "parameters": {"csv": {"a": 1}},
        "folder_categories": True,
    }
    done = finish(Given.model_validate({"identifier": "d", "text": "abcd"}))
    assert (done.title, [one[:2] for one in done.segments]) == ("Of the plan", [(0, 2), (2, 4)])
    assert one_import.process.tokenize == made._tokenize
    assert one_import.process.on_idle == one_import.context.idle


class Feed:
    """Records what the index receives, and reports the rows of the first batch as applied."""

    made: list[Feed]

    def __init__(self, language: str) -> None:
        self.language, self.taken, self.ended = language, list[Any](), list[str]()
        self.done: list[int] = []
        Feed.made.append(self)

    def take(self, rows: Any, words: Any, inflected: Any) -> None:
        self.taken.append(([row.document_id for row in rows], words, inflected))
        self.done = [row.id for row in rows]

    def applied(self) -> list[int]:
        done, self.done = self.done, []
        return done

    def finish(self) -> None:
        self.ended.append("finish")

    def close(self) -> None:
        self.ended.append("close")


def test_the_index_is_fed_with_the_texts_that_were_cut_and_reported_when_it_is_done(
    one_import: Import, emitted_events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words of what was written only; rows that are applied are nobody's any more; lists are told to look again."""
    Feed.made = []
    monkeypatch.setattr(importer, "ImportIndexer", Feed)
    monkeypatch.setattr(importer, "_FIRST_BATCH", 3)

    def cut(identifier: str, words: bytes, inflected: bytes = b"", text: str = "Some words.") -> SourceItem:
        one = item(identifier, text)
        assert one.document is not None
        return replace(one, document=one.document._replace(tokens=words, inflected_tokens=inflected))

    twin = replace(cut("a", b"twice", b"i2"), item="g#a")
    one_import.run(cut("a", b"wa", b"ia"), cut("b", b""), twin, cut("c", b"wc"))
    (feed,) = Feed.made
    a, b, c = one_import.ids()
    assert feed.taken == [([a, b], {a: b"wa"}, [b"ia", b"i2"]), ([c], {c: b"wc"}, [])]
    assert (feed.language, feed.ended) == ("xx", ["finish", "close"])
    assert args_of(emitted_events, "documents")[-1] == {"type": "indexed", "by": "marie"}
    with unit_of_work(actor="", write=False) as work:
        query = select(Outbox).where(Outbox.project_id == one_import.project.id)
        assert list(work.session.scalars(query)) == []
    one_import.job = new_job()
    one_import.run(cut("a", b"wa"), cut("b", b"wb", text="Changed."), cut("c", b"wc"), cut("d", b"wd"))
    b, d = one_import.ids()[-2:]
    assert [(one[0][-1], one[1]) for one in Feed.made[1].taken] == [(b, {b: b"wb"}), (d, {d: b"wd"})]
    one_import.refuses = lambda _: FULL
    monkeypatch.setattr(importer, "is_disk_full", lambda _: True)
    with pytest.raises(OperationalError):
        one_import.run(item("e"))
    assert Feed.made[2].ended == ["close"]


def test_refused_items_alone_write_nothing(one_import: Import) -> None:
    tally, made = one_import.run(refused("a", "First"), refused("b", "Second"))
    assert (one_import.batches, one_import.hooked, made.first_error) == ([], [], "First")
    assert counted(tally) == {"refused": 2}


def test_first_error_is_that_of_the_first_refusal(one_import: Import) -> None:
    """The message of a document that was read but not written explains why nothing was imported."""
    one_import.refuses = lambda _: CONSTRAINT
    _, made = one_import.run(item("bad"), item("worse"))
    assert made.first_error == "The database refused this document"


def test_a_check_starts_from_the_beginning_and_writes_nothing(one_import: Import) -> None:
    for _ in range(2):
        tally, made = one_import.run(item("a"), refused("b"), item("c", annotations=[]), check=True)
        assert counted(tally) == {"imported": 2, "refused": 1}
        assert isinstance(made, DryRunImporter) and made.preview.added == 2
        assert (tally.empty_lists, made.preview.empty_lists) == (1, 1)
        assert [row[:2] for row in one_import.report()] == [
            ("f#a", "imported"),
            ("f#b", "refused"),
            ("f#c", "imported"),
        ]
        assert one_import.context.behind == ["caught up"] * 3
    assert (one_import.documents(), one_import.batches) == ([], [])
    assert made._tokenize(import_item("a").document) == (b"", b"")


def test_texts_of_long_imports_are_tokenized_for_the_embedded_index(
    one_import: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, made = one_import.run(item("a"))
    document = import_item("b", "Many words here.").document
    monkeypatch.setattr(importer, "uses_indexing_processes", lambda number: number > 2)
    monkeypatch.setattr(importer, "get_settings", lambda: SimpleNamespace(engine_name="embedded"))
    cut = [made._tokenize(document) for _ in range(3)]
    assert cut[:2] == [(b"", b"")] * 2 and cut[2][0]
    assert made._tokenize(document)[0] == cut[2][0]
    monkeypatch.setattr(importer, "get_settings", lambda: SimpleNamespace(engine_name="opensearch"))
    assert made._tokenize(document) == (b"", b"")


def test_final_message_names_every_outcome_that_occurred(one_import: Import) -> None:
    """First a limit that was reached (E-024), last the empty lists; outcomes without documents are left out."""
    tally = ImportTally(limit=5)
    assert (str(tally.message()), tally.has_successes()) == ("0 imported of 0 received", False)
    tally.count([Outcome("a", 1, "refused", message="Wrong", count=1_200)])
    assert (str(tally.message()), tally.has_successes()) == ("0 imported, 1,200 refused of 1,200 received", False)
    tally.count([Outcome("b", 2, "unchanged"), Outcome("c", 3, "skipped", message="Same")])
    assert tally.has_successes() and tally.over_limit == 0
    assert str(tally.message()) == "0 imported, 1 unchanged, 1 skipped, 1,200 refused of 1,202 received"
    tally.count([Outcome("d", 4, "refused", message=document_limit_message(5))])
    assert str(tally.message()).startswith(str(document_limit_message(5)))
    tally.empty_lists = 1
    words = str(tally.message())
    assert tally.over_limit == 1
    assert words.startswith(str(document_limit_message(5))) and words.endswith(str(empty_label_lists_message(1)))
    only = ImportTally(empty_lists=2)
    assert str(only.message()) == f"0 imported of 0 received. {empty_label_lists_message(2)}"
    assert str(empty_label_lists_message(2)).startswith("2 documents") and str(empty_label_lists_message(1)).startswith(
        "1 document "
    )
    for good, expected in (("imported", True), ("replaced", True), ("unchanged", True), ("refused", False)):
        other = ImportTally()
        other.count([Outcome("a", 1, good)])
        assert other.has_successes() is expected
