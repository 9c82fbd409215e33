"""Wheel build hook: a wheel or sdist without the built studio is refused; an editable install goes through."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuiltStudioCheckHook(BuildHookInterface[Any]):
    """Checks that `core/annotarium/webapp` holds the built studio before it is packed (made by `make studio`)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Refuse a non-editable build without the studio, the words for e-mail, or the bill of materials."""
        studio = Path(self.root) / "core" / "annotarium" / "webapp"
        for part in (studio / "index.html", studio / "words" / "fr" / "messages.json"):
            if version != "editable" and not part.is_file():
                raise RuntimeError(f"The studio is not built: {part} is missing. Run `make studio` first.")
        bill = Path(self.root) / "core" / "annotarium" / "sbom.cdx.json"
        if version != "editable" and not bill.is_file():
            raise RuntimeError(f"There is no bill of materials: {bill} is missing. Run `make build`, which writes it.")
