"""Decodes bytes to text. All converters try encodings in the same order.

A byte order mark, then UTF-8, then the encoding the file declares, then the encodings usual for the project's language,
and only then detection, which mistakes short French texts for Central European ones. A file that is UTF-8 except for a
few bytes is read as UTF-8: these bytes become U+FFFD, and a warning states where. Nothing is replaced silently: other
bytes that do not fit the chosen encoding are an error.
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
"""Encodings that a form offers. `auto`: determined by the rules of this module."""

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
"""Letters that cp1252 has for Icelandic; in most texts they are Turkish or Central European letters decoded wrongly."""
_NAMES = {
    # Browsers have always read what pages call Latin-1 as cp1252, its superset.
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
"""Text codecs that a file may name. Python's registry contains others too (zip, rot13, idna)."""
_ESCAPED = ("iso2022_jp",)
"""Encodings that consist of ASCII bytes and must be tried before UTF-8."""
_PLAUSIBLE = re.compile("[\xa0-\u017f\u0800-\ud7ff\ufb00-\ufffc\U00010000-\U0010ffff]")
"""Characters whose UTF-8 bytes hardly occur in sequence in a single-byte encoding. Other two-byte characters are left
out: there their bytes are a capital letter and a quotation mark.
"""
_HALVES = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
"""Surrogates encoded as characters (CESU-8): no other encoding contains these bytes."""
_FEW, _ONE_OF = 2, 200
"""Damage that is accepted as UTF-8: this many invalid places in a text of any length, or one in so many bytes."""
_PLACES = 10
"""Maximum number of damaged places that a warning names."""
_MISPLACED = re.compile(
    "(?<=[a-zß-öø-ÿ])[À-ÖØ-Þ]|(?<![A-ZÀ-ÖØ-Þ])Ã(?![A-ZÀ-ÖØ-Þ])|[¿¡](?![\\w¿¡\"«“‘'(])|[À-ÿ](?=[\xa1-\xa6\xa8\xaa\xac\xaf])"
)
"""Letters of cp1252 where no language has them: the remains of a UTF-8 character."""
_MIXED = re.compile("(?<=[A-Za-z])[\u0400-\u04ff\u0600-\u06ff]|[\u0400-\u04ff\u0600-\u06ff](?=[A-Za-z])")
"""Letters of two scripts next to each other."""
_READABLE = 0.85
"""Score from which an encoding is accepted without running a detector."""
_COMMON = frozenset("«»“”„‘’‚–—…•·€£°§©®™ªº¿¡ \xa0´½¼¾×±µ†‰′″ʼ")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Decoded:
    """A decoded text and its encoding (Python's name of the codec).

    Attributes:
        damage: positions of bytes, from 1, that became U+FFFD.
    """

    text: str
    encoding: str
    damage: tuple[int, ...] = ()

    @property
    def foreign(self) -> bool:
        """Whether the encoding is worth reporting to the user because it was not UTF-8."""
        return self.encoding != "utf-8"

    @property
    def warning(self) -> str | None:
        """Return a warning about the damage, None when there is none."""
        return damage_warning(self.damage) if self.damage else None


def decode(
    content: bytes, *, encoding: Encoding = "auto", declared: str | None = None, language: str = "xx"
) -> Decoded:
    """Decode a file and remove its byte order mark; line ends stay unchanged.

    Args:
        encoding: chosen by the user.
        declared: named by the file or its transport.
        language: of the project.

    Raises:
        ComponentError: the encoding could not be determined, or the bytes do not fit it.
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
    """Decode UTF-8 with U+FFFD for invalid bytes; also return their positions in bytes, from 1."""
    _mending.places = []
    text = content.decode("utf-8", _MEND)
    return text, _mending.places


def repair_utf8_with_warning(content: bytes, language: str = "xx") -> tuple[bytes, str | None]:
    """Return bytes of a format that must be UTF-8 with U+FFFD for a few invalid bytes, and a warning if there were any.

    Bytes in another encoding are returned unchanged.
    """
    if content.isascii() or _fits(content, "utf-8"):
        return content, None
    try:
        decoded = decode(content, language=language)
    except ComponentError:
        return content, None
    return (decoded.text.encode(), decoded.warning) if decoded.encoding == "utf-8" else (content, None)


def damage_warning(places: Sequence[int], unit: str | None = None) -> str:
    """Return a sentence that states where bytes became U+FFFD.

    Args:
        unit: what the positions count, when it is not bytes.
    """
    named = ", ".join(f"{place:,}" for place in places[:_PLACES])
    shown = f"{named}, ..." if len(places) > _PLACES else named
    text = "{count:,} damaged parts of its UTF-8 were replaced by U+FFFD: {unit} {places}"
    one = "One damaged part of its UTF-8 was replaced by U+FFFD: {unit} {places}"
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
    """Return the name of the codec to read a file with; see `decode`.

    Args:
        whole: whether `content` is the whole file; otherwise it is its beginning and may end inside a character.
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
            NOT_UTF8, cause=message("cause.encoding", "Its encoding could not be detected."), fix=AS_UTF8
        )
    return found


def not_decodable_error(encoding: str, error: UnicodeError) -> ComponentError:
    """Return the error for bytes that do not fit an encoding."""
    place = error.start + 1 if isinstance(error, UnicodeDecodeError) else 0
    if encoding.startswith("utf-8"):
        return ComponentError(
            NOT_UTF8, cause=message("cause.notUtf8", "Byte {place} is not UTF-8.", place=place), fix=AS_UTF8
        )
    text = message("file.otherEncoding", "The file is not in the encoding {encoding}.", encoding=encoding)
    return ComponentError(
        text, cause=message("cause.noFit", "Byte {place} is not valid in it.", place=place), fix=AS_UTF8
    )


def codec_name(name: str | None) -> str | None:
    """Return Python's codec for the encoding name in a file; None when it is unknown or not a text encoding."""
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
    """Return the encodings that a form offers."""
    return get_args(Encoding)


def _fits(content: bytes, encoding: str, *, whole: bool = True) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(content, whole)
    except (UnicodeError, LookupError):
        return False
    return True


def _detect_utf16(content: bytes) -> str | None:
    """Detect UTF-16 without byte order mark: every other byte of its ASCII characters is zero."""
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
    """Counts of non-ASCII characters that are valid UTF-8 (`right`), of those that are unlikely by chance
    (`plausible`), and of invalid places (`broken`).
    """

    right: int
    plausible: int
    broken: int


def _collect_utf8_evidence(content: bytes) -> _Utf8Evidence:
    sample = _non_ascii_sample(content)
    if len(sample) == _SAMPLE:  # cut, perhaps inside a character
        sample = sample.rstrip(b"".join(bytes((one,)) for one in range(0x80, 0x100)))
    text, places = repair_utf8(sample)
    strange = "".join(char for char in text if char > "\x7f" and char != "\ufffd")
    halves = 3 * len(_HALVES.findall(sample))
    return _Utf8Evidence(len(strange) + halves, len(_PLAUSIBLE.findall(strange)) + halves, len(places))


def _is_mostly_utf8(content: bytes) -> bool:
    """Whether at least 4 of 5 non-ASCII places are valid UTF-8 and some are not: then it is damaged UTF-8, whatever the
    file declares.
    """
    found = _collect_utf8_evidence(content)
    return found.right >= 4 * found.broken > 0


def _has_more_utf8_than_damage(content: bytes) -> bool:
    """Whether there are at least as many plausible UTF-8 characters as invalid places: other encodings do not contain
    them by chance.
    """
    found = _collect_utf8_evidence(content)
    return found.plausible >= found.broken > 0


def is_damaged_utf8(content: bytes, *, few: int = _FEW) -> bool:
    """Whether some bytes of UTF-8 are invalid, so that decoding with another encoding would corrupt the other
    characters.

    Args:
        few: this many invalid places are accepted, however short the text is.
    """
    if _is_mostly_utf8(content) or _has_more_utf8_than_damage(content):
        return True
    _, places = repair_utf8(content)
    return 0 < len(places) <= max(few, len(content) // _ONE_OF)


class _ReplacedPlaces(threading.local):
    """Positions that the error handler has replaced in the text being decoded by this thread."""

    places: list[int]


_mending = _ReplacedPlaces()
_MEND = "annotarium.mend"


def _replace_invalid_bytes(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    _mending.places.append(error.start + 1)
    return "\ufffd", error.end


codecs.register_error(_MEND, _replace_invalid_bytes)


def _usual_encoding(content: bytes, language: str, whole: bool) -> str | None:
    """Return the encoding, of those usual for a language, in which the text is most readable; None when none is good
    enough.
    """
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
    """Return the content from the line of the first non-ASCII byte on, so that the sample starts with a whole
    character.
    """
    found = re.search(rb"[\x80-\xff]", content)
    start = content.rfind(b"\n", 0, found.start()) + 1 if found else 0
    return content[start : start + _SAMPLE]


def _readability(text: str, encoding: str) -> float:
    """Return how readable a text is, 0..1: the share of its non-ASCII characters that are letters of its script or
    common symbols.
    """
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
        inner = len(re.findall(r"[a-zß-öø-ÿ][À-ÖØ-Þ](?=[a-zß-öø-ÿ])", text))  # capitals inside a word
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
