"""Translation of messages into French on the server, as the web app translates them."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotarium.mail import translation
from annotarium.mail.translation import translate, translate_message
from annotarium_schemas.messages import join_messages, message


@pytest.fixture(autouse=True)
def _catalogues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "catalogue_folder", lambda: Path(__file__).parents[3] / "webapp/src/locales")


@pytest.mark.parametrize(
    ("count", "french"),
    [
        (0, "0 document"),
        (1, "1 document"),
        (2, "2 documents"),
        (12_345, "12\u202f345 documents"),
        (2_000_000, "2\u202f000\u202f000 documents"),
    ],
)
def test_numbers_and_plurals(count: int, french: str) -> None:
    assert translate_message(message("number.documents", "{count:,} documents", count=count), "fr") == french


def test_messages_within_messages() -> None:
    places = message("number.documents", "{count:,} documents", count=1)
    added = message("done.annotationsOn", "{count:,} annotations added to {places}", count=2, places=places)
    assert translate_message(added, "fr") == "2 annotations ajoutées sur 1 document"
    both = join_messages([message("done.f1", "F1 {f1:.2f}", f1=0.81), "x"], "; ")
    assert translate_message(both, "fr") == "F1 0,81; x"


def test_messages_without_a_translation_stay_english() -> None:
    assert translate("As it is", None, "fr") == "As it is"
    assert translate("As it is", {"code": "nobody.saysThis", "values": {}}, "fr") == "As it is"
    assert translate_message(message("job.cancelled", "Cancelled"), "en") == "Cancelled"


def test_without_a_catalogue_messages_stay_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(translation, "catalogue_folder", lambda: tmp_path)
    assert translate_message(message("job.cancelled", "Cancelled"), "fr") == "Cancelled"
