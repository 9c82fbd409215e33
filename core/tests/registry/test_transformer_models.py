"""A fine-tuned model from elsewhere: loaded in the process without rights, where the encoder it came from is unknown.
Needs the extra `transformers` (`make test-transformers`).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (extra transformers)")
pytest.importorskip("transformers", reason="transformers is not installed (extra transformers)")

from tiny_encoder import write_encoder

from annotarium.errors import InvalidInput
from annotarium.registry.foreign_model_client import ForeignModelProcess
from annotarium.registry.registry import Registry
from annotarium_plugins.testing.samples import sequence_documents

pytestmark = pytest.mark.filterwarnings("ignore")  # of third-party libraries
ENGINE = "transformer_token_classifier"


def test_a_model_runs_confined_and_without_its_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_encoder(tmp_path / "encoders" / "tiny")
    monkeypatch.setenv("ANNOTARIUM_ENCODERS", str(tmp_path / "encoders"))
    parameters = {"model": "tiny", "epochs": 12, "learning_rate": 3e-3, "batch_size": 8}
    learner = Registry().build("learner", ENGINE, parameters)
    documents = sequence_documents()
    learner.fit(documents, labels=["person", "place"], language="en")  # type: ignore[attr-defined]
    model = tmp_path / "model"
    model.mkdir()
    learner.save(model)  # type: ignore[attr-defined]

    monkeypatch.setenv("ANNOTARIUM_ENCODERS", "")
    with pytest.raises(InvalidInput):
        Registry().validate("learner", ENGINE, parameters)
    assert Registry().validate("learner", ENGINE, parameters, trained=True)
    process = ForeignModelProcess(model)
    held = process.ask(
        "load",
        kind="learner",
        name=ENGINE,
        parameters=parameters,
        version="1",
        folder=str(model),
        memory=4096 << 20,
        seconds=600,
    )
    assert "limits" in held
    given = [{"identifier": "x", "text": documents[0].text}]
    (found,) = process.ask("predict", documents=given, language="en")
    assert [one["text"] for one in found["annotations"]] == [one.text for one in documents[0].annotations]
    assert os.environ["ANNOTARIUM_ENCODERS"] == ""
