"""Draws a sample of a corpus in bounded memory, independent of the order of its texts."""

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
    """Return the beginnings of the texts with the lowest hashes, in the order of the hashes, and the number of all
    texts.

    The same texts give the same sample in any order; the sample contains at most `most` texts and `_CODE_POINTS`
    code points.

    Args:
        steps: total that is passed to `progress`.
    """
    kept: list[tuple[int, int, str]] = []
    size = count = 0
    for document in documents:
        if count % _TOLD == 0:
            progress(0, steps, message("doing.readTraining", "Loading the training data"))
        text = document.text[:TEXT_LIMIT]
        digest = hashlib.blake2b(f"{seed}:{text}".encode(errors="surrogatepass"), digest_size=8).digest()
        # The number distinguishes equal texts; it orders nothing else.
        heapq.heappush(kept, (-int.from_bytes(digest, "big"), -count, text))
        size += len(text)
        count += 1
        while len(kept) > most or (size > _CODE_POINTS and len(kept) > 1):
            size -= len(heapq.heappop(kept)[2])
    kept.sort(key=lambda one: (-one[0], one[2]))
    return [text for _, _, text in kept], count
