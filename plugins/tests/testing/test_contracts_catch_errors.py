"""The published contracts fail on components that break them; each error here is deliberate."""

import itertools
import json

import pytest

from annotarium_plugins.base.converter import Converter
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.base.suggester import Suggester, Suggestion, UntrainedSuggester
from annotarium_plugins.base.vectorizer import Vectorizer
from annotarium_plugins.testing import (
    ConverterContract,
    LearnerContract,
    SegmenterContract,
    SuggesterContract,
    UntrainedSuggesterContract,
    VectorizerContract,
)
from annotarium_schemas.documents import Annotation, Category, Document

COUNTER = itertools.count()
PICKLED = b"\x80\x04\x95\x08\x00\x00\x00\x00\x00\x00\x00\x8c\x04food\x94."


class MadeSegmenter(Segmenter):
    title = description = "Made"
    ranges = ()

    def segment(self, text, language):
        return list(self.ranges) if len(text) > 20 else []


@pytest.mark.parametrize("ranges", [[(0, 5), (4, 8)], [(5, 8), (0, 3)], [(0, 10**7)], [(3, 3)], [(-1, 2)], [(0.0, 2)]])
def test_wrong_ranges_fail_the_segmenter_contract(ranges):
    contract = SegmenterContract()
    contract.component = type("Wrong", (MadeSegmenter,), {"ranges": ranges})
    with pytest.raises(AssertionError):
        contract.test_segments_are_ordered_and_inside()


class Majority(Learner):
    """Correct: predicts the first label always."""

    title = description = "Majority"
    natures = ("classification",)
    score, extra, file = 0.5, "", "model.json"

    def fit(self, documents, *, labels, language, progress=None):
        self.label = labels[0] + self.extra

    def predict(self, documents, language):
        for document in documents:
            found = Category(label_name=self.label, score=self.score, creation_mode="automatic")
            yield Document(identifier=document.identifier, text=document.text, categories=[found])

    def save(self, folder):
        (folder / self.file).write_text(json.dumps(self.label))

    def load(self, folder):
        self.label = json.loads((folder / self.file).read_text())


class Pickling(Majority):
    def save(self, folder):
        (folder / "model.bin").write_bytes(PICKLED)

    def load(self, folder):
        assert (folder / "model.bin").read_bytes() == PICKLED
        self.label = "food"


class Forgetful(Majority):
    def load(self, folder):
        self.label = "person"


class Random(Majority):
    @property
    def score(self):
        return (next(COUNTER) % 97) / 97


class Touching(Majority):
    def predict(self, documents, language):
        for document in documents:
            document.categories.append(Category(label_name="food"))
            yield from super().predict([document], language)


class Shifted(Majority):
    natures = ("sequence_labelling",)

    def predict(self, documents, language):
        for document in documents:
            mark = Annotation(start=0, end=3, text="xyz", label_name="person", score=0.5, creation_mode="automatic")
            yield Document(identifier=document.identifier, text=document.text, annotations=[mark])


def learner_contract(component):
    contract = LearnerContract()
    contract.component = component
    return contract


def test_correct_learner_passes_its_contract(tmp_path):
    contract = learner_contract(Majority)
    contract.test_learns_what_it_was_shown()
    contract.test_training_is_deterministic()
    contract.test_saved_model_predicts_the_same(tmp_path)
    contract.test_predicting_leaves_documents_alone()


@pytest.mark.parametrize("component", [Pickling, Forgetful, type("Joblib", (Majority,), {"file": "m.joblib"})])
def test_unsafe_or_wrong_model_files_fail_the_learner_contract(component, tmp_path):
    with pytest.raises(AssertionError):
        learner_contract(component).test_saved_model_predicts_the_same(tmp_path)


@pytest.mark.parametrize(
    "component",
    [
        Shifted,
        type("TooSure", (Majority,), {"score": 1.5}),
        type("NaN", (Majority,), {"score": None}),
        type("Invented", (Majority,), {"extra": "!"}),
    ],
)
def test_wrong_predictions_fail_the_learner_contract(component):
    with pytest.raises(AssertionError):
        learner_contract(component).test_learns_what_it_was_shown()


def test_nondeterminism_and_side_effects_fail_the_learner_contract():
    with pytest.raises(AssertionError):
        learner_contract(Random).test_training_is_deterministic()
    with pytest.raises(AssertionError):
        learner_contract(Touching).test_predicting_leaves_documents_alone()


class CrashingConverter(Converter):
    title = description = "Crashes"
    extensions = ("x",)

    def convert(self, source):
        yield Document(text=source.path.read_bytes().decode())


def test_crashing_or_silent_converter_fails_its_contract(tmp_path):
    contract = ConverterContract()
    contract.component = CrashingConverter
    contract.sample, contract.sample_name = b"text", "a.x"
    contract.test_good_file_gives_documents(tmp_path)
    with pytest.raises((UnicodeDecodeError, AssertionError)):
        contract.test_wrong_file_is_explained(tmp_path)
    with pytest.raises(AssertionError):
        contract.test_empty_file_is_an_error(tmp_path)


class EagerSuggester(Suggester):
    title = description = "Eager"
    natures = ("classification",)
    learner = ("crf", {})

    def suggest(self, ranked, *, labels):
        for document in ranked:
            yield Suggestion(document, confidence=2.0, priority=0.0, categories=document.categories)


def test_invalid_suggestions_fail_the_suggester_contract():
    contract = SuggesterContract()
    contract.component = EagerSuggester
    with pytest.raises(AssertionError):
        contract.test_suggestions_stand_on_their_segments()
    with pytest.raises(AssertionError):
        contract.test_nothing_to_propose_is_left_out()


class LongRows(Vectorizer):
    title = description = "Long rows"

    def vectorize(self, texts, language):
        import numpy as np

        return np.full((len(texts), 4), 2.0, dtype=np.float32)


def test_vectors_not_of_unit_length_fail_the_vectorizer_contract():
    contract = VectorizerContract()
    contract.component = LongRows
    with pytest.raises(AssertionError):
        contract.test_rows_have_length_one()


def test_heavy_import_at_module_level_fails_the_contract(tmp_path, monkeypatch):
    source = (
        "import numpy\nfrom annotarium_plugins.base.segmenter import Segmenter\n"
        "class Heavy(Segmenter):\n    title = description = 'Heavy'\n    def segment(self, text, language): return []\n"
    )
    (tmp_path / "heavy_segmenter.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    import heavy_segmenter

    contract = SegmenterContract()
    contract.component = heavy_segmenter.Heavy
    with pytest.raises(AssertionError, match="numpy"):
        contract.test_import_and_construction_are_light()


class EchoSuggester(UntrainedSuggester):
    """Wrong in two ways: it takes what people annotated for candidates, and changes the text."""

    title = description = "Echo"

    def find_candidates(self, segments, language):
        for document in segments:
            yield document.model_copy(update={"text": document.text.upper()})

    def suggest(self, ranked, *, labels):
        return iter(())


def test_wrong_candidates_fail_the_contract_of_untrained_suggesters():
    class Contract(UntrainedSuggesterContract):
        component = EchoSuggester
        segments = (Document(identifier="d", text="Ada came."),)

    contract = Contract()
    with pytest.raises(AssertionError):
        contract.test_candidates_stand_in_unchanged_segments()
    with pytest.raises(AssertionError):
        contract.test_labelling_of_the_segments_is_not_repeated()
    contract.test_names_its_learner()


def test_a_trained_suggester_names_its_learner():
    contract = SuggesterContract()
    contract.component = type("Nameless", (EagerSuggester,), {"learner": None})
    with pytest.raises(AssertionError, match="UntrainedSuggester"):
        contract.test_names_its_learner()
