"""The two parts of a corpus: set by metadata at import, drawn at random, or selected by a search."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.project_archives import export_project, import_project
from support.similar_sentences import similar_documents

SPLITS = {"a": "train", "b": "test", "c": "dev", "d": "something", "e": "validation"}


def parts(corpus: Corpus) -> dict[str, int]:
    return corpus.facet("split")


def documents(**more: Any) -> list[dict[str, Any]]:
    return [document(name, f"Text {name}.", metadata={"split": split} | more) for name, split in SPLITS.items()]


def test_documents_go_to_the_part_their_metadata_names(corpus: Corpus) -> None:
    """The metadata that our converter of public corpora writes are recognised; development documents may be learned
    from.
    """
    corpus.add(*documents())
    assert corpus.get("/_info")["hasSplit"] is True
    assert parts(corpus) == {"train": 3, "test": 1}
    found = corpus.get("/_split_corpus")
    assert (found["hasSplit"], found["train"], found["test"], found["neither"]) == (True, 3, 1, 1)
    assert (found["facts"]["by"], found["facts"]["field"]) == ("import", "split")


def test_the_part_may_be_overridden(corpus: Corpus) -> None:
    job = corpus.add(*documents(), metadataSplit=False)
    assert job["parameters"]["metadata_split"] is False
    assert corpus.get("/_info")["hasSplit"] is False
    assert parts(corpus) == {}


def test_training_documents_alone_do_not_make_a_split(corpus: Corpus) -> None:
    """The test file may be imported later; until then a part is held out."""
    corpus.add(document("a", "Text a.", metadata={"split": "train"}))
    assert corpus.get("/_info")["hasSplit"] is False
    corpus.add(document("b", "Text b.", metadata={"split": "test"}))
    assert corpus.get("/_info")["hasSplit"] is True
    assert parts(corpus) == {"train": 1, "test": 1}


def test_an_import_check_reports_the_parts(corpus: Corpus) -> None:
    """For the dialog, which asks about the parts; nothing is written."""
    job = corpus.add(*documents(), dryRun=True)
    assert job["result"]["parts"] == {"train": 3, "test": 1}
    assert corpus.get("/_info")["hasSplit"] is False


def test_a_replaced_document_stays_in_its_part(corpus: Corpus) -> None:
    """Otherwise a model would learn from what it is tested on."""
    corpus.add(*documents())
    corpus.add(document("b", "Another text."))
    assert parts(corpus) == {"train": 3, "test": 1}
    corpus.add(document("b", "A third text.", metadata={"split": "train"}))
    assert parts(corpus) == {"train": 4}


def test_the_draw_is_the_same_for_the_same_corpus(corpus: Corpus, make_project: Any) -> None:
    """The draw uses document identifiers: internal ids are random."""
    again = Corpus(corpus.caller, make_project(lang="en"), corpus.run_jobs)
    given = similar_documents(40, seed=1)
    corpus.add(*given)
    again.add(*reversed(given))
    tested = []
    for one in (corpus, again):
        one.post("/_split_corpus", 204, params={"testSize": 0.25})
        found = one.post("/documents/_search", params={"selectedFacets": "split:test", "size": 100})
        tested.append({hit["document"]["identifier"] for hit in found["hits"]})
        facts = one.get("/_split_corpus")["facts"]
        assert (facts["by"], facts["testSize"], facts["seed"]) == ("random", 0.25, 1)
    assert tested[0] == tested[1]
    assert len(tested[0]) == 10


def test_groups_stay_in_one_part_with_new_members(corpus: Corpus) -> None:
    def of(author: int, number: int) -> dict[str, Any]:
        return document(f"{author}-{number}", f"Text {author} {number}.", metadata={"author": f"a{author}"})

    corpus.add(*(of(author, number) for author in range(10) for number in range(3)))
    corpus.post("/_split_corpus", 204, params={"testSize": 0.2, "groupField": "author"})

    def sides() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for part in ("train", "test"):
            hits = corpus.post("/documents/_search", params={"selectedFacets": f"split:{part}", "size": 100})["hits"]
            found[part] = {hit["document"]["identifier"].partition("-")[0] for hit in hits}
        return found

    before = sides()
    assert not before["train"] & before["test"]
    assert len(before["test"]) == 2
    corpus.add(*(of(author, 9) for author in range(10)))
    corpus.post("/_split_corpus", 204, params={"testSize": 0.2, "groupField": "author", "incremental": True})
    assert sides() == before
    assert sum(parts(corpus).values()) == 40


def test_every_label_is_in_both_parts(corpus: Corpus) -> None:
    """A label with few documents is tested too."""
    rare = {f"d{number}" for number in range(0, 50, 10)}
    corpus.add(
        *(
            document(f"d{number}", "Ann slept.", ("Ann", "rare" if f"d{number}" in rare else "person"))
            for number in range(50)
        )
    )
    corpus.post("/_split_corpus", 204, params={"testSize": 0.2})
    hits = corpus.post("/documents/_search", params={"selectedFacets": "split:test", "size": 100})["hits"]
    assert len(hits) == 10
    assert sum(hit["document"]["identifier"] in rare for hit in hits) == 1


def test_split_by_a_metadata_value(corpus: Corpus) -> None:
    corpus.add(*documents(year=2020), document("z", "Text z.", metadata={"year": 2021}), metadataSplit=False)
    asked = {"by": "metadata", "metadataField": "year", "testValues": ["2021"]}
    corpus.post("/_split_corpus", 204, params=asked)
    assert parts(corpus) == {"train": 5, "test": 1}
    assert corpus.get("/_split_corpus")["facts"]["values"] == ["2021"]
    corpus.post("/_split_corpus", 204, params={"by": "metadata"})
    assert parts(corpus) == {"train": 5, "test": 1}
    assert corpus.get("/_split_corpus")["facts"]["field"] == "split"
    refused = corpus.post("/_split_corpus", 400, params=asked | {"testValues": ["1066"]})
    assert refused["message"] == "One of the two parts would have no documents"
    assert "6 documents for training, 0 for testing" in refused["cause"]
    assert parts(corpus) == {"train": 5, "test": 1}, "what was refused changes nothing"


@pytest.mark.parametrize(
    "search", [{"query": "tested"}, {"selectedFacets": ["metadata.kind:b"]}, {"query": "learned", "invertSearch": True}]
)
def test_split_by_a_search(corpus: Corpus, search: dict[str, Any]) -> None:
    corpus.add(
        *(document(f"a{number}", "A learned text.", metadata={"kind": "a"}) for number in range(4)),
        *(document(f"b{number}", "A tested text.", metadata={"kind": "b"}) for number in range(2)),
    )
    corpus.post("/_split_corpus", 204, params={"by": "search"} | search)
    assert parts(corpus) == {"train": 4, "test": 2}
    assert corpus.get("/_split_corpus")["facts"]["by"] == "search"
    corpus.post("/_split_corpus", 400, params={"by": "search", "query": "nothing"})
    corpus.post("/_split_corpus", 400, params={"by": "search"})
    corpus.post("/_split_corpus", 400, params={"by": "magic"})


def test_archives_contain_the_split_and_its_method(corpus: Corpus) -> None:
    corpus.add(*documents())
    name, _ = import_project(corpus, export_project(corpus))
    moved = corpus.caller.get(f"/api/projects/{name}/_split_corpus").json()
    assert moved == corpus.get("/_split_corpus")
    assert moved["test"] == 1
