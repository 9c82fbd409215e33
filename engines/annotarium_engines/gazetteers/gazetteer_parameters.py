"""Parameters of the dictionary gazetteer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from annotarium_engines.annotators.label_mapping import LabelMapping
from annotarium_engines.gazetteers.overlaps import OverlapPolicy
from annotarium_engines.gazetteers.word_keys import Variants
from annotarium_plugins.parameters import Parameters, hint

StopForm = Annotated[str, Field(min_length=1, max_length=200)]


class DictionaryGazetteerParameters(Parameters):
    """How terms are found, and what they are labelled with. The `matching` property of a term overrides the comparison
    for that term: caseSensitive, foldDiacritics, variants, minimumLength, disabled.
    """

    lexicons: list[str] = Field(
        default_factory=list,
        max_length=200,
        title="Lexicons",
        description="In the order of preference. Empty: all lexicons of the project.",
        json_schema_extra=hint(widget="lexicons"),
    )
    variants: Variants = Field(
        "plural",
        title="Variants",
        description="Singular and plural: by rules for en, es, fr and pt. Word stems: for ar, de, en, es, fr, hi, it, "
        "nl, pt and ru; also used for the plural of the other languages. Irregular forms (mice, went) are to be "
        "added as synonyms.",
    )
    case_sensitive: bool = Field(False, title="Match case", description="Upper and lower case letters differ.")
    acronyms: bool = Field(
        True,
        title="Acronyms match case",
        description="Terms of one short word in capitals are found only in capitals: AIDS, but not aids.",
        json_schema_extra=hint(applies_when={"case_sensitive": [False]}),
    )
    fold_diacritics: bool = Field(
        False, title="Ignore diacritics", description="Accents and similar marks make no difference: cafe finds café."
    )
    ignore_hyphens: bool = Field(
        True, title="Ignore hyphens", description="A hyphen between two words is like a space: T-cell, T cell."
    )
    overlaps: OverlapPolicy = Field(
        "longest",
        title="Overlapping terms",
        description="Which of several terms in the same place are annotated. Of those that begin at the same word, the "
        "8 longest are considered; in a text with more than 50,000 matches, only the longest are annotated.",
    )
    ambiguity: Literal["all", "lexicon_order", "context"] = Field(
        "all",
        title="Ambiguous names",
        description="Which terms of the same name an annotation refers to. Context: the term whose definition and "
        "names share most words with the text around.",
    )
    label_by: Literal["lexicon", "property"] = Field(
        "lexicon", title="Label by", description="What decides the label of a term."
    )
    label_property: str = Field(
        "",
        max_length=200,
        title="Property",
        description="Terms without it get the label of all others, or are left out if there is none.",
        json_schema_extra=hint(applies_when={"label_by": ["property"]}),
    )
    labels: list[LabelMapping] = Field(
        default_factory=list,
        max_length=500,
        title="Labels",
        description="Labels by name of the lexicon or value of the property. An empty label leaves the terms out.",
    )
    other: str = Field(
        "",
        max_length=255,
        title="Label of all others",
        description="Empty: the name of the lexicon or the value of the property.",
        json_schema_extra=hint(widget="label"),
    )
    minimum_length: int = Field(
        2,
        ge=1,
        le=50,
        title="Minimum length",
        description="In characters. Shorter terms are not looked for.",
        json_schema_extra=hint(advanced=True),
    )
    stop_terms: list[StopForm] = Field(
        default_factory=list,
        max_length=5000,
        title="Ignored terms",
        description="Forms that are never annotated.",
        json_schema_extra=hint(advanced=True),
    )
    stop_words: bool = Field(
        True,
        title="Ignore stop words",
        description="Terms that are a frequent function word, such as 'it' or 'can', are not looked for.",
        json_schema_extra=hint(advanced=True),
    )
    other_forms: list[Literal["narrow", "broad", "related"]] = Field(
        default_factory=list,
        max_length=3,
        title="Further synonyms",
        description="Synonyms with a narrower, broader or related meaning are looked for too.",
        json_schema_extra=hint(advanced=True),
    )
    all_languages: bool = Field(
        False,
        title="Forms in all languages",
        description="Otherwise forms that are marked with another language than that of the project are left out.",
        json_schema_extra=hint(advanced=True),
    )
    obsolete: bool = Field(
        False,
        title="Obsolete terms",
        description="Look for terms that are marked as obsolete too.",
        json_schema_extra=hint(advanced=True),
    )
