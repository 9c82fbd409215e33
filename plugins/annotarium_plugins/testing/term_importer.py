"""Contract of term importers."""

from __future__ import annotations

from pathlib import Path

from annotarium_plugins.base.converter import ItemError
from annotarium_plugins.testing.converter import FileContract
from annotarium_schemas.documents import Term


class TermImporterContract(FileContract):
    """Attributes: `sample`, the bytes of a good file; `sample_name`, its name with a fitting extension."""

    def parse(self, folder: Path, content: bytes) -> list[Term | ItemError]:
        """Everything the importer yields for a file with this content."""
        return list(self.build().parse(self.write_source(folder, content)))

    def test_good_file_gives_terms(self, tmp_path: Path) -> None:
        """Terms only, each with an identifier."""
        made = self.parse(tmp_path, self.sample)
        assert made, "a good file gives nothing"
        assert all(isinstance(term, Term) and term.identifier for term in made), "a good file gives errors"

    def test_wrong_file_is_explained(self, tmp_path: Path) -> None:
        """`ItemError` or `ComponentError` with words; no other exception, whatever the file holds."""
        for name, item in self.read_broken_files(lambda content: self.parse(tmp_path, content)):
            assert not isinstance(item, ItemError) or (item.item and item.message), f"{name}: error without words"
