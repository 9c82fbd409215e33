"""Contract of term importers."""

from __future__ import annotations

from pathlib import Path

import orjson

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_properties import FORM_LENGTH, FORM_TYPES, IDENTIFIER_LENGTH
from annotarium_plugins.testing.converter import FileReaderContract
from annotarium_schemas.documents import Term


class TermImporterContract(FileReaderContract):
    """Attributes: see `FileReaderContract`."""

    verb = "read"
    parse = FileReaderContract.read_content

    def test_good_file_gives_terms(self, tmp_path: Path) -> None:
        """A good file yields terms only, each with an identifier of its own."""
        made = self.parse(tmp_path, self.sample)
        assert made, "a good file gives nothing"
        for term in made:
            assert isinstance(term, Term), f"a good file gives {term}"
            self.check_item(term)
        assert len({term.identifier for term in made}) == len(made), "two terms have one identifier"

    def test_file_is_read_equal_twice(self, tmp_path: Path) -> None:
        """The terms depend neither on the clock nor on random order."""
        assert self.parse(tmp_path, self.sample) == self.parse(tmp_path, self.sample), "two runs differ"

    def test_preview_shows_the_beginning(self, tmp_path: Path) -> None:
        """A preview has terms that reading gives, at most as many as requested rows, and can be stored as JSON."""
        path = tmp_path / "upload"
        path.write_bytes(self.sample)
        preview = self.build().preview(SourceFile(path=path, name=self.sample_name, language="en"), 1)
        assert len(preview.terms) == 1, "a preview of one row does not have one term"
        identifiers = {one.identifier for one in self.parse(tmp_path, self.sample)}
        assert preview.terms[0].identifier in identifiers, "a preview has another term than the file"
        orjson.dumps([preview.columns, preview.rows, preview.mapping])

    def test_empty_file_is_an_error(self, tmp_path: Path) -> None:
        """An empty file is an error."""
        try:
            made = self.parse(tmp_path, b"")
        except ComponentError:
            return
        assert made, "an empty file is accepted in silence"
        assert all(isinstance(item, ItemError) for item in made), "an empty file is accepted in silence"

    def test_extensions_are_plain(self) -> None:
        """Extensions are lower case, without the dot; `zip` is accepted always and not listed (C-053)."""
        extensions: tuple[str, ...] = getattr(self.component, "extensions", ())
        assert extensions, "extensions are missing"
        assert all(part == part.lower() and not part.startswith(".") for part in extensions), extensions
        assert "zip" not in extensions, "the server unpacks archives"

    def check_item(self, item: Term) -> None:
        """It can be stored, and its properties have the shapes that the server expects."""
        assert 0 < len(item.identifier) <= IDENTIFIER_LENGTH, "identifier is empty or too long"
        assert item.preferred_form, "a term without a form"
        assert len(item.preferred_form) <= FORM_LENGTH, "the preferred form is too long"
        properties = item.properties or {}
        orjson.dumps(properties)
        for form in properties.get("forms", ()):
            assert form["form"] and form["type"] in FORM_TYPES, f"{form} is not a form"
        for name in ("altForms", "notation", "broader", "related", "crossReferences"):
            values = properties.get(name, [])
            assert isinstance(values, list) and all(isinstance(one, str) for one in values), f"{name} is no list"
