"""Contract of term importers."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.testing.checks import check_texts
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.converter import broken_files
from annotarium_schemas.documents import Term


class TermImporterContract(ComponentContract):
    """Attributes: `sample`, the bytes of a good file; `sample_name`, its name with a supported extension."""

    sample: ClassVar[bytes]
    sample_name: ClassVar[str]

    def parse(self, folder: Path, content: bytes) -> list[Term | ItemError]:
        """Return everything the importer yields for a file with this content."""
        path = folder / "upload"
        path.write_bytes(content)
        return list(self.build().parse(SourceFile(path=path, name=self.sample_name, language="en")))

    def test_good_file_gives_terms(self, tmp_path: Path) -> None:
        """A good file yields terms only, each with an identifier."""
        made = self.parse(tmp_path, self.sample)
        assert made, "a good file gives nothing"
        assert all(isinstance(term, Term) and term.identifier for term in made), "a good file gives errors"

    def test_wrong_file_is_explained(self, tmp_path: Path) -> None:
        """A broken file gives `ItemError` or `ComponentError` with an explanation, and no other exception."""
        for name, content in broken_files(self.sample):
            try:
                made = self.parse(tmp_path, content)
            except ComponentError as error:
                check_texts(name, error.message)
                continue
            for item in made:
                assert not isinstance(item, ItemError) or (item.item and item.message), f"{name}: error without words"
