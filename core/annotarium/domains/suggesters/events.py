"""What suggesters and experiments listen to; `connect` is called in every process that writes (jobs.run)."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.changes import on_labelling
from annotarium.domains.experiments.service import outdate
from annotarium.domains.suggesters.service import count_answers


def _answered(call: ProjectCall, answers: int) -> None:
    outdate(call)
    count_answers(call, answers)


def connect() -> None:
    """Hear of annotations and categories that changed; once per process, however often it is called."""
    on_labelling(_answered)
