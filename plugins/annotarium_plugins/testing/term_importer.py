"""Contract of term importers."""

from __future__ import annotations

from pathlib import Path

from annotarium_plugins.testing.converter import FileReaderContract
from annotarium_schemas.documents import Term


class TermImporterContract(FileReaderContract):
    """Attributes: see `FileReaderContract`."""

    verb = "parse"
    parse = FileReaderContract.read_content

    def test_good_file_gives_terms(self, tmp_path: Path) -> None:
        """A good file yields terms only, each with an identifier."""
        made = self.parse(tmp_path, self.sample)
        assert made, "a good file gives nothing"
        assert all(isinstance(term, Term) and term.identifier for term in made), "a good file gives errors"
