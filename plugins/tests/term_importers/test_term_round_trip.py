"""What the term formats write is read back equal."""

import string
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from term_samples import read

from annotarium_plugins.base.term_properties import FORM_TYPES, clean_form
from annotarium_plugins.builtin.term_importers.csv_importer import CsvImporter
from annotarium_plugins.builtin.term_importers.json_importer import JsonImporter
from annotarium_plugins.builtin.term_importers.obo_importer import OboImporter
from annotarium_plugins.builtin.term_importers.rdf_importers import SkosImporter
from annotarium_plugins.term_formats import FORMATS, write_terms
from annotarium_schemas.documents import Term

IMPORTERS = {"json": JsonImporter, "csv": CsvImporter, "tsv": CsvImporter, "skos": SkosImporter, "obo": OboImporter}

HARD = "=+-@'\"|[]{}\\!;,<>%#:._ é\u2028\U0001f600"
WORD = st.text(st.sampled_from(string.ascii_letters + string.digits + HARD), min_size=1, max_size=12)
FORM = WORD.map(clean_form).filter(bool)
LANGUAGE = st.sampled_from(["", "en", "fr", "zh-Hans"])
TYPED = st.builds(
    lambda form, kind, language: {"form": form, **({"language": language} if language else {}), "type": kind},
    FORM,
    st.sampled_from(FORM_TYPES),
    LANGUAGE,
)
DEFINITION = st.builds(
    lambda text, language: {"text": text, **({"language": language} if language else {})}, FORM, LANGUAGE
)
FORMS = st.lists(FORM, min_size=1, max_size=3, unique=True)
PROPERTIES = st.fixed_dictionaries(
    {},
    optional={
        "altForms": FORMS,
        "forms": st.lists(TYPED, min_size=1, max_size=4),
        "definitions": st.lists(DEFINITION, min_size=1, max_size=2),
        "notation": FORMS,
        "broader": FORMS,
        "related": FORMS,
        "crossReferences": FORMS,
        "obsolete": st.just(True),
        "matching": st.just({"caseSensitive": True, "minimumLength": 3}),
        "year": st.integers(0, 2100),
        "comments": FORMS,
    },
)
TERMS = st.lists(
    st.builds(
        lambda identifier, form, properties: Term(
            identifier=identifier, preferred_form=form, properties=properties or None
        ),
        FORM,
        FORM,
        PROPERTIES,
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda term: term.identifier,
)


@pytest.mark.parametrize("format", FORMATS)
@given(terms=TERMS, language=st.sampled_from(["xx", "fr"]))
@settings(max_examples=150)
def test_written_terms_are_read_back_equal(format, terms, language):
    content = b"".join(write_terms(terms, format))
    with TemporaryDirectory() as folder:
        made, problems = read(IMPORTERS[format], Path(folder), content, f"terms.{FORMATS[format].extension}", language)
    assert not [one for one in problems if one.refused], problems
    assert {one.identifier: one for one in made} == {one.identifier: one for one in terms}


@pytest.mark.parametrize("format", FORMATS)
def test_no_term_is_written_without_an_error(format):
    assert isinstance(b"".join(write_terms([], format)), bytes)


def test_tables_never_hold_a_formula():
    """A spreadsheet program would run a cell that begins so."""
    terms = [Term(identifier="=1+1", preferred_form="@x", properties={"altForms": ["-1", "+2"]})]
    rows = b"".join(write_terms(terms, "csv")).decode().splitlines()
    assert rows[1].startswith("'=1+1,'@x,'-1|+2,")
