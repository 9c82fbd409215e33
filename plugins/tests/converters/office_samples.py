"""The sample office files and their expected content, which is the same for all formats."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.presentation_converter import PresentationConverter
from annotarium_plugins.builtin.converters.spreadsheet_converter import SpreadsheetConverter
from annotarium_plugins.builtin.converters.word_processor_converter import WordProcessorConverter
from annotarium_schemas.documents import Document

SAMPLES = Path(__file__).parent / "samples"
CONVERTERS: dict[str, tuple[type[Converter[Any]], str]] = {
    **dict.fromkeys(("doc", "docx", "odt", "rtf"), (WordProcessorConverter, "text")),
    **dict.fromkeys(("xls", "xlsx", "ods"), (SpreadsheetConverter, "book")),
    **dict.fromkeys(("ppt", "pps", "pptx", "ppsx", "odp"), (PresentationConverter, "show")),
}
"""Converter and name of its sample, by extension."""
TITLE = "Rapport d’été 🌻"
TABLE = "Ville\tÉté\tSigne\nQuébec\t\t😀\nالقاهرة\t35,5\tok"
TEXT = (
    "Première partie\n\n"
    "Ada a écrit “naïve café” — 20\u00a0°C… 😀👩\u200d👩\u200d👧 fin.\n\nTab\taprès,\nligne suivante."
    f"\n\nمقدمة\n\nذهب إلى البيت 🏠 ثم عاد.\n\n{TABLE}\n\nAprès le tableau.\n\n他说：「你好。」𝔘\n\nUne note é 🎈"
)
ROWS = (
    "Nom\tÂge\tDate\tPart\tNote\nZoé 😀\t36\t2024-05-31\t25%\tligne un ligne deux\nعمر\t41.5\t1999-12-31\t100%"
    "\nŁukasz 𝔘\t-7\t\t\tfin"
)
BOOK = f"Données\n\n{ROWS}\n\nSecond\n\nSeul\tTRUE"
SHOW = (
    "Bienvenue é 😀\n\nPremier point\n\nالنقطة الثانية 🏠\n\nNote de l’orateur 🎈\n\nTableau\n\n"
    f"Troisième point\n\n{TABLE}\n\nZone libre 𝔘"
)
TEXTS = {"text": TEXT, "book": BOOK, "show": SHOW}


def content(extension: str, name: str = "") -> bytes:
    """Return the bytes of a sample; `name` other than the usual one of its kind."""
    path = SAMPLES / f"{name or CONVERTERS[extension][1]}.{extension}"
    packed = path.with_name(path.name + ".gz")
    return gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()


def convert(folder: Path, extension: str, data: bytes, name: str = "", **parameters: Any) -> list[Document | ItemError]:
    """Return what the converter of an extension yields for a file."""
    cls = CONVERTERS[extension][0]
    path = folder / "upload"
    path.write_bytes(data)
    source = SourceFile(path, name or f"{CONVERTERS[extension][1]}.{extension}", language="fr")
    return list(cls(cls.parameters_model(**parameters)).convert(source))


def documents(folder: Path, extension: str, **parameters: Any) -> list[Document]:
    """Return the documents of the sample of an extension; fails for an invalid item."""
    made = convert(folder, extension, content(extension), **parameters)
    wrong = [one for one in made if not isinstance(one, Document)]
    assert not wrong, wrong
    return [one for one in made if isinstance(one, Document)]
