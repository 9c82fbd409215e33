"""A small SMTP server for tests: accepts messages, or refuses them as configured."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default


class _Session(socketserver.StreamRequestHandler):
    server: SmtpServer

    def reply(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        self.server.visits += 1
        self.reply("220 ready")
        while line := self.rfile.readline().decode("utf-8", "replace").strip():
            verb = line.split(" ")[0].upper()
            self.server.heard.append(line)
            if verb == "EHLO":
                self.reply("250-here")
                self.reply("250 AUTH PLAIN" if self.server.offers_login else "250 8BITMIME")
            elif verb == "RCPT":
                self.reply(self.server.answer_to_recipient)
            elif verb == "DATA":
                self.reply("354 go on")
                self.take()
            elif verb == "QUIT":
                self.reply("421 in no mood for goodbyes")
                return
            else:
                self.reply("250 ok")

    def take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b"."))
        if self.server.answer_to_message.startswith("2"):
            parsed = message_from_bytes(b"".join(lines), policy=default)
            assert isinstance(parsed, EmailMessage)
            self.server.taken.append(parsed)
        self.reply(self.server.answer_to_message)


class SmtpServer(socketserver.ThreadingTCPServer):
    """Accepted messages, received commands and configured replies."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.port: int = self.server_address[1]
        self.taken: list[EmailMessage] = []
        self.heard: list[str] = []
        self.visits = 0
        self.offers_login = False
        self.answer_to_recipient = "250 ok"
        self.answer_to_message = "250 taken"


@contextmanager
def run_smtp_server() -> Iterator[SmtpServer]:
    """Run a server on a free local port."""
    with SmtpServer() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield server
        server.shutdown()
