"""Training of conditional random fields with python-crfsuite: progress, cancelling, the same result every time."""

from __future__ import annotations

import ctypes
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotarium_engines.learners.crf_features import Features
from annotarium_plugins.base.component import Progress
from annotarium_schemas.messages import message

_STEP = re.compile(r"\*{5} (?:Iteration|Epoch) #(\d+) \*{5}")


def _seed_shuffling() -> None:
    """The on-line algorithms shuffle with C's `rand`, whose state outlives a training: without this two fits in one
    process give two models."""
    try:
        ctypes.CDLL(None).srand(1)
    except (TypeError, OSError, AttributeError):  # Windows has no global handle
        ctypes.CDLL("msvcrt").srand(1)


def train_crf(
    sequences: Iterable[tuple[list[Features], list[str]]],
    *,
    algorithm: str,
    settings: dict[str, Any],
    iterations: int,
    progress: Progress,
) -> bytes:
    """Bytes of a crfsuite model. What `progress` raises stops the training at the end of the running iteration."""
    import pycrfsuite

    class Trainer(pycrfsuite.Trainer):  # type: ignore[misc]
        def message(self, text: str) -> None:
            step = _STEP.match(text)
            if step:
                progress(min(int(step[1]), iterations), iterations, message("doing.train", "Training"))

    trainer = Trainer(verbose=False)
    trainer.select(algorithm)
    trainer.set_params({**settings, "max_iterations": iterations})
    for rows, tags in sequences:
        trainer.append(rows, tags)
    _seed_shuffling()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.crf"
        trainer.train(str(path))
        return path.read_bytes()


def open_tagger(model: bytes) -> Any:
    """A tagger; the caller keeps `model` alive as long as the tagger, which reads its memory in place."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    return tagger
