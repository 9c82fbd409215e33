"""Language-specific rules of the search: stemmers, and letters that have several spellings."""

from __future__ import annotations

STEMMERS = {
    "en": "english",
    "fr": "french",
    "de": "german",
    "nl": "dutch",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "ru": "russian",
    "ar": "arabic",
    "hi": "hindi",
    "fa": "persian",
}
"""Languages with a stemmer; zh, ja, ur and xx of C-056 have none."""

_NUKTA_AND_CANDRABINDU = {0x93C: None, 0x901: 0x902}

BEFORE_STEMMING: dict[str, dict[int, int | None]] = {
    "ar": {0x6A9: 0x643, 0x6CC: 0x64A, 0x640: None},
    "fa": {0x643: 0x6A9, 0x64A: 0x6CC, 0x649: 0x6CC, 0x640: None},
    "hi": _NUKTA_AND_CANDRABINDU,
}
"""Letters as the stemmer of the language expects them: keyboards differ in the Arabic and Persian yeh and kaf."""

SAME_LETTERS: dict[int, int | None] = {
    **_NUKTA_AND_CANDRABINDU,
    0x6A9: 0x643,  # Persian and Urdu kaf
    0x6CC: 0x64A,  # Persian and Urdu yeh
    0x649: 0x64A,  # alef maksura
    0x629: 0x647,  # teh marbuta, often written as heh
    0x6C1: 0x647,  # Urdu heh
    0x6C3: 0x647,
    0x6D5: 0x647,
    0x671: 0x627,  # alef wasla
    **{0x660 + digit: 0x30 + digit for digit in range(10)},
    **{0x6F0 + digit: 0x30 + digit for digit in range(10)},
    **{0x966 + digit: 0x30 + digit for digit in range(10)},
}
"""Letters and digits that are equal when words are compared, in every language."""
