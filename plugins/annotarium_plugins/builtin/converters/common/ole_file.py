"""Reads the streams of OLE files (doc, xls, ppt, msg; encrypted docx, xlsx, pptx) within limits and explains every
error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotarium_plugins.builtin.converters.common.errors import damaged_file, password_protected
from annotarium_schemas.messages import message

STREAM_BYTES = 256 << 20


class OleFile:
    """The streams of an OLE file. Create it with `open_ole_file`; `raw` is olefile's object."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    def has(self, name: str) -> bool:
        """Whether the file has a stream of this name (`/` between folders)."""
        return bool(self.raw.exists(name))

    def read(self, name: str) -> bytes:
        """Return the bytes of a stream; raises `ComponentError` when it is missing or damaged."""
        if not self.has(name):
            raise damaged_file(message("damaged.streamMissing", "It lacks the stream {name}.", name=name))
        try:
            with self.raw.openstream(name) as stream:
                content: bytes = stream.read(STREAM_BYTES)
        except MemoryError:
            raise
        except Exception as error:
            # olefile does not catch arithmetic and index errors on damaged sector chains
            raise damaged_file(message("damaged.stream", "The stream {name} cannot be read.", name=name)) from error
        return content


@contextmanager
def open_ole_file(path: Path) -> Iterator[OleFile]:
    """Open an OLE file and close it afterwards.

    Raises:
        ComponentError: it is not an OLE file, damaged, or an encrypted package of a newer format.
    """
    import olefile

    try:
        raw = olefile.OleFileIO(str(path))
    except MemoryError:
        raise
    except Exception as error:
        raise damaged_file(message("damaged.fileSystem", "Its internal file system is damaged.")) from error
    with raw:
        package = OleFile(raw)
        if package.has("EncryptedPackage"):
            raise password_protected()
        yield package
