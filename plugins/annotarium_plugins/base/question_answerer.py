"""Kind questionAnswerer: answers a question from numbered passages, with citations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from annotarium_plugins.base.component import Component, P
from annotarium_plugins.base.follow_up import Turn
from annotarium_plugins.base.rag_context_builder import Passage


@dataclass(frozen=True)
class Citation:
    """A quotation that supports a range of the answer.

    Attributes:
        passage: number of the passage, from 1.
        start, end: code points in the text of the passage.
        quote: the text between them.
        answer_start, answer_end: code points in the text of the answer that the quotation supports; both 0 when the
            answerer does not know.
    """

    passage: int
    start: int
    end: int
    quote: str
    answer_start: int = 0
    answer_end: int = 0


@dataclass(frozen=True)
class Usage:
    """What an answer cost; `cost` is in the currency of the configured prices, 0 without prices."""

    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True)
class Answer:
    """An answer.

    Attributes:
        text: plain text; empty when the documents do not tell.
        citations: in the order of the answer.
        supported: False when a part of the answer is not supported by a citation.
        unsupported: ranges of `text`, as (start, end) in code points, that no citation supports.
        told: False when the passages do not answer the question.
        score: confidence of the answerer, 0..1.
        model: name of the model that answered, empty without one.
    """

    text: str
    citations: list[Citation] = field(default_factory=list)
    supported: bool = True
    unsupported: list[tuple[int, int]] = field(default_factory=list)
    told: bool = True
    score: float = 0.0
    model: str = ""
    usage: Usage = Usage()


class QuestionAnswerer(Component[P]):
    """Answers from the given passages only.

    Attributes:
        calls_server: each answer is a call to a server, which may cost money: experiments limit such calls.
    """

    calls_server: ClassVar[bool] = False

    @abstractmethod
    def answer(self, question: str, context: str, passages: Sequence[Passage], language: str) -> Answer:
        """Answer `question` in `language`; `context` is the text that was built from `passages`.

        Raises:
            ComponentError: no answer can be given now, e.g. because a server does not respond.
        """

    def stream(self, question: str, context: str, passages: Sequence[Passage], language: str) -> Iterator[Answer]:
        """Yield the answer as it grows; the text of each item continues that of the item before, the last is complete.

        Answerers that do not override it answer at once. Raises as `answer`, possibly after the first items.
        """
        yield self.answer(question, context, passages, language)

    def stream_follow_up(
        self, turns: Sequence[Turn], question: str, context: str, passages: Sequence[Passage], language: str
    ) -> Iterator[Answer]:
        """As `stream`, for a question that may refer to `turns`, oldest first.

        Answerers that do not override it answer the question alone.
        """
        yield from self.stream(question, context, passages, language)
