"""Limits on request bodies and on concurrent requests of one caller, by class of route.

Each route belongs to one class (`Rule.bounds`); `route_table.json` records which. Requests are counted per process:
with several API processes a caller may have that many in each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

KILOBYTE, MEGABYTE = 1_024, 1_024 * 1_024


@dataclass(frozen=True)
class RequestLimits:
    """The limits of a class of routes.

    Attributes:
        name: the counter for a caller's requests; classes with the same name share it.
        body_bytes: maximum length of a request body (the setting `body_limit` may lower it); None: the endpoint streams
            the body to disk and limits it itself.
        body_values: maximum number of values and keys of a JSON body, counted before it is parsed.
        at_once: concurrent requests of one signed-in user. Callers known only by their address may have twice as many,
            because several people may share an address.
    """

    name: str
    body_bytes: int | None
    body_values: int
    at_once: int


STANDARD = RequestLimits("standard", MEGABYTE, 20_000, 100)
ANONYMOUS = RequestLimits("anonymous", 64 * KILOBYTE, 1_000, 50)
"""Routes that need no account."""
HEALTH = RequestLimits("health", 4 * KILOBYTE, 100, 50)
"""Health probes have a counter of their own: they must be answered whatever else comes from the same address."""
LISTS = RequestLimits("lists", 4 * MEGABYTE, 200_000, 32)
"""Long lists of identifiers, such as the files of an import."""
TEXT = RequestLimits("annotate", 16 * MEGABYTE, 20_000, 64)
"""A text that is annotated and not stored. The request waits for a worker."""
DOCUMENTS = RequestLimits("annotate", 16 * MEGABYTE, 200_000, 64)
"""Documents that are annotated and not stored. The request waits for a worker."""
JSON_FILE = RequestLimits("files", 64 * MEGABYTE, 0, 64)
"""JSON that is streamed to disk and never parsed by the API process: a job reads it item by item."""
FILES = RequestLimits("files", None, 20_000, 64)
"""Files streamed to disk, each of at most `upload_limit` bytes. `body_values` applies to a plan sent with them."""
WAITS = RequestLimits("waits", MEGABYTE, 20_000, 64)
"""Requests that wait for the end of a job."""

LARGE_BODY = 256 * KILOBYTE
"""Bodies longer than this are parsed in a thread, and the limits below apply to them."""
LARGE_PER_CALLER = 4
"""Large bodies of one caller that are received or parsed at the same time."""
LARGE_IN_ALL = 256 * MEGABYTE
"""Total bytes of large bodies in memory at the same time."""
PARSED_AT_ONCE = 2
"""Large bodies parsed at the same time: the parser does not release the GIL while it works on a body."""
READ_UNASKED = 64 * KILOBYTE
"""Longest body that is read before the caller's credentials are checked. Without credentials, none."""
QUERY_FIELDS = 4_000
"""Maximum number of fields of a query string."""
