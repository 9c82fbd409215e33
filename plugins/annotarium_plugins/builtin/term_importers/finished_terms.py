"""Shared by the term importers: a finished term with what was left out of it, and texts of problems."""

from __future__ import annotations

from collections.abc import Iterator

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError
from annotarium_plugins.base.term_importer import TermProblem
from annotarium_plugins.base.term_properties import TermBuilder
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

PROBLEMS = 1_000
"""Maximum syntax errors of one file that are reported; reading stops there."""
FIX_LINE = message("fix.line", "Correct this line")
CHECK_FILE = message("fix.check", "Check the file")


def finished(builder: TermBuilder, item: str, line: int | None = None) -> Iterator[Term | ItemError]:
    """Yield what was left out of a term, and the term."""
    for text, fix in builder.left_out:
        yield TermProblem(item, text, fix, line=line, subject=builder.identifier, refused=False)
    yield builder.build()


def line_problem(line: int, text: str, fix: str | None = FIX_LINE) -> TermProblem:
    """Return a problem at a line of the file."""
    return TermProblem(message("item.line", "line {number}", number=line), text, fix, line=line)


def no_terms_error() -> ComponentError:
    """The file contains no term. Importing nothing must be an error."""
    return ComponentError(
        message("file.noTerm", "The file contains no terms."),
        fix=message("fix.oneTerm", "Check the file and the format of the import"),
    )


def too_many_problems() -> ComponentError:
    """Reading stopped because of the number of errors."""
    return ComponentError(
        message("file.tooManyProblems", "The file has over {count:,} errors: the rest was not read.", count=PROBLEMS),
        fix=CHECK_FILE,
    )
