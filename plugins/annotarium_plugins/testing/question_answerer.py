"""Contract of question answerers."""

from __future__ import annotations

from itertools import pairwise

from annotarium_plugins.base.question_answerer import Answer
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.rag_context_builder import passages


class QuestionAnswererContract(ComponentContract):
    """For an answerer that works without network access; others need a local server in a fixture."""

    def answer(self, question: str) -> Answer:
        """Return the answer to a question on the sample passages."""
        given = passages()
        context = "\n".join(f"[{number}] {passage.text}" for number, passage in enumerate(given, 1))
        answer: Answer = self.build().answer(question, context, given, "en")
        return answer

    def test_citations_are_quotes(self) -> None:
        """A citation names a given passage and quotes it exactly."""
        given = passages()
        for citation in self.answer("Where did Ada Lovelace live?").citations:
            assert 1 <= citation.passage <= len(given), f"passage {citation.passage} was not given"
            text = given[citation.passage - 1].text
            assert citation.quote == text[citation.start : citation.end], f"{citation.quote!r} is not in the passage"

    def test_no_passage_is_not_supported_by_one(self) -> None:
        """Without passages there are no citations."""
        answer: Answer = self.build().answer("Who?", "", [], "en")
        assert answer.citations == [], "a citation of nothing"

    def test_stream_grows_to_the_answer(self) -> None:
        """Each streamed text continues the one before; the last item is the answer."""
        given = passages()
        context = "\n".join(f"[{number}] {passage.text}" for number, passage in enumerate(given, 1))
        question = "Where did Ada Lovelace live?"
        items: list[Answer] = list(self.build().stream(question, context, given, "en"))
        assert items, "nothing was streamed"
        for before, after in pairwise(items):
            assert after.text.startswith(before.text), f"{after.text!r} does not continue {before.text!r}"
        assert items[-1] == self.answer(question), "the last item is not the answer"

    def test_ranges_are_in_the_answer(self) -> None:
        """Ranges are within the text; an answer that is not told has no text and no citations."""
        for question in ("Where did Ada Lovelace live?", "Qwzx vbnm?"):
            answer = self.answer(question)
            ranges = [(one.answer_start, one.answer_end) for one in answer.citations]
            for start, end in [*ranges, *answer.unsupported]:
                assert 0 <= start <= end <= len(answer.text), f"{start}-{end} is not in the answer"
            assert answer.told or not (answer.text or answer.citations), "an answer that is not told"
