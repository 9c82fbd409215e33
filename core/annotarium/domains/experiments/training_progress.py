"""What a training job reports while it runs and when it ends: its steps with percentages, counted in the right unit.

The steps are: read the annotations, choose the test part, train and test once or several times, train the final model,
save it. The percentages follow what learners report, so that they are real.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeVar

from annotarium.errors import InvalidInput
from annotarium_plugins.base.component import Progress
from annotarium_schemas.messages import Message, join_messages, message

SampleUnit = Literal["documents", "segments"]
"""What one sample is: a whole document in most classification projects, else a segment."""
READ, FITTED, SAVE, TOTAL = 5, 93, 96, 100
"""Percentages: after reading, after training and testing, while the model is saved, at the end."""
_TEST_SHARE = 0.1
"""Share of a round that testing takes, roughly; the rest is training."""
_SEPARATOR = " · "
T = TypeVar("T")


def reading_message(count: int, unit: SampleUnit) -> Message:
    """Progress while the training data is read."""
    if unit == "documents":
        return message(
            "doing.readAnnotatedDocuments",
            "Reading annotations: {count:,} documents",
            one="Reading annotations: {count:,} document",
            count=count,
        )
    return message(
        "doing.readAnnotations",
        "Reading annotations: {count:,} segments",
        one="Reading annotations: {count:,} segment",
        count=count,
    )


def reading_texts_message(count: int) -> Message:
    """Progress while the texts for topics are read."""
    return message("doing.readTexts", "Reading texts: {count:,}", count=count)


def trained_message(count: int, unit: SampleUnit) -> Message:
    """The beginning of the final message."""
    if unit == "documents":
        return message(
            "done.trainedOnDocuments",
            "Trained on {count:,} documents",
            one="Trained on {count:,} document",
            count=count,
        )
    return message("done.trained", "Trained on {count:,} segments", one="Trained on {count:,} segment", count=count)


def too_little_error(count: int, labels: int, unit: SampleUnit) -> InvalidInput:
    """The error for too little training data: what was found, and what to do."""
    if unit == "documents":
        cause = message(
            "train.littleDocuments",
            "There are {count:,} labelled documents outside the test part; labels used there: {labels:,}",
            one="There is {count:,} labelled document outside the test part; labels used there: {labels:,}",
            count=count,
            labels=labels,
        )
        fix = message("fix.labelMoreDocuments", "Label more documents, then launch the training again")
    else:
        cause = message(
            "train.littleCause",
            "There are {count:,} annotated segments outside the test part; labels used there: {labels:,}",
            one="There is {count:,} annotated segment outside the test part; labels used there: {labels:,}",
            count=count,
            labels=labels,
        )
        fix = message("fix.annotateMore", "Annotate more segments, then launch the training again")
    return InvalidInput(message("train.little", "There are too few annotations to learn from"), cause=cause, fix=fix)


def splitting_message() -> Message:
    """Progress while the test part is chosen."""
    return message("doing.chooseTestPart", "Choosing the test part")


class TrainingProgress:
    """Combines the progress of several successive trainings, each followed by its test, into one percentage.

    Args:
        rounds: number of trainings that are tested.
        again: whether a final model is trained after them.
    """

    def __init__(self, rounds: int, again: bool, progress: Progress) -> None:
        self._rounds, self._progress = rounds, progress
        self._trainings, self._done = rounds + again, 0

    def start(self, *, final: bool) -> Progress:
        """Begin the next training; returns its progress function."""
        span = (FITTED - READ) / self._trainings
        first = READ + span * self._done
        self._done += 1
        phase, number = self._phase(final), self._round(final)
        share = 1.0 if final else 1 - _TEST_SHARE

        def fitting(step: int, total: int, words: str) -> None:
            done = min(1.0, step / max(total, 1))
            detail = words if words != phase else None
            shown = join_messages([phase, number, detail], _SEPARATOR)
            self._progress(round(first + share * span * done), TOTAL, shown)

        fitting(0, 1, "")
        return fitting

    def tested(self, samples: Iterable[T], count: int, unit: SampleUnit) -> Iterator[T]:
        """Yield the samples and report how many were tested; also lets the job be cancelled between them."""
        span = (FITTED - READ) / self._trainings
        end = READ + span * self._done
        words = join_messages([_testing_message(count, unit), self._round(final=False)], _SEPARATOR)
        for number, sample in enumerate(samples):
            done = number / max(count, 1)
            self._progress(round(end - _TEST_SHARE * span * (1 - done)), TOTAL, words)
            yield sample

    def _phase(self, final: bool) -> Message:
        if self._trainings == 1:
            return message("doing.train", "Training")
        if final:
            return message("doing.trainAll", "Training the final model on all documents")
        return message("doing.trainMeasured", "Training the model to be measured")

    def _round(self, final: bool) -> Message | None:
        if final or self._rounds < 2:
            return None
        return message("doing.round", "round {number:,} of {rounds:,}", number=self._done, rounds=self._rounds)


def _testing_message(count: int, unit: SampleUnit) -> Message:
    if unit == "documents":
        return message(
            "doing.testDocuments",
            "Testing on {count:,} documents",
            one="Testing on {count:,} document",
            count=count,
        )
    return message(
        "doing.testSegments", "Testing on {count:,} segments", one="Testing on {count:,} segment", count=count
    )
