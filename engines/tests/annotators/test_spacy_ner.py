"""Entities of spaCy pipelines. Needs spaCy, which the default installation does not contain; the pipeline is created
here.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.testing import AnnotatorContract
from annotarium_schemas.documents import Annotation, Document

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (extra spacy)")

FOLDER = Path(tempfile.mkdtemp(prefix="pipelines"))
os.environ["ANNOTARIUM_SPACY_PIPELINES"] = str(FOLDER)


def write_pipeline(name: str) -> None:
    """Save a pipeline that knows some names, in spaCy's format."""
    made = spacy.blank("en")
    ruler = made.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "Ada Lovelace"},
            {"label": "GPE", "pattern": "Paris"},
            {"label": "ORG", "pattern": "Royal Society"},
            {"label": "PRODUCT", "pattern": "Difference Engine"},
        ]
    )
    made.to_disk(FOLDER / name)


write_pipeline("en_names")

from annotarium_engines.annotators import spacy_ner  # noqa: E402 - it is only offered where a pipeline is
from annotarium_engines.annotators.spacy_ner import SpacyNerAnnotator, SpacyNerParameters  # noqa: E402
from annotarium_engines.annotators.spacy_pipelines import load_pipeline, pipelines  # noqa: E402

TEXT = (
    "\U0001f600 Ada Lovelace\u0301 and Ada Lovelace met in Paris,\r\n\r\n"
    "at the Royal Society, by the Difference Engine."
)


def annotate(text: str, **parameters: Any) -> list[Annotation]:
    (done,) = SpacyNerAnnotator(SpacyNerParameters(**{"pipeline": "en_names", **parameters})).annotate(
        [Document(text=text)], "en"
    )
    return done.annotations


def found(text: str, **parameters: Any) -> list[tuple[str, str | None]]:
    return [(text[one.start : one.end], one.label_name) for one in annotate(text, **parameters)]


class TestSpacyNer(AnnotatorContract):
    component = SpacyNerAnnotator
    parameters: ClassVar = {"pipeline": "en_names"}

    def documents(self) -> list[Document]:
        return [*super().documents(), Document(identifier="names", text=TEXT)]


def test_only_entities_with_a_project_label_are_returned() -> None:
    assert found(TEXT) == [("Ada Lovelace", "person"), ("Paris", "location"), ("Royal Society", "organisation")]


def test_unlisted_entities_can_get_a_common_label() -> None:
    listed = [{"found": "person", "label": "someone"}, {"found": "GPE", "label": ""}]
    assert found(TEXT, labels=listed, other="concept") == [
        ("Ada Lovelace", "someone"),
        ("Royal Society", "concept"),
        ("Difference Engine", "concept"),
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["Ada Lovelace", "Paris", "\U0001f468\u200d\U0001f469", "e\u0301", "\u0627\u0644", " ", "\n", "\t", "x."]
        )
    )
)
def test_offsets_are_code_points_of_any_text(pieces: list[str]) -> None:
    text = " ".join(pieces)
    marks = annotate(text)
    assert all(one.text == text[one.start : one.end] for one in marks)
    assert {one.text for one in marks} <= {"Ada Lovelace", "Paris"}
    assert sum(one.text == "Paris" for one in marks) == pieces.count("Paris")


def test_a_long_text_is_read_in_windows_with_correct_offsets(monkeypatch: pytest.MonkeyPatch) -> None:
    text = ("Paris was \U0001f600 fine.\n" * 30) + "x" * 90 + " Paris"
    whole = annotate(text)
    monkeypatch.setattr(spacy_ner, "_MAX_WINDOW", 50)
    assert annotate(text) == whole
    assert len(whole) == 31


def test_only_pipelines_installed_by_the_administrator_are_loaded(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "elsewhere")
    (FOLDER / "unfinished").mkdir(exist_ok=True)
    assert "unfinished" not in pipelines()
    for name in (str(tmp_path / "elsewhere"), "../elsewhere", "os", "unfinished", ""):
        with pytest.raises(ValueError, match="does not have the pipeline"):
            SpacyNerParameters(pipeline=name)
        with pytest.raises(ComponentError):
            load_pipeline(name)


def test_a_broken_pipeline_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    write_pipeline("en_broken")
    (FOLDER / "en_broken" / "config.cfg").write_text("[nlp]\nlang = 'xyz'\n")
    with pytest.raises(ComponentError) as raised:
        annotate("Paris", pipeline="en_broken")
    assert raised.value.fix is not None
    assert "en_broken" in raised.value.message
