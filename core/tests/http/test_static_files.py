"""The files of the web app: the encoding that the client prefers, versions, ranges, and what is not served."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from annotarium.http import static_files
from annotarium.http.static_files import choose_encoding, install_static_files

SCRIPT = b"export const words = 'one two three';" * 40
PACKED = gzip.compress(SCRIPT, mtime=0)
# The server passes on what the build wrote, so that a stand-in shows which file was sent.
BROTLI = b"brotli of the script"
PAGE = b"<!doctype html><title>Annotarium</title>"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "webapp"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(PAGE)
    (folder / "favicon.svg").write_bytes(b"<svg/>")
    (folder / ".gitkeep").write_bytes(b"")
    (folder / "assets" / "page-1.js").write_bytes(SCRIPT)
    (folder / "assets" / "page-1.js.br").write_bytes(BROTLI)
    (folder / "assets" / "page-1.js.gz").write_bytes(PACKED)
    (tmp_path / "secret.txt").write_bytes(b"secret")
    monkeypatch.setattr(static_files, "webapp_folder", lambda: folder)
    return folder


@pytest.fixture
def browser(folder: Path) -> Iterator[TestClient]:
    app = FastAPI()
    install_static_files(app)
    with TestClient(app, headers={"accept-encoding": "identity"}) as client:
        yield client


def _raw(browser: TestClient, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and the bytes as sent: the client would decode them."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with browser.stream(method, path, headers=named) as answer:
        return answer.status_code, dict(answer.headers), b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("GZIP", "gzip"),
        ("br;q=0.5, gzip;q=0.9", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0.000, *", "gzip"),
        ("*", "br"),
        ("*;q=0", None),
        ("identity", None),
        ("identity, gzip;q=0.5", None),
        ("identity, gzip", "gzip"),
        ("deflate", None),
        ("", None),
        ("br;q=2, gzip;q=x", None),
        ("br ; q=1 , gzip", "br"),
        (",,;q=1", None),
    ],
)
def test_the_encoding_is_the_one_the_client_prefers(accepted: str, encoding: str | None) -> None:
    assert choose_encoding(accepted, ["br", "gzip"]) == encoding


def test_without_compressed_files_nothing_is_chosen() -> None:
    assert choose_encoding("br, gzip", []) is None


@pytest.mark.parametrize(
    ("accepted", "encoding", "body"),
    [("gzip, deflate, br", "br", BROTLI), ("gzip", "gzip", PACKED), ("identity", None, SCRIPT)],
)
def test_a_file_is_sent_as_the_build_compressed_it(
    browser: TestClient, accepted: str, encoding: str | None, body: bytes
) -> None:
    status, headers, content = _raw(browser, "/assets/page-1.js", accept_encoding=accepted)
    assert (status, content) == (200, body)
    assert headers.get("content-encoding") == encoding
    assert headers["content-length"] == str(len(body))
    assert headers["content-type"].startswith("text/javascript")
    assert headers["vary"] == "Accept-Encoding"
    assert headers["cache-control"] == "public, max-age=31536000, immutable"


def test_each_encoding_has_its_own_version_and_is_not_sent_twice(browser: TestClient) -> None:
    tags = set()
    for accepted in ("br", "gzip", "identity"):
        tag = _raw(browser, "/assets/page-1.js", accept_encoding=accepted)[1]["etag"]
        status, headers, content = _raw(
            browser, "/assets/page-1.js", accept_encoding=accepted, if_none_match=f'"other", W/{tag}'
        )
        assert (status, content, headers["etag"], headers["vary"]) == (304, b"", tag, "Accept-Encoding")
        tags.add(tag)
    assert len(tags) == 3
    # What a client has as brotli is no answer to a request for gzip.
    brotli = _raw(browser, "/assets/page-1.js", accept_encoding="br")[1]["etag"]
    assert _raw(browser, "/assets/page-1.js", accept_encoding="gzip", if_none_match=brotli)[0] == 200


def test_a_changed_file_has_a_new_version(browser: TestClient, folder: Path) -> None:
    first = _raw(browser, "/home")[1]["etag"]
    os.utime(folder / "index.html", ns=(1, 1))
    status, headers, content = _raw(browser, "/home", if_none_match=first)
    assert (status, content) == (200, PAGE)
    assert headers["etag"] != first


def test_a_range_is_one_of_the_bytes_sent(browser: TestClient) -> None:
    status, headers, content = _raw(browser, "/assets/page-1.js", accept_encoding="gzip", range="bytes=2-5")
    assert (status, content) == (206, PACKED[2:6])
    assert headers["content-encoding"] == "gzip"
    assert headers["content-range"] == f"bytes 2-5/{len(PACKED)}"
    # A part of another encoding does not fit: the whole file is sent.
    status, _, content = _raw(
        browser, "/assets/page-1.js", accept_encoding="identity", range="bytes=2-5", if_range=headers["etag"]
    )
    assert (status, content) == (200, SCRIPT)


def test_head_tells_the_size_of_what_get_sends(browser: TestClient) -> None:
    status, headers, content = _raw(browser, "/assets/page-1.js", "HEAD", accept_encoding="br")
    assert (status, content) == (200, b"")
    assert (headers["content-encoding"], headers["content-length"]) == ("br", str(len(BROTLI)))


def test_a_file_without_compressed_forms_is_sent_as_it_is(browser: TestClient) -> None:
    status, headers, content = _raw(browser, "/favicon.svg", accept_encoding="br, gzip")
    assert (status, content, headers["content-type"]) == (200, b"<svg/>", "image/svg+xml")
    assert "content-encoding" not in headers
    assert "vary" not in headers
    assert headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/assets/page-1.js.br", "/assets/page-1.js.gz", "/.gitkeep", "/../secret.txt", "/%2e%2e/secret.txt", "/home"],
)
def test_every_other_path_is_the_page(browser: TestClient, path: str) -> None:
    assert _raw(browser, path)[2] == PAGE
