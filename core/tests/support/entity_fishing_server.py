"""A local server that answers in the published format of entity-fishing. It knows some names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

VARIABLE = "ANNOTARIUM_ENTITY_FISHING"
KNOWN: dict[str, dict[str, Any]] = {
    "Ada Lovelace": {"type": "PERSON", "wikidataId": "Q7259", "domains": ["Biography"]},
    "Paris": {"type": "LOCATION", "wikidataId": "Q90"},
    "aspirin": {"domains": ["Chemistry", "Pharmacy"], "wikidataId": "Q18216"},
    "algebra": {"domains": ["Mathematics"], "wikidataId": "Q3968"},
}
SHORTEST = 6
"""The documentation: a text of 5 characters or fewer is answered with 406."""


@dataclass
class EntityFishingServer:
    """What was asked, and what is answered.

    Attributes:
        answer: status and body to send instead of the entities.
        unit: `utf-16`, as the implementation counts, or `characters`, as the documentation says.
        score: how an entity tells its score.
    """

    address: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    answer: tuple[int, bytes] | None = None
    unit: str = "utf-16"
    score: dict[str, Any] = field(default_factory=lambda: {"confidence_score": 0.75})

    def entities(self, text: str) -> list[dict[str, Any]]:
        """The known names in a text."""
        found = []
        for name, facts in KNOWN.items():
            at = text.find(name)
            while at >= 0:
                start = len(text[:at].encode("utf-16-le")) // 2 if self.unit == "utf-16" else at
                place = {"offsetStart": start, "offsetEnd": start + len(name)}
                found.append({"rawName": name, **place, **self.score, **facts})
                at = text.find(name, at + 1)
        return sorted(found, key=lambda one: one["offsetStart"])

    def reply(self, query: dict[str, Any]) -> tuple[int, bytes]:
        """Status and body for a query."""
        if self.answer is not None:
            return self.answer
        if len(query["text"].strip()) < SHORTEST:
            return 406, b""
        return 200, json.dumps({"entities": self.entities(query["text"])}).encode()


@contextmanager
def entity_fishing_server() -> Iterator[EntityFishingServer]:
    """Run a server until the end of the block."""
    state = EntityFishingServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            query = json.loads(body.partition("\r\n\r\n")[2].rpartition("\r\n--")[0])
            state.asked.append({"path": self.path, **query})
            status, content = state.reply(query)
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Write no log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    state.address = f"http://127.0.0.1:{server.server_address[1]}/base/"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
