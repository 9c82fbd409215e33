"""How much one request may send, and how many requests of one caller are answered at the same time, by class of route.

Each route belongs to one class (`Rule.bounds`); `route_table.json` pins which. Requests are counted in each process by
itself: with several API processes a caller may have so many in each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

KILOBYTE, MEGABYTE = 1_024, 1_024 * 1_024


@dataclass(frozen=True)
class RequestLimits:
    """The limits of a class of routes.

    Attributes:
        name: what the requests of a caller are counted under.
        body_bytes: the longest request body (the setting `body_limit` may lower it); None: the endpoint streams the
            body to disk and limits it itself.
        body_values: most values and keys of a JSON body, counted before it is parsed.
        at_once: requests of one signed-in user that are answered at the same time. Callers of whom only the address is
            known may have twice as many: several people may share an address.
    """

    name: str
    body_bytes: int | None
    body_values: int
    at_once: int


STANDARD = RequestLimits("standard", MEGABYTE, 20_000, 100)
ANONYMOUS = RequestLimits("anonymous", 64 * KILOBYTE, 1_000, 50)
"""Routes that need no account."""
HEALTH = RequestLimits("health", 4 * KILOBYTE, 100, 50)
"""Probes have a count of their own: they must be answered whatever else comes from the same address."""
LISTS = RequestLimits("lists", 4 * MEGABYTE, 200_000, 32)
"""Long lists of identifiers, such as the files of an import."""
TEXT = RequestLimits("annotate", 16 * MEGABYTE, 20_000, 64)
"""A text that is annotated and not stored. The request waits for a worker."""
DOCUMENTS = RequestLimits("annotate", 16 * MEGABYTE, 200_000, 64)
"""Documents that are annotated and not stored. The request waits for a worker."""
JSON_FILE = RequestLimits("files", 64 * MEGABYTE, 0, 64)
"""JSON that is streamed to disk and never parsed by the API: a job reads it item by item."""
FILES = RequestLimits("files", None, 20_000, 64)
"""Files, streamed to disk, each of at most `upload_limit` bytes. The values are those of a plan sent beside them."""
WAITS = RequestLimits("waits", MEGABYTE, 20_000, 64)
"""Requests that wait for the end of a job."""

LARGE_BODY = 256 * KILOBYTE
"""Longer bodies are parsed in a thread, and limited as follows."""
LARGE_PER_CALLER = 4
"""Large bodies of one caller that are received or parsed at the same time."""
LARGE_IN_ALL = 256 * MEGABYTE
"""Bytes of large bodies in memory at the same time."""
PARSED_AT_ONCE = 2
"""Large bodies parsed at the same time: the parser holds the interpreter until it is done with a body."""
READ_UNASKED = 64 * KILOBYTE
"""Longest body that is read before the rights of a caller with credentials are looked up. Without credentials, none."""
QUERY_FIELDS = 4_000
"""Most fields of a query string."""
