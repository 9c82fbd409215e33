"""Answers of components as JSON of `AnswerRead`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.errors import AnnotariumError
from annotarium_schemas.messages import message_of


def error_to_json(failure: AnnotariumError) -> dict[str, Any]:
    """Why there is no answer, or only a part of one."""
    texts = {"message": failure.message, "cause": failure.cause, "fix": failure.fix}
    return {"code": failure.error, **texts, "said": message_of(**texts)}


def answer_to_json(answer: dict[str, Any]) -> dict[str, Any]:
    """The fields of an answer that its answerer determines."""
    usage = answer.get("usage") or {}
    return {
        "text": answer["text"],
        "told": answer["told"],
        "supported": answer["supported"],
        "unsupported": [{"start": start, "end": end} for start, end in answer.get("unsupported", ())],
        "citations": [_citation_to_json(one) for one in answer.get("citations", ())],
        "model": answer.get("model", ""),
        "score": answer.get("score", 0.0),
        "usage": {
            "promptTokens": usage.get("prompt_tokens", 0),
            "answerTokens": usage.get("answer_tokens", 0),
            "cost": usage.get("cost", 0.0),
        },
    }


def _citation_to_json(citation: dict[str, Any]) -> dict[str, Any]:
    same = {name: citation[name] for name in ("passage", "start", "end", "quote")}
    return same | {"answerStart": citation["answer_start"], "answerEnd": citation["answer_end"]}


def passages_to_json(passages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The passages of a context, numbered from 1."""
    return [
        {
            "number": number,
            "segmentId": one["segment_id"],
            "documentIdentifier": one["document_id"],
            "documentTitle": one["title"],
        }
        | {name: one[name] for name in ("start", "end", "text", "score")}
        for number, one in enumerate(passages, 1)
    ]
