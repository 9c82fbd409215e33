"""Parameters of the topic engines; the defaults are those of the clustering shortcut (C-073)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from annotarium_plugins.parameters import Parameters, advanced_number, hint
from annotarium_schemas.messages import message

NGRAMS = 4
Words = Annotated[int, Field(ge=1, le=NGRAMS)]


class TopicParameters(Parameters):
    """Settings that both engines know."""

    nr_topics: int = Field(
        20,
        ge=2,
        le=300,
        title="Topics",
        description="Maximum number of topics; a small corpus gets fewer.",
    )
    source_collection: Literal["documents", "segments"] = Field(
        "documents", title="Texts", description="Group whole documents or segments."
    )
    scope: Literal["all", "dataset"] = Field(
        "all", title="Scope", description="All texts, or only those with a confirmed label."
    )
    stopwords: bool = Field(
        True,
        title="Ignore stop words",
        description="Words without meaning of their own, such as articles; in languages for which a list is installed.",
    )
    lemma: bool = Field(
        True,
        title="Combine word forms",
        description="Forms with the same stem count as one word; the most frequent form is shown. "
        "For ar, de, en, es, fr, hi, it, nl, pt and ru.",
    )
    tokenizer: Literal["spacy", "simple"] = Field(
        "spacy",
        title="Tokenizer",
        description="Divides texts into words: spaCy, or simple rules if spaCy is not installed.",
        json_schema_extra=hint(advanced=True),
    )
    ngram_range: list[Words] = Field(
        [1, 3],
        min_length=2,
        max_length=2,
        title="Words per phrase",
        description="Minimum and maximum.",
        json_schema_extra=hint(advanced=True),
    )
    minimum_likeness: float = Field(
        0.2,
        ge=0,
        lt=1,
        title="Minimum similarity",
        description="Texts that are less similar to the centre of every topic belong to none.",
        json_schema_extra=hint(advanced=True),
    )
    maximum_terms: int = advanced_number(20_000, 100, 200_000, title="Maximum terms")
    maximum_texts: int = advanced_number(
        20_000,
        100,
        200_000,
        title="Maximum training texts",
        description="A larger corpus is sampled; all its texts are assigned to topics.",
    )
    seed: int = advanced_number(
        0, 0, 2**31 - 1, title="Seed", description="The same seed and texts give the same topics."
    )

    @field_validator("ngram_range")
    @classmethod
    def _ordered(cls, value: list[int]) -> list[int]:
        if value[0] > value[1]:
            raise ValueError(
                message("fault.fewest", "The minimum number of words in a phrase is greater than the maximum")
            )
        return value

    @property
    def ngrams(self) -> tuple[int, int]:
        """Return the minimum and maximum number of words of a phrase."""
        return self.ngram_range[0], self.ngram_range[1]
