"""From bytes to text: the order in which encodings are tried is the one rule of all converters.

A byte order mark, then UTF-8, then what the file declares, then what the project's language was usually written in, and
only then detection, which takes short French texts for Central European ones. What is UTF-8 but for a few bytes is
UTF-8: those bytes become U+FFFD, and the reader is told where. Nothing is replaced in silence: other bytes that do not
fit the chosen encoding are an error.
"""

from __future__ import annotations

import codecs
import re
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import AS_UTF8, NOT_UTF8
from annotarium_schemas.messages import message

Encoding = Literal[
    "auto",
    "utf-8",
    "utf-16",
    "cp1252",
    "iso-8859-15",
    "cp1250",
    "iso-8859-2",
    "cp1251",
    "koi8-r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp437",
    "cp850",
    "mac-roman",
    "gb18030",
    "big5",
    "cp932",
    "euc-jp",
    "cp949",
]
"""What a form offers. `auto`: found by the rules of this module."""

_SAMPLE = 1 << 16
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN = ("fr", "en", "de", "nl", "es", "it", "pt")
_CYRILLIC = ("cp1251", "koi8-r", "cp866")
_CHINESE = ("gb18030", "big5")
_JAPANESE = ("cp932", "euc_jp")
_USUAL: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_WESTERN, ("cp1252",)),
    "ru": _CYRILLIC,
    **dict.fromkeys(("ar", "fa", "ur"), ("cp1256",)),
    "zh": _CHINESE,
    "ja": _JAPANESE,
}
_ANY = ("cp1252", *_CYRILLIC)
_SCRIPTS = {"cp1252": "LATIN", "cp1256": "ARABIC", **dict.fromkeys(_CYRILLIC, "CYRILLIC")}
_FREQUENT = frozenset("оеаинтсрвлОЕАИНТСРВЛ")
_RARE = frozenset("ðþýÐÞÝ")
"""In cp1252 they are Icelandic; mostly they are Turkish or Central European letters read wrong."""
_NAMES = {
    # What pages call Latin-1 has always been read as its Windows superset.
    **dict.fromkeys(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "gb_2312-80", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "korean"), "cp949"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("tis-620", "iso-8859-11", "windows-874"), "cp874"),
    **dict.fromkeys(("macintosh", "x-mac-roman"), "mac-roman"),
    "x-mac-cyrillic": "mac-cyrillic",
}
_ALLOWED = re.compile(
    r"utf-?8|utf-?16(-?[lb]e)?|utf-?32(-?[lb]e)?|(cp|windows-?)(125\d|437|8[56]\d|874|932|949)"
    r"|iso-?8859-?\d{1,2}|koi8-[ru]|mac-(roman|cyrillic|latin2|greek|turkish)|gb18030|big5(hkscs|-hkscs)?|euc-?jp"
    r"|iso-?2022-?jp"
)
"""Only codecs of texts: Python has others under the same roof (zip, rot13, idna)."""
_ESCAPED = ("iso2022_jp",)
"""Written in ASCII bytes: to be believed before UTF-8."""
_PLAUSIBLE = re.compile("[\xa0-\u017f\u0800-\ud7ff\ufb00-\ufffc\U00010000-\U0010ffff]")
"""Characters whose bytes in UTF-8 hardly occur side by side in texts of one byte a character: those of two bytes that
are no Latin letters are what a capital and a quotation mark make there."""
_HALVES = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
"""Halves of surrogate pairs as if they were characters: no other encoding has them."""
_FEW, _ONE_OF = 2, 200
"""So many broken places of any text are few, and one of so many bytes."""
_PLACES = 10
"""Of damage that a warning names."""
_MISPLACED = re.compile(
    "(?<=[a-zß-öø-ÿ])[À-ÖØ-Þ]|(?<![A-ZÀ-ÖØ-Þ])Ã(?![A-ZÀ-ÖØ-Þ])|[¿¡](?![\\w¿¡\"«“‘'(])|[À-ÿ](?=[\xa1-\xa6\xa8\xaa\xac\xaf])"
)
"""Letters of cp1252 where no language has them: what is left of a character of UTF-8."""
_MIXED = re.compile("(?<=[A-Za-z])[\u0400-\u04ff\u0600-\u06ff]|[\u0400-\u04ff\u0600-\u06ff](?=[A-Za-z])")
"""Letters of two scripts side by side."""
_READABLE = 0.85
"""Score from which a text is taken to be in an encoding without asking a detector."""
_COMMON = frozenset("«»“”„‘’‚–—…•·€£°§©®™ªº¿¡ \xa0´½¼¾×±µ†‰′″ʼ")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Decoded:
    """A text and the encoding it was in (Python's name of the codec).

    Attributes:
        damage: places of bytes, from 1, that became U+FFFD.
    """

    text: str
    encoding: str
    damage: tuple[int, ...] = ()

    @property
    def foreign(self) -> bool:
        """Whether the user should hear of it: it was not UTF-8."""
        return self.encoding != "utf-8"

    @property
    def warning(self) -> str | None:
        """What to tell of the damage, None when there is none."""
        return damage_warning(self.damage) if self.damage else None


def decode(
    content: bytes, *, encoding: Encoding = "auto", declared: str | None = None, language: str = "xx"
) -> Decoded:
    """The text of a file, without byte order mark; line ends as they are.

    Args:
        encoding: what the user chose.
        declared: what the file or its transport says it is.
        language: of the project.

    Raises:
        ComponentError: it is a text in no encoding that fits.
    """
    chosen = choose_encoding(content, encoding=encoding, declared=declared, language=language)
    try:
        text = content.decode(chosen)
    except (UnicodeDecodeError, UnicodeError) as error:
        if chosen != "utf-8" or not is_damaged_utf8(content, few=_FEW if encoding == "auto" else 0):
            raise not_decodable_error(chosen, error) from error
        text, damage = repair_utf8(content)
        if not text.strip(" \n\r\t\ufeff\ufffd"):
            raise not_decodable_error(chosen, error) from error
        return Decoded(text.removeprefix("\ufeff"), chosen, tuple(damage))
    return Decoded(text.removeprefix("\ufeff"), chosen)


def repair_utf8(content: bytes) -> tuple[str, list[int]]:
    """Bytes as UTF-8, what is none of it as U+FFFD; and where that was, in bytes from 1."""
    _mending.places = []
    text = content.decode("utf-8", _MEND)
    return text, _mending.places


def repair_utf8_with_warning(content: bytes, language: str = "xx") -> tuple[bytes, str | None]:
    """Bytes of a format that is UTF-8 by its rules, with U+FFFD for a few that are not, and a warning then.

    Bytes in another encoding are given back as they are.
    """
    if content.isascii() or _fits(content, "utf-8"):
        return content, None
    try:
        decoded = decode(content, language=language)
    except ComponentError:
        return content, None
    return (decoded.text.encode(), decoded.warning) if decoded.encoding == "utf-8" else (content, None)


def damage_warning(places: Sequence[int], unit: str | None = None) -> str:
    """A sentence that says where bytes became U+FFFD.

    Args:
        unit: what the places count, when it is not bytes.
    """
    named = ", ".join(f"{place:,}" for place in places[:_PLACES])
    shown = f"{named}, ..." if len(places) > _PLACES else named
    text = "{count:,} damaged places of its UTF-8 became U+FFFD: {unit} {places}"
    one = "One damaged place of its UTF-8 became U+FFFD: {unit} {places}"
    return message("note.damaged", text, one=one, count=len(places), unit=unit or _BYTE, places=shown)


_BYTE, LINE = message("unit.byte", "byte"), message("unit.line", "line")


def choose_encoding(
    content: bytes,
    *,
    encoding: Encoding = "auto",
    declared: str | None = None,
    language: str = "xx",
    whole: bool = True,
) -> str:
    """Name of the codec a file should be read with; see `decode`.

    Args:
        whole: it is the file; else its beginning, which may end within a character.
    """
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if encoding != "auto":
        return marked or codec_name(encoding) or encoding
    if marked:
        return marked
    said = codec_name(declared)
    if said in _ESCAPED and _fits(content, said, whole=whole):
        return said
    wide = _detect_utf16(content)
    if not wide and _is_mostly_utf8(content):
        return "utf-8"
    if _fits(content, "utf-8", whole=whole) and not wide:
        return "utf-8"
    if said and said != "utf-8" and _fits(content, said, whole=whole):
        return said
    found = wide or ("utf-8" if _has_more_utf8_than_damage(content) else _usual_encoding(content, language, whole))
    if not found and is_damaged_utf8(content):
        return _most_readable_encoding(content, ("cp1252",), whole) or "utf-8"
    found = found or _detect_encoding(content, whole)
    if found is None:
        raise ComponentError(
            NOT_UTF8, cause=message("cause.encoding", "Its encoding could not be found out."), fix=AS_UTF8
        )
    return found


def not_decodable_error(encoding: str, error: UnicodeError) -> ComponentError:
    """What to say when bytes do not fit an encoding."""
    place = error.start + 1 if isinstance(error, UnicodeDecodeError) else 0
    if encoding.startswith("utf-8"):
        return ComponentError(
            NOT_UTF8, cause=message("cause.notUtf8", "Byte {place} is not UTF-8.", place=place), fix=AS_UTF8
        )
    text = message("file.otherEncoding", "The file is not in the encoding {encoding}.", encoding=encoding)
    return ComponentError(text, cause=message("cause.noFit", "Byte {place} does not fit.", place=place), fix=AS_UTF8)


def codec_name(name: str | None) -> str | None:
    """Python's name for an encoding as files name it, None for one that is unknown or no encoding of texts."""
    if not name:
        return None
    plain = name.strip().strip("\"'").lower().replace("_", "-")
    plain = _NAMES.get(plain) or _NAMES.get(name.strip().lower()) or plain
    if not _ALLOWED.fullmatch(plain):
        return None
    try:
        return codecs.lookup(plain.replace("windows-", "cp")).name
    except LookupError:
        return None


def encoding_choices() -> tuple[str, ...]:
    """What a form offers."""
    return get_args(Encoding)


def _fits(content: bytes, encoding: str, *, whole: bool = True) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(content, whole)
    except (UnicodeError, LookupError):
        return False
    return True


def _detect_utf16(content: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of its ASCII is zero."""
    sample = content[: _SAMPLE & ~1]
    if b"\x00" not in sample or len(sample) < 4:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    for encoding, high, low in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if high > len(sample) // 6 and not low and _fits(sample, encoding, whole=False):
            return encoding
    return None


@dataclass(frozen=True)
class _Utf8Evidence:
    """Characters outside ASCII that a text has as UTF-8 and that hardly come about by chance, and broken places."""

    right: int
    plausible: int
    broken: int


def _collect_utf8_evidence(content: bytes) -> _Utf8Evidence:
    sample = _non_ascii_sample(content)
    if len(sample) == _SAMPLE:  # cut, perhaps within a character
        sample = sample.rstrip(b"".join(bytes((one,)) for one in range(0x80, 0x100)))
    text, places = repair_utf8(sample)
    strange = "".join(char for char in text if char > "\x7f" and char != "\ufffd")
    halves = 3 * len(_HALVES.findall(sample))
    return _Utf8Evidence(len(strange) + halves, len(_PLAUSIBLE.findall(strange)) + halves, len(places))


def _is_mostly_utf8(content: bytes) -> bool:
    """Most of what is not ASCII is UTF-8, and some is not: whatever the file declares, it is UTF-8 with damage."""
    found = _collect_utf8_evidence(content)
    return found.right >= 4 * found.broken > 0


def _has_more_utf8_than_damage(content: bytes) -> bool:
    """There are as many characters of UTF-8 as broken places: no other encoding has them by chance."""
    found = _collect_utf8_evidence(content)
    return found.plausible >= found.broken > 0


def is_damaged_utf8(content: bytes, *, few: int = _FEW) -> bool:
    """Some bytes of UTF-8 are broken, and guessing another encoding would spoil the others.

    Args:
        few: so many broken places are believed in however short the text is.
    """
    if _is_mostly_utf8(content) or _has_more_utf8_than_damage(content):
        return True
    _, places = repair_utf8(content)
    return 0 < len(places) <= max(few, len(content) // _ONE_OF)


class _ReplacedPlaces(threading.local):
    """Where the text that is being decoded was mended."""

    places: list[int]


_mending = _ReplacedPlaces()
_MEND = "annotarium.mend"


def _replace_invalid_bytes(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    _mending.places.append(error.start + 1)
    return "\ufffd", error.end


codecs.register_error(_MEND, _replace_invalid_bytes)


def _usual_encoding(content: bytes, language: str, whole: bool) -> str | None:
    """Of the encodings that are usual in a language, the one the text reads best in."""
    return _most_readable_encoding(content, _USUAL.get(language, _ANY), whole)


def _most_readable_encoding(content: bytes, encodings: Sequence[str], whole: bool) -> str | None:
    sample = _non_ascii_sample(content)
    best, found = _READABLE, None
    for encoding in encodings:
        if not _fits(content, encoding, whole=whole):
            continue
        score = _readability(codecs.getincrementaldecoder(encoding)().decode(sample), encoding)
        if score > best:
            best, found = score, encoding
    return found


def _non_ascii_sample(content: bytes) -> bytes:
    """Where the characters outside ASCII begin; the start of a line, so that no character is cut."""
    found = re.search(rb"[\x80-\xff]", content)
    start = content.rfind(b"\n", 0, found.start()) + 1 if found else 0
    return content[start : start + _SAMPLE]


def _readability(text: str, encoding: str) -> float:
    """How well a text reads, 0..1: its characters outside ASCII are letters of its script, and usual signs."""
    strange = [char for char in text if char > "\x7f"]
    if _CONTROL.search(text) or not strange:
        return 0.0
    script = _SCRIPTS.get(encoding)
    if script is None:
        return sum(map(_is_asian, strange)) / len(strange)
    letters = [char for char in strange if char not in _RARE and unicodedata.name(char, "").startswith(script)]
    misplaced = len((_MISPLACED if script == "LATIN" else _MIXED).findall(text))
    good = (len(letters) + sum(char in _COMMON for char in strange) - misplaced) / len(strange)
    if script == "CYRILLIC":
        frequent = sum(char in _FREQUENT for char in letters) / max(1, len(letters))
        enough = len(letters) > max(2, 0.6 * len(strange))
        return good * min(1.0, 0.5 + frequent) if enough else 0.0
    if script == "LATIN":
        accents = len(letters)
        others = sum(1 for char in text if char <= "\x7f" and char.isalpha())
        inner = len(re.findall(r"[a-zß-öø-ÿ][À-ÖØ-Þ](?=[a-zß-öø-ÿ])", text))  # a capital within a word
        return 0.0 if accents > max(2, 0.6 * others) or inner > 0.1 * accents else good
    return good


def _is_asian(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF" or char in _COMMON


def _detect_encoding(content: bytes, whole: bool) -> str | None:
    from charset_normalizer import from_bytes

    best = from_bytes(_non_ascii_sample(content)).best()
    name = codec_name(best.encoding) if best else None
    if name is None or not _fits(content, name, whole=whole):
        return None
    return None if _CONTROL.search(content[:_SAMPLE].decode(name, "ignore")) else name
