"""What suggesters and experiments listen to; `connect` is called in every process that writes (jobs.run)."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.changes import on_labelling
from annotarium.corpus.material import on_material
from annotarium.domains.experiments.service import outdate
from annotarium.domains.labels.service import on_uses_asked
from annotarium.domains.suggesters.label_uses import find_label_uses
from annotarium.domains.suggesters.service import count_answers, outdate_suggesters


def _answered(call: ProjectCall, answers: int) -> None:
    outdate(call)
    count_answers(call, answers)


def _outdated(call: ProjectCall) -> None:
    outdate(call)
    outdate_suggesters(call)


def connect() -> None:
    """Hear of annotations and categories that changed, of texts and segments that did, and of labels that may go;
    however often it is called."""
    on_labelling(_answered)
    on_material(_outdated)
    on_uses_asked(find_label_uses)
