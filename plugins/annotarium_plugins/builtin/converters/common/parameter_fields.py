"""Parameters that several converters have."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from annotarium_plugins.parameters import number_field

CellSeparator = Annotated[
    str,
    Field(min_length=1, max_length=10, title="Between cells", description="What stands between cells of a table."),
]


def size_limit_field(
    default: int, most: int, *, title: str = "Largest file", description: str = "A larger file is refused."
) -> Any:
    """The size in MB from which a file or an item of it is refused."""
    return number_field(default, 1, most, title=title, description=description, advanced=True, unit="MB")
