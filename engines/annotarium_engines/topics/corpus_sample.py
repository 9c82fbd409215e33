"""A sample of a corpus that does not hang on its order, in bounded memory."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable

from annotarium_engines.topics.vocabulary import TEXT_LIMIT
from annotarium_plugins.base.component import Progress
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

_CODE_POINTS = 30_000_000
_TOLD = 500


def sample_texts(
    documents: Iterable[Document], *, most: int, seed: int, progress: Progress, steps: int
) -> tuple[list[str], int]:
    """Begins of the texts with the lowest fingerprints, in the order of these, and how many texts there are in all.

    The same texts give the same sample in whatever order they come; the sample holds at most `maximum` texts and
    `_CODE_POINTS` code points.

    Args:
        steps: total that `progress` is told.
    """
    kept: list[tuple[int, int, str]] = []
    size = count = 0
    for document in documents:
        if count % _TOLD == 0:
            progress(0, steps, message("doing.readTraining", "Reading"))
        text = document.text[:TEXT_LIMIT]
        digest = hashlib.blake2b(f"{seed}:{text}".encode(errors="surrogatepass"), digest_size=8).digest()
        # The number parts equal texts; it only orders what is equal.
        heapq.heappush(kept, (-int.from_bytes(digest, "big"), -count, text))
        size += len(text)
        count += 1
        while len(kept) > most or (size > _CODE_POINTS and len(kept) > 1):
            size -= len(heapq.heappop(kept)[2])
    kept.sort(key=lambda one: (-one[0], one[2]))
    return [text for _, _, text in kept], count
