"""Identifiers ascend and never repeat, drawn singly or in batches, also after a fork."""

from __future__ import annotations

import os
import threading

from annotarium.db.identifiers import id_timestamp_ms, new_id, new_ids, now_ms


def test_batches_and_single_identifiers_ascend_together() -> None:
    before = now_ms()
    found = [new_id(), *new_ids(10_000), new_id(), *new_ids(0), *new_ids(3), new_id()]
    assert found == sorted(set(found))
    assert len(found) == 10_006
    assert before <= id_timestamp_ms(found[0]) <= id_timestamp_ms(found[-1]) <= now_ms() + 3


def test_identifiers_of_threads_differ() -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.extend(new_ids(3_000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 12_000


def test_a_fork_does_not_repeat_identifiers_of_its_parent() -> None:
    last = new_id()
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writes, b" ".join(str(one).encode() for one in new_ids(50)))
        os._exit(0)
    mine = {last, *new_ids(50)}
    os.waitpid(child, 0)
    os.close(writes)
    theirs = {int(one) for one in os.read(reads, 10_000).split()}
    os.close(reads)
    assert len(theirs) == 50
    assert not mine & theirs  # probability 1/1000: both drew the same process number
