"""Contract of question answerers."""

from __future__ import annotations

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
