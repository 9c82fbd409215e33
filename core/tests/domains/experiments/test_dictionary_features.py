"""Training with the gazetteers of the project: the learner gets them, and its model contains them."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from support.factories import Corpus, document
from support.vocabularies import add_gazetteer, add_lexicon, synchronize

from annotarium.domains.experiments.training import build_learner
from annotarium.registry import get_registry
from annotarium.registry.model_signatures import SIGNATURE
from annotarium.registry.model_store import gazetteer_versions, load_gazetteers, load_learner, save_model
from annotarium.settings import get_settings
from annotarium_schemas.documents import Document, Term

FISH = ("carp", "perch", "tench", "bream", "roach", "ruffe")


def store_gazetteer(project_id: int, owner_id: int, timestamp: int, *forms: str) -> None:
    """Store a synchronised gazetteer, as the job of gazetteers does."""
    gazetteer: Any = get_registry().build("gazetteer", "dictionary", {})
    gazetteer.synchronize([Term(identifier=form, lexicon="fish", preferred_form=form) for form in forms], language="en")
    facts = {"gazetteer": "dictionary", "parameters": {}, "version": gazetteer.version}
    save_model(gazetteer, project_id=project_id, owner="gazetteer", owner_id=owner_id, timestamp=timestamp, facts=facts)


def found_by(gazetteer: Any) -> list[str]:
    (annotated,) = gazetteer.annotate([Document(text=" ".join(FISH))], "en")
    return [one.text for one in annotated.annotations]


def test_the_newest_matchers_of_one_project_are_loaded(corpus: Corpus) -> None:
    """Those of other projects are not."""
    store_gazetteer(corpus.project.id, 2, 10, "carp")
    store_gazetteer(corpus.project.id, 2, 20, "perch")
    store_gazetteer(corpus.project.id, 1, 5, "tench")
    store_gazetteer(corpus.project.id + 1000, 3, 30, "bream")
    assert [found_by(one) for one in load_gazetteers(corpus.project.id)] == [["tench"], ["perch"]]


@pytest.fixture
def annotated(corpus: Corpus) -> Corpus:
    """A project with a fish in each of its documents."""
    pairs = enumerate(FISH * 3)
    corpus.add(*(document(f"d{n}", f"They saw the {name} in pond {n}.", (name, "fish")) for n, name in pairs))
    return corpus


def launch(corpus: Corpus, **parameters: Any) -> tuple[str, dict[str, Any]]:
    body = {"engine": "crf", "label": "Fish", "parameters": {"iterations": 8} | parameters}
    name = corpus.post("/experiments", json=body)["name"]
    job = corpus.post(f"/experiments/{name}/_launch")
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    return name, ended


def test_the_model_of_an_experiment_contains_the_dictionary(annotated: Corpus) -> None:
    store_gazetteer(annotated.project.id, 1, 5, *FISH)
    _, job = launch(annotated, dictionaries=True)
    assert job["status"] == "COMPLETED", job
    (folder,) = (get_settings().models_folder / str(annotated.project.id)).glob("experiment-*/*")
    assert (folder / "gazetteer-0" / "manifest.json").is_file()
    learner = load_learner(annotated.project.id, "experiment", int(folder.parent.name.rpartition("-")[2]))
    (predicted,) = learner.predict([Document(text="They saw the ruffe again.")], "en")
    assert [one.text for one in predicted.annotations] == ["ruffe"]


def test_without_the_switch_no_gazetteer_is_loaded(annotated: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(project_id: int) -> list[Any]:
        raise AssertionError("no gazetteer is needed")

    monkeypatch.setattr("annotarium.domains.experiments.training.load_gazetteers", refuse)
    assert launch(annotated)[1]["status"] == "COMPLETED"


def test_training_with_a_dictionary_needs_a_synchronised_gazetteer(annotated: Corpus) -> None:
    _, job = launch(annotated, dictionaries=True)
    assert job["status"] == "FAILED"
    assert "no dictionary" in job["error"]["message"]
    assert "gazetteer" in job["error"]["cause"]


@pytest.fixture
def with_lexicon(annotated: Corpus) -> Corpus:
    """A synchronised gazetteer over a lexicon of fish."""
    add_lexicon(annotated, "Fish", {name: (name, []) for name in FISH})
    add_gazetteer(annotated, "fish")
    synchronize(annotated, "finder")
    return annotated


def is_up_to_date(corpus: Corpus, name: str) -> bool:
    return bool(corpus.get(f"/experiments/{name}")["uptodate"])


def test_a_gazetteer_that_changes_makes_the_experiment_outdated(with_lexicon: Corpus) -> None:
    """One with the switch only, and not by a synchronisation that finds no change."""
    used, other = launch(with_lexicon, dictionaries=True)[0], launch(with_lexicon)[0]
    assert (is_up_to_date(with_lexicon, used), is_up_to_date(with_lexicon, other)) == (True, True)
    synchronize(with_lexicon, "finder")
    assert is_up_to_date(with_lexicon, used), "the same terms"
    with_lexicon.post("/lexicons/fish", json={"identifier": "dace", "preferredForm": "dace"})
    assert is_up_to_date(with_lexicon, used), "the gazetteer does not know the new term"
    synchronize(with_lexicon, "finder")
    assert (is_up_to_date(with_lexicon, used), is_up_to_date(with_lexicon, other)) == (False, True)
    with_lexicon.post(f"/experiments/{used}/_launch")
    with_lexicon.run_jobs()
    assert is_up_to_date(with_lexicon, used)
    with_lexicon.delete("/gazetteers/finder")
    assert (is_up_to_date(with_lexicon, used), is_up_to_date(with_lexicon, other)) == (False, True)


def test_a_gazetteer_that_changes_during_the_training(with_lexicon: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model does not contain what was synchronised meanwhile."""
    name = launch(with_lexicon, dictionaries=True)[0]
    with_lexicon.post(f"/experiments/{name}/_launch")

    timestamps = count(50)

    def load_and_change(project_id: int) -> list[Any]:
        found = load_gazetteers(project_id)
        store_gazetteer(project_id, 7, next(timestamps), "dace")
        return found

    monkeypatch.setattr("annotarium.domains.experiments.training.load_gazetteers", load_and_change)
    with_lexicon.run_jobs()
    assert not is_up_to_date(with_lexicon, name)


def test_gazetteers_built_elsewhere_are_left_out(corpus: Corpus) -> None:
    """They run in a process of their own, and one that waits for acceptance does not stop the training of others."""
    store_gazetteer(corpus.project.id, 1, 5, "carp")
    store_gazetteer(corpus.project.id, 2, 5, "perch")
    (folder,) = (get_settings().models_folder / str(corpus.project.id)).glob("gazetteer-2/*")
    (folder / SIGNATURE).unlink()
    assert gazetteer_versions(corpus.project.id) == {"1": 5}
    assert [found_by(one) for one in load_gazetteers(corpus.project.id)] == [["carp"]]


def test_the_switch_is_a_parameter_of_the_form() -> None:
    assert build_learner("crf", {"dictionaries": True}).parameters.dictionaries
