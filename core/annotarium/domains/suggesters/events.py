"""What suggesters and experiments listen to; `connect` is called in every process that writes (jobs.run)."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.changes import on_labelling
from annotarium.domains.experiments.service import outdate
from annotarium.domains.labels.service import on_uses_asked
from annotarium.domains.suggesters.label_uses import find_label_uses
from annotarium.domains.suggesters.service import count_answers


def _answered(call: ProjectCall, answers: int) -> None:
    outdate(call)
    count_answers(call, answers)


def connect() -> None:
    """Hear of annotations and categories that changed, and of labels that may go; however often it is called."""
    on_labelling(_answered)
    on_uses_asked(find_label_uses)
