"""Trains conditional random fields with python-crfsuite: with progress, cancellable and reproducible."""

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
    """The on-line algorithms shuffle with C's `rand`, whose state outlives a training: without a seed, two trainings in
    one process give different models.
    """
    try:
        ctypes.CDLL(None).srand(1)
    except (TypeError, OSError, AttributeError):  # Windows does not provide a handle of the C library this way
        ctypes.CDLL("msvcrt").srand(1)


def train_crf(
    sequences: Iterable[tuple[list[Features], list[str]]],
    *,
    algorithm: str,
    settings: dict[str, Any],
    iterations: int,
    progress: Progress,
) -> bytes:
    """Return the bytes of a crfsuite model. An exception raised by `progress` stops the training after the current
    iteration.
    """
    import pycrfsuite

    class Trainer(pycrfsuite.Trainer):  # type: ignore[misc]
        def message(self, text: str) -> None:
            step = _STEP.match(text)
            if step:
                done = min(int(step[1]), iterations)
                words = message("doing.trainPass", "pass {step:,} of {total:,}", step=done, total=iterations)
                progress(done, iterations, words)

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
    """Return a tagger. The caller must keep `model` alive as long as the tagger, which reads its memory in place."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    return tagger
