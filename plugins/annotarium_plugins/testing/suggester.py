"""Contract of suggesters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from annotarium_plugins.base.suggester import Suggestion, UntrainedSuggester
from annotarium_plugins.testing.checks import check_annotation, check_category, check_score
from annotarium_plugins.testing.component import ComponentContract
from annotarium_schemas.documents import Annotation, Category, Document

_LABELS = ("person", "place", "sport", "money")


class SuggesterContract(ComponentContract):
    """Passes ranked candidates in the form that `Learner.rank` returns."""

    def ranked(self) -> list[Document]:
        """Return segments with competing candidates: certain, uncertain, and one without any."""
        documents = [Document(identifier="none", text="Nothing here.")]
        sequence = "sequence_labelling" in self.component.natures
        for number, margin in enumerate((0.0, 0.1, 0.5, 0.96)):
            text = f"Ada {number} came."
            best, second = (1 + margin) / 2, (1 - margin) / 2
            document = Document(identifier=f"d{number}", text=text)
            if sequence:
                scored = (("person", best), ("place", second))
                document.annotations = [_annotation(text, label, score) for label, score in scored]
            else:
                scored = (("sport", best), ("money", second))
                document.categories = [_category(label, score) for label, score in scored]
            documents.append(document)
        return documents

    def suggestions(self) -> list[Suggestion]:
        """Return the suggestions for `ranked`."""
        return list(self.build().suggest(self.ranked(), labels=_LABELS))

    def test_names_its_learner(self) -> None:
        """The learner is given by a name and JSON parameters; only a suggester that is not trained has none."""
        learner = self.build().learner
        untrained = issubclass(self.component, UntrainedSuggester)
        assert (learner is None) is untrained is (not self.build().needs_labels), (
            "only an UntrainedSuggester has no learner"
        )
        if learner is None:
            return
        name, parameters = learner
        assert isinstance(name, str), "the learner has no name"
        assert name, "the learner has no name"
        assert isinstance(parameters, dict), "the learner's parameters are not a mapping"

    def test_suggestions_stand_on_their_segments(self) -> None:
        """Proposals are in range and have scores, confidence and priority are within 0..1, segments are unchanged and
        in order.
        """
        given = {document.identifier: document for document in self.ranked()}
        made = self.suggestions()
        assert made, "nothing is suggested from clear candidates"
        for suggestion in made:
            text = suggestion.document.text
            assert text == given[suggestion.document.identifier].text, "the segment was changed"
            check_score(suggestion.confidence, required=True)
            check_score(suggestion.priority, required=True)
            assert suggestion.annotations or suggestion.categories, "a suggestion without a proposal"
            for annotation in suggestion.annotations:
                check_annotation(text, annotation, scored=True)
            for category in suggestion.categories:
                check_category(text, category, scored=True)
        order = [suggestion.document.identifier for suggestion in made]
        assert order == [name for name in given if name in order], "the order was changed, or a segment comes twice"

    def test_nothing_to_propose_is_left_out(self) -> None:
        """A segment without candidates gives no suggestion."""
        assert "none" not in [suggestion.document.identifier for suggestion in self.suggestions()]

    def test_suggesting_is_deterministic(self) -> None:
        """The same candidates give the same suggestions."""
        assert self.suggestions() == self.suggestions(), "two runs differ"


class UntrainedSuggesterContract(SuggesterContract):
    """Adds the promises of `find_candidates`.

    Attributes:
        segments: segments without labelling: one at least has candidates, the one with the identifier `none` has none.
    """

    segments: ClassVar[Sequence[Document]]

    def ranked(self) -> list[Document]:
        """Return the segments with the candidates that the suggester finds."""
        return list(self.build().find_candidates(self.segments, "en"))

    def test_candidates_stand_in_unchanged_segments(self) -> None:
        """Every segment comes back, in order and with its text; candidates are in range, scored, and deterministic."""
        given, found = self.segments, self.ranked()
        assert [(one.identifier, one.text) for one in found] == [(one.identifier, one.text) for one in given]
        assert any(one.annotations or one.categories for one in found), "no candidates are found"
        for document in found:
            for annotation in document.annotations:
                check_annotation(document.text, annotation, scored=True)
            for category in document.categories:
                check_category(document.text, category, scored=True)
        assert found == self.ranked(), "two runs differ"

    def test_labelling_of_the_segments_is_not_repeated(self) -> None:
        """What people annotated is no candidate."""
        given = [
            one.model_copy(update={"annotations": [_annotation(one.text, "person", 1.0)]})
            for one in self.segments
            if len(one.text) > 3
        ]
        plain = [one for one in self.segments if len(one.text) > 3]
        assert list(self.build().find_candidates(given, "en")) == list(self.build().find_candidates(plain, "en"))


def _annotation(text: str, label: str, score: float) -> Annotation:
    return Annotation(start=0, end=3, text=text[:3], label_name=label, score=score, creation_mode="automatic")


def _category(label: str, score: float) -> Category:
    return Category(label_name=label, score=score, creation_mode="automatic")
