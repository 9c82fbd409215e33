"""Fine-tuned learners. They need the extra `transformers`, which the default installation does not contain: `make
test-transformers` installs it. The encoder is made here, small and random; one test takes MiniLM if it is installed.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import ValidationError

pytest.importorskip("torch", reason="PyTorch is not installed (extra transformers)")
pytest.importorskip("transformers", reason="transformers is not installed (extra transformers)")

from tiny_encoder import write_encoder

FOLDER = Path(tempfile.mkdtemp(prefix="encoders"))
os.environ["ANNOTARIUM_ENCODERS"] = str(FOLDER)
write_encoder(FOLDER / "tiny")

# ruff: noqa: E402 - the components are imported once the encoder is there
from annotarium_engines.learners import encoders
from annotarium_engines.learners.token_tagger import best_tags
from annotarium_engines.learners.transformer_text_classifier import (
    TransformerTextClassifier,
    TransformerTextClassifierParameters,
)
from annotarium_engines.learners.transformer_token_classifier import (
    TransformerTokenClassifier,
    TransformerTokenClassifierParameters,
)
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.testing import LearnerContract
from annotarium_plugins.testing.samples import classification_documents, sequence_documents
from annotarium_schemas.documents import Annotation, Category, Document

pytestmark = pytest.mark.filterwarnings("ignore")  # of third-party libraries
TINY: dict[str, Any] = {"model": "tiny", "epochs": 12, "learning_rate": 3e-3, "batch_size": 8}


class TestTransformerTokenClassifier(LearnerContract):
    component = TransformerTokenClassifier
    parameters: ClassVar = TINY


class TestTransformerTextClassifier(LearnerContract):
    component = TransformerTextClassifier
    parameters: ClassVar = TINY


class TestTransformerTextClassifierSeveral(LearnerContract):
    component = TransformerTextClassifier
    parameters: ClassVar = {
        **TINY,
        "multi_label": "yes",
        "head": "hidden",
        "accumulation": 2,
        "class_weights": "balanced",
    }


def token_learner(**parameters: Any) -> TransformerTokenClassifier:
    return TransformerTokenClassifier(TransformerTokenClassifierParameters(**{**TINY, **parameters}))


def text_learner(**parameters: Any) -> TransformerTextClassifier:
    return TransformerTextClassifier(TransformerTextClassifierParameters(**{**TINY, **parameters}))


def fit_tokens(documents: list[Document] | None = None, **parameters: Any) -> TransformerTokenClassifier:
    learner = token_learner(**parameters)
    learner.fit(documents or sequence_documents(), labels=["person", "place"], language="en")
    return learner


def fit_texts(documents: list[Document] | None = None, **parameters: Any) -> TransformerTextClassifier:
    learner = text_learner(**parameters)
    learner.fit(documents or classification_documents(), labels=["sport", "money", "food"], language="en")
    return learner


def spans(document: Document) -> list[tuple[str, str | None]]:
    return [(one.text, one.label_name) for one in document.annotations]


def predict_text(learner: Any, text: str) -> Document:
    (found,) = learner.predict([Document(text=text)], "en")
    assert isinstance(found, Document)
    return found


def test_every_part_of_a_long_text_is_read_with_exact_offsets() -> None:
    sentences = [one.text for one in sequence_documents() if one.annotations] * 3
    text = "\U0001f600 " + "\r\n".join(sentences)
    learner = fit_tokens(epochs=20)
    found = predict_text(learner, text).annotations
    assert all(text[one.start : one.end] == one.text for one in found)
    wanted = {one.text for document in sequence_documents() for one in document.annotations}
    right = [one for one in found if one.text in wanted]
    assert len(right) >= 0.8 * 2 * len(sentences)
    assert max(one.end for one in right) > len(text) - 80


def test_a_long_text_is_classified_by_all_its_windows() -> None:
    learner = fit_texts()
    late = "Nothing to say. " * 4 + "The team won the match, a late goal in the final. " * 12
    assert [one.label_name for one in predict_text(learner, late).categories] == ["sport"]


def test_rejected_categories_are_counter_examples() -> None:
    documents = [
        *classification_documents(),
        *(
            Document(
                identifier=f"no{n}", text=f"shares fell {n}", categories=[Category(label_name="sport", status="KO")]
            )
            for n in range(4)
        ),
    ]
    learner = fit_texts(documents)
    assert predict_text(learner, "shares fell on the market").categories[0].label_name != "sport"


def test_several_categories_have_thresholds_of_their_own() -> None:
    both = [
        Document(
            identifier=f"b{n}:000",
            text=f"Today {a.text} {b.text}",
            categories=[Category(label_name=one.categories[0].label_name) for one in (a, b)],
        )
        for n, (a, b) in enumerate(zip(classification_documents()[:12], classification_documents()[12:24], strict=True))
    ]
    repeated = [
        one.model_copy(update={"identifier": f"{one.identifier}-{n}:000"})
        for n in range(4)
        for one in [*classification_documents(), *both]
    ]
    learner = fit_texts(repeated, epochs=6)
    found = {one.label_name for one in predict_text(learner, both[0].text).categories}
    assert found == {"sport", "money"}


@pytest.mark.parametrize("parameters", [{"frozen_layers": 1}, {"frozen_layers": 2}, {"head": "hidden"}])
def test_frozen_layers_stay_as_they_were(parameters: dict[str, Any], tmp_path: Path) -> None:
    from safetensors.torch import load_file

    fit_tokens(**parameters, epochs=2).save(tmp_path)
    before = load_file(FOLDER / "tiny" / "model.safetensors")
    after = load_file(tmp_path / "weights.safetensors")
    frozen = parameters.get("frozen_layers", 0)
    for layer in range(2):
        name = f"encoder.layer.{layer}.output.dense.weight"
        assert bool((before[name] == after[f"encoder.{name}"]).all()) == (layer < frozen)


def test_training_stops_early_and_keeps_the_best_epoch() -> None:
    repeated = [
        one.model_copy(update={"identifier": f"{one.identifier}-{n}:000"})
        for n in range(4)
        for one in sequence_documents()
    ]
    told: list[str] = []
    learner = token_learner(epochs=40, patience=1)
    learner.fit(
        repeated, labels=["person", "place"], language="en", progress=lambda step, total, words: told.append(str(words))
    )
    assert 2 <= len({words for words in told if words.startswith("pass")}) < 40
    assert spans(predict_text(learner, "Ada Lovelace lived in Paris for years.")) == [
        ("Ada Lovelace", "person"),
        ("Paris", "place"),
    ]


def test_only_encoders_of_the_administrator_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_encoder(tmp_path / "elsewhere")
    for name in (str(tmp_path / "elsewhere"), "../elsewhere", "some/model", ""):
        with pytest.raises(ValidationError, match="does not have the encoder"):
            token_learner(model=name)
        with pytest.raises(ComponentError):
            encoders.encoder_folder(name)
    monkeypatch.setenv("ANNOTARIUM_ENCODERS", f"{tmp_path / 'elsewhere'}, some/model")
    assert {"elsewhere": tmp_path / "elsewhere", "some/model": None}.items() <= encoders.encoders().items()


def test_pickled_weights_are_not_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_encoder(tmp_path / "pickled", pickled=True)
    monkeypatch.setenv("ANNOTARIUM_ENCODERS", str(tmp_path))
    assert "pickled" not in encoders.encoders()


def test_code_of_an_encoder_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, proof = tmp_path / "coded", tmp_path / "ran"
    write_encoder(folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "code.Own", "AutoModel": "code.Own"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text(f"open({str(proof)!r}, 'w')\n")
    monkeypatch.setenv("ANNOTARIUM_ENCODERS", str(tmp_path))
    with pytest.raises(ComponentError):
        fit_tokens(model="coded")
    assert not proof.exists()


def test_nothing_is_downloaded_unless_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("ANNOTARIUM_ENCODERS", "some/model")
    with pytest.raises(ComponentError) as raised:
        fit_tokens(model="some/model")
    assert raised.value.cause == "Downloads are not allowed here."


@pytest.mark.parametrize(
    ("downloads", "air_gapped", "allowed"), [("", "", False), ("true", "", True), ("true", "1", False)]
)
def test_downloads_are_never_allowed_in_air_gapped_mode(
    downloads: str, air_gapped: str, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANNOTARIUM_ENCODER_DOWNLOADS", downloads)
    monkeypatch.setenv("ANNOTARIUM_AIR_GAPPED", air_gapped)
    assert encoders.may_download() is allowed


def test_a_trained_model_needs_its_encoder_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = fit_tokens()
    before = spans(predict_text(learner, "Marie Curie never saw London!"))
    learner.save(tmp_path)
    monkeypatch.setenv("ANNOTARIUM_ENCODERS", "")
    stored = json.loads((tmp_path / "manifest.json").read_text())["parameters"]
    parameters = TransformerTokenClassifierParameters.model_validate(stored, context={"trained": True})
    restored = TransformerTokenClassifier(parameters)
    restored.load(tmp_path)
    assert spans(predict_text(restored, "Marie Curie never saw London!")) == before


def forge(folder: Path, name: str, content: bytes) -> None:
    """Replace a file of a model, with the right fingerprint."""
    import hashlib

    (folder / name).write_bytes(content)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][name] = hashlib.sha256(content).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("weights.safetensors", lambda content: b"\x80\x04cos\nsystem\n."),
        ("weights.safetensors", lambda content: content[: len(content) // 2]),
        ("config.json", lambda content: b"{}"),
        ("config.json", lambda content: content.replace(b'"model_type": "bert"', b'"model_type": "gpt2"')),
        ("config.json", lambda content: content.replace(b'"sdpa"', b'"someone/kernels"')),
        ("config.json", lambda content: content.replace(b'"hidden_size": 32', b'"hidden_size": 64')),
        ("tokenizer.json", lambda content: b"[]"),
    ],
)
def test_forged_models_are_refused(name: str, change: Any, tmp_path: Path) -> None:
    fit_tokens(epochs=1).save(tmp_path)
    content = (tmp_path / name).read_bytes()
    assert change(content) != content
    forge(tmp_path, name, change(content))
    with pytest.raises(ComponentError):
        token_learner().load(tmp_path)


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    fit_texts(epochs=1).save(tmp_path)
    with (tmp_path / "weights.safetensors").open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\x01")
    with pytest.raises(ComponentError):
        text_learner().load(tmp_path)


def test_without_examples_there_is_an_error() -> None:
    with pytest.raises(ComponentError):
        fit_tokens([Document(identifier="a", text="nothing here")])
    with pytest.raises(ComponentError):
        fit_texts([Document(identifier="a", text="nothing here")])


def test_an_inside_tag_continues_its_label() -> None:
    import numpy as np

    tags = ["O", "B-a", "I-a", "B-b", "I-b"]
    rows = np.array([[0.1, 0.5, 0.2, 0.1, 0.1], [0.1, 0.1, 0.2, 0.1, 0.5], [0.6, 0.1, 0.1, 0.1, 0.1]], dtype=np.float32)
    assert best_tags(tags, rows) == ["B-a", "I-a", "O"]
    assert best_tags(tags, rows[:0]) == []


@pytest.mark.skipif(encoders.MINILM not in encoders.encoders(), reason="the package of MiniLM is not installed")
def test_minilm_learns_names_it_has_not_seen() -> None:
    learner = token_learner(model=encoders.MINILM, epochs=8, learning_rate=3e-4)
    learner.fit(sequence_documents(), labels=["person", "place"], language="en")
    found = predict_text(learner, "Rosa Luxemburg lived in Berlin for years.")
    assert spans(found) == [("Rosa Luxemburg", "person"), ("Berlin", "place")]


def test_overlapping_annotations_and_half_words_do_not_break_training() -> None:
    documents = sequence_documents()
    text = documents[0].text
    documents[0].annotations.append(Annotation(start=2, end=len(text) - 1, text=text[2:-1], label_name="place"))
    assert list(fit_tokens(documents, epochs=1).predict([Document(text=text)], "en"))
