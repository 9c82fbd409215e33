"""Cleaning of texts at import, where the project or the request asks for it.

Offsets of annotations, sentences, categories and the layout are moved with the text. An annotation of which nothing is
left is dropped, with a note.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from annotarium.content.labelling.fragments import move_annotation_after_text_edit
from annotarium.content.layouts.html_tag_layout import layout_from_html_tags
from annotarium.content.layouts.marks import move_layout_after_text_edit
from annotarium_schemas.documents import Category, Document
from annotarium_schemas.messages import message

# Tags, comments and declarations. A lone `<`, as in a formula, is not a tag.
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]{0,2000}>|<![A-Za-z][^<>]{0,2000}>", re.DOTALL)
_EMOJI = re.compile(
    "[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\U00002600-\U000027bf\U0001f000-\U0001f2ff\u2b00-\u2bff\ufe0f\u200d\u20e3]+"
)
_MARKS_ALONE = re.compile("[\ufe0f\u200d\u20e3]+")
_RETURN = re.compile(r"\r\n?")


@dataclass(frozen=True)
class Replacement:
    """The range [start, end) of a text is replaced by `text`, which is never longer than the range."""

    start: int
    end: int
    text: str = ""


class TextEdit:
    """Replacements applied to a text, in ascending order and not overlapping."""

    def __init__(self, text: str, replacements: list[Replacement]) -> None:
        self._replacements = replacements
        self._starts = [one.start for one in replacements]
        self._removed = [0]
        parts, position = [], 0
        for one in replacements:
            parts += [text[position : one.start], one.text]
            position = one.end
            self._removed.append(self._removed[-1] + one.end - one.start - len(one.text))
        self.text = "".join([*parts, text[position:]])

    def moved(self, offset: int) -> int:
        """Return the new position of an offset; one within a replaced range moves to the end of its replacement."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return offset
        one = self._replacements[index]
        if offset >= one.end:
            return offset - self._removed[index + 1]
        position = one.start - self._removed[index]
        return position if offset == one.start else position + len(one.text)


def clean_document(document: Document, *, tags_and_emojis: bool, carriage_returns: bool) -> list[str]:
    r"""Clean the text in place and move the offsets that refer to it.

    Args:
        tags_and_emojis: remove HTML tags and emojis (`cleanText`).
        carriage_returns: write line ends as `\n` alone.

    Returns:
        One note per kind of change; empty when nothing was noted.
    """
    notes: list[str] = []
    if carriage_returns:
        found = [Replacement(match.start(), match.end(), "\n") for match in _RETURN.finditer(document.text)]
        _apply_replacements(document, found, notes)
    if tags_and_emojis:
        tags = list(_TAG.finditer(document.text))
        if document.layout is None and tags:
            document.layout = layout_from_html_tags(tags)
        count = _apply_replacements(document, [Replacement(match.start(), match.end()) for match in tags], notes)
        emojis = [match for match in _EMOJI.finditer(document.text) if not _MARKS_ALONE.fullmatch(match.group())]
        count += _apply_replacements(document, [Replacement(match.start(), match.end()) for match in emojis], notes)
        if count:
            notes.insert(
                0,
                message(
                    "note.cleaned",
                    "{count:,} HTML tags and emojis removed",
                    one="{count:,} HTML tag or emoji removed",
                    count=count,
                ),
            )
    return notes


def _apply_replacements(document: Document, replacements: list[Replacement], notes: list[str]) -> int:
    if not replacements:
        return 0
    edit = TextEdit(document.text, replacements)
    lost = 0
    kept = []
    for annotation in document.annotations:
        move_annotation_after_text_edit(annotation, edit.moved)
        annotation.text = edit.text[annotation.start : annotation.end]
        if annotation.start < annotation.end:
            kept.append(annotation)
        else:
            lost += 1
    document.annotations = kept
    document.categories = [one for one in document.categories if _move_category(one, edit)]
    for sentence in document.sentences or ():
        sentence.start, sentence.end = edit.moved(sentence.start), edit.moved(sentence.end)
    if document.sentences is not None:
        document.sentences = [one for one in document.sentences if edit.text[one.start : one.end].strip()]
    if document.layout:
        document.layout = move_layout_after_text_edit(document.layout, edit.moved)
    document.text = edit.text
    if lost:
        notes.append(
            message(
                "note.covered",
                "{count:,} annotations covered only removed text and were left out",
                one="{count:,} annotation covered only removed text and was left out",
                count=lost,
            )
        )
    return len(replacements)


def _move_category(category: Category, edit: TextEdit) -> bool:
    if category.start is None or category.end is None:
        return True
    category.start, category.end = edit.moved(category.start), edit.moved(category.end)
    return category.start < category.end
