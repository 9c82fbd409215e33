"""The CRF learner with features from gazetteers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from annotarium_engines.gazetteers.dictionary_gazetteer import DictionaryGazetteer, TermMatch
from annotarium_engines.gazetteers.gazetteer_parameters import DictionaryGazetteerParameters
from annotarium_engines.learners.crf_learner import CrfLearner, CrfLearnerParameters
from annotarium_engines.learners.dictionary_features import add_dictionary_features
from annotarium_engines.tokens import tokenize
from annotarium_plugins.base.component import ComponentError, no_progress
from annotarium_plugins.base.gazetteer import Gazetteer
from annotarium_plugins.base.learner import GazetteerLearner
from annotarium_plugins.parameters import NoParameters
from annotarium_plugins.testing import LearnerContract
from annotarium_schemas.documents import Annotation, Document, Term

FISH = ("carp", "perch", "tench", "bream", "roach", "ruffe", "smelt", "wels")
OTHERS = ("chair", "table", "lampe", "spoon", "plate", "stove", "shelf", "couch")


def gazetteer(forms: Iterable[str] = FISH) -> DictionaryGazetteer:
    made = DictionaryGazetteer(DictionaryGazetteerParameters())
    made.synchronize([Term(identifier=one, lexicon="fish", preferred_form=one) for one in forms], language="en")
    return made


def documents() -> list[Document]:
    """Nothing but the dictionary distinguishes fish from furniture."""
    return [
        Document(
            identifier=name,
            text=f"they saw the {name} again",
            annotations=[Annotation(start=13, end=13 + len(name), label_name="fish")] if name in FISH else [],
        )
        for name in (*FISH[:4], *OTHERS[:4])
    ]


UNSEEN = [Document(identifier=name, text=f"they saw the {name} again") for name in (*FISH[4:], *OTHERS[4:])]


def found(learner: CrfLearner) -> list[str]:
    return [one.text for document in learner.predict(UNSEEN, "en") for one in document.annotations]


def trained(**parameters: Any) -> CrfLearner:
    learner = CrfLearner(CrfLearnerParameters.model_validate({"dictionaries": True, "affixes": 0} | parameters))
    learner.use_gazetteers([gazetteer()])
    learner.fit(documents(), labels=["fish"], language="en")
    return learner


def test_a_dictionary_helps_with_unseen_words() -> None:
    assert found(trained()) == list(FISH[4:])
    assert found(trained(dictionaries=False)) != list(FISH[4:])


def test_the_switch_decides() -> None:
    assert CrfLearner(CrfLearnerParameters(dictionaries=True)).wants_gazetteers
    assert not CrfLearner(CrfLearnerParameters()).wants_gazetteers
    assert isinstance(CrfLearner(CrfLearnerParameters()), GazetteerLearner)
    off, plain = trained(dictionaries=False), CrfLearner(CrfLearnerParameters(affixes=0))
    plain.fit(documents(), labels=["fish"], language="en")
    assert off._trained is not None and plain._trained is not None
    assert off._trained.model == plain._trained.model


def test_a_model_contains_its_dictionary(tmp_path: Path) -> None:
    """It predicts the same after the gazetteer was synchronised again, and needs no gazetteer to be loaded."""
    used = gazetteer()
    learner = CrfLearner(CrfLearnerParameters(dictionaries=True, affixes=0))
    learner.use_gazetteers([used, gazetteer(["couch potato"])])
    learner.fit(documents(), labels=["fish"], language="en")
    learner.save(tmp_path)
    used.synchronize([], language="en")
    loaded = CrfLearner(CrfLearnerParameters())
    loaded.load(tmp_path)
    assert found(loaded) == list(FISH[4:])
    assert loaded.parameters.dictionaries
    again = tmp_path / "again"
    again.mkdir()
    loaded.save(again)
    other = CrfLearner(CrfLearnerParameters())
    other.load(again)
    assert found(other) == list(FISH[4:])


def test_a_damaged_dictionary_makes_the_model_unreadable(tmp_path: Path) -> None:
    trained().save(tmp_path)
    path = tmp_path / "gazetteer-0" / "entries-0.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(ComponentError, match="cannot be read"):
        CrfLearner(CrfLearnerParameters()).load(tmp_path)


def test_training_without_a_gazetteer_is_an_error() -> None:
    learner = CrfLearner(CrfLearnerParameters(dictionaries=True))
    learner.use_gazetteers([])
    with pytest.raises(ComponentError, match="no dictionary") as caught:
        learner.fit(documents(), labels=["fish"], language="en")
    assert "Synchronise" in caught.value.fix


class OtherGazetteer(Gazetteer[NoParameters]):
    title = "Other"

    def synchronize(self, terms: Iterable[Term], *, language: str, progress: Any = no_progress) -> None: ...

    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        yield from documents

    def save(self, folder: Path) -> None: ...

    def load(self, folder: Path) -> None: ...


def test_a_gazetteer_that_a_model_cannot_contain_is_refused() -> None:
    with pytest.raises(ComponentError, match="Other"):
        CrfLearner(CrfLearnerParameters()).use_gazetteers([OtherGazetteer(NoParameters())])


def test_features_are_tags_of_the_token_and_its_neighbours() -> None:
    tokens = tokenize("the lung cancer cell")
    rows: list[list[str]] = [[] for _ in tokens]
    matches = [TermMatch(4, 15, "disease", (0,)), TermMatch(9, 15, "disease", (1,)), TermMatch(9, 10, "part", (2,))]
    add_dictionary_features(rows, tokens, matches)
    assert rows == [
        ["1g=B-disease"],
        ["g=B-disease", "1g=B-disease", "1g=B-part", "1g=I-disease"],
        ["-1g=B-disease", "g=B-disease", "g=B-part", "g=I-disease"],
        ["-1g=B-disease", "-1g=B-part", "-1g=I-disease"],
    ]


class TestCrfLearnerWithDictionaries(LearnerContract):
    component = CrfLearner

    def build(self) -> Any:
        """Return a learner that has a gazetteer, unless it is used to load a model."""
        learner = CrfLearner(CrfLearnerParameters(dictionaries=True))
        learner.use_gazetteers([gazetteer(["Paris", "London", "Ada Lovelace"])])
        return learner
