"""Durations of tokens: the names in the contract and the short forms."""

from __future__ import annotations

import pytest

from annotarium.domains.auth.durations import parse_duration
from annotarium.errors import InvalidInput

DAY = 86_400


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90 seconds", 90),
        ("1 second", 1),
        ("30 minutes", 1_800),
        ("1 minute", 60),
        ("3 hours", 10_800),
        ("1 hour", 3_600),
        ("1 day", DAY),
        ("2 Days", 2 * DAY),
        (" 2 hours ", 7_200),
        ("7200", 7_200),
        ("90s", 90),
        ("120m", 7_200),
        ("2h", 7_200),
        ("1d", DAY),
        ("PT2H", 7_200),
        ("P1DT1H1M1S", DAY + 3_661),
    ],
)
def test_contract_units_and_short_forms_are_parsed(text: str, seconds: int) -> None:
    assert parse_duration(text, 7 * DAY) == seconds


@pytest.mark.parametrize("text", [None, "", "  ", "9 days", "999999999 days", "PT999999H"])
def test_no_token_lasts_longer_than_a_session(text: str | None) -> None:
    assert parse_duration(text, 7 * DAY) == 7 * DAY


@pytest.mark.parametrize(
    "text", ["0", "0 hours", "-1 day", "1.5 hours", "1 fortnight", "1 day 2 hours", "P", "PT", "٣ hours h"]
)
def test_invalid_durations_are_refused_with_their_field(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_duration(text, 7 * DAY)
    assert refused.value.details[0]["field"] == "duration"
