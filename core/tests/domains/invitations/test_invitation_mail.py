"""Invitations by e-mail: one address, in English and French, throttled, and silent about accounts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from structlog.testing import capture_logs
from support.smtp_server import SmtpServer, run_smtp_server

from annotarium.db.models import User
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.invitations import attempt_limits
from annotarium.domains.invitations.attempt_limits import invitation_limits
from annotarium.domains.invitations.schemas import InvitationSend
from annotarium.mail import translation
from annotarium.mail.invitation import InvitationFacts, compose_invitation_mail
from annotarium.mail.message import BadAddress
from annotarium.settings import Settings, get_settings

LOCALES = Path(__file__).parents[4] / "webapp/src/locales"
MAIL = {
    "SMTP_HOST": "127.0.0.1",
    "SMTP_SECURITY": "none",
    "MAIL_SENDER": "Annotarium <studio@example.org>",
    "PUBLIC_ADDRESS": "https://studio.example.org/",
}


@pytest.fixture(autouse=True)
def _no_attempts() -> Iterator[None]:
    invitation_limits.forget_all()
    yield
    invitation_limits.forget_all()


@pytest.fixture
def server() -> Iterator[SmtpServer]:
    with run_smtp_server() as server:
        yield server


@pytest.fixture
def mailing(monkeypatch: pytest.MonkeyPatch, server: SmtpServer, data_folder: Path) -> Iterator[pytest.MonkeyPatch]:
    """The process sends e-mail to the test's server."""
    monkeypatch.setattr(translation, "catalogue_folder", lambda: LOCALES)
    for name, value in (MAIL | {"SMTP_PORT": str(server.port)}).items():
        monkeypatch.setenv(f"ANNOTARIUM_{name}", value)
    get_settings.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.fixture
def ada(client: Any, as_user: Any) -> Any:
    return as_user(client, "ada", "ProjectManager", groups=("press",))


@pytest.fixture
def path(ada: Any, make_project: Any) -> str:
    return f"/api/projects/{make_project(owner='ada', group='press', label='Films').name}"


def send(caller: Any, path: str, address: str = "bob@example.org", **body: Any) -> Any:
    return caller.post(f"{path}/invitations/_send", json={"address": address} | body)


def token_in(mail: Any) -> str:
    (line,) = [line for line in mail.get_content().splitlines() if "/invitation#" in line]
    assert line.startswith("https://studio.example.org/invitation#")
    return str(line.partition("#")[2])


def test_the_recipient_accepts_the_link_of_the_mail(
    path: str, ada: Any, server: SmtpServer, mailing: Any, client: Any, as_user: Any
) -> None:
    assert ada.get(f"{path}/invitations").json()["sendsMail"] is True
    answer = send(ada, path, right="write", days=3)
    assert answer.status_code == 200, answer.text
    assert "token" not in answer.json()
    assert (answer.json()["sentTo"], answer.json()["usesLeft"]) == ("bob@example.org", 1)
    (mail,) = server.taken
    assert mail["to"] == "bob@example.org"
    assert mail["from"] == "Annotarium <studio@example.org>"
    assert mail["subject"] == "Ada invites you to Films"
    assert mail["auto-submitted"] == "auto-generated"
    assert "Ada invites you to the project Films: you may read and annotate it." in mail.get_content()
    bob = as_user(client, "bob", "Annotator")
    accepted = bob.post("/api/invitations/_accept", json={"token": token_in(mail)})
    assert accepted.json()["right"] == "write"
    eve = as_user(client, "eve", "Annotator")
    assert eve.post("/api/invitations/_accept", json={"token": token_in(mail)}).status_code == 404, "for one person"


def test_the_mail_is_in_the_language_of_the_request(path: str, ada: Any, server: SmtpServer, mailing: Any) -> None:
    assert send(ada, path, language="fr").status_code == 200
    (mail,) = server.taken
    assert mail["subject"] == "Ada vous invite à rejoindre Films"
    assert mail["content-language"] == "fr"
    assert "Ada vous invite à rejoindre le projet Films\u202f: vous pourrez le lire." in mail.get_content()


def test_the_response_does_not_depend_on_an_account(
    path: str, ada: Any, server: SmtpServer, mailing: Any, client: Any, as_user: Any
) -> None:
    as_user(client, "known", "Reader")
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.query(User).filter_by(username="known").update({"email": "known@example.org"})
    answers = [send(ada, path, address).json() for address in ("known@example.org", "unknown@example.org")]
    assert set(answers[0]) == set(answers[1])
    assert [mail["to"] for mail in server.taken] == ["known@example.org", "unknown@example.org"]


@pytest.mark.parametrize(
    "address",
    [
        "bob",
        "@example.org",
        "bob@",
        "bob@example.org, eve@example.org",
        "bob@example.org;eve@example.org",
        "Bob <bob@example.org>",
        "bob@example.org\nBcc: eve@example.org",
        "bob@exa mple.org",
        "bob\0@example.org",
        "x" * 250 + "@example.org",
        "",
    ],
)
def test_only_one_plain_address_is_accepted(
    path: str, ada: Any, server: SmtpServer, mailing: Any, address: str
) -> None:
    assert send(ada, path, address).status_code == 400
    assert server.taken == []
    assert ada.get(f"{path}/invitations").json()["invitations"] == []


def test_names_cannot_add_lines_or_headers(ada: Any, server: SmtpServer, mailing: Any, make_project: Any) -> None:
    made = make_project(owner="ada", label="Films\r\nBcc: eve@example.org\n\nBuy now")
    assert send(ada, f"/api/projects/{made.name}").status_code == 200
    (mail,) = server.taken
    assert mail["bcc"] is None
    assert len([line for line in server.heard if line.upper().startswith("RCPT")]) == 1
    assert "Buy now" not in mail.get_content().splitlines()


def test_mails_are_limited_per_sender_and_per_recipient(
    path: str, ada: Any, server: SmtpServer, mailing: Any, client: Any, as_user: Any, make_project: Any
) -> None:
    most = attempt_limits.MAILS_PER_RECIPIENT.amount
    assert [send(ada, path).status_code for _ in range(most + 1)] == [200] * most + [429]
    other = as_user(client, "other", "ProjectManager")
    own = f"/api/projects/{make_project(owner='other').name}"
    assert send(other, own, "BOB@example.org").status_code == 429, "one count for all senders"
    left = attempt_limits.MAILS_PER_ACCOUNT.amount - most - 1
    statuses = [send(ada, path, f"guest{number}@example.org").status_code for number in range(left + 1)]
    assert statuses == [200] * left + [429]
    assert len(server.taken) == most + left


def test_a_message_that_is_not_accepted_leaves_no_invitation(
    path: str, ada: Any, server: SmtpServer, mailing: Any
) -> None:
    """Its address appears in no log."""
    server.answer_to_recipient = "550 no such user"
    with capture_logs() as logs:
        answer = send(ada, path)
    assert answer.status_code == 503
    assert "bob@example.org" not in str(logs)
    assert ada.get(f"{path}/invitations").json()["invitations"] == []


def test_without_mail_settings_nothing_is_sent(path: str, ada: Any) -> None:
    assert send(ada, path).status_code == 400
    assert ada.get(f"{path}/invitations").json() == {"invitations": [], "sendsMail": False}


def test_who_may_not_share_sends_nothing(
    path: str, server: SmtpServer, mailing: Any, client: Any, as_user: Any, ada: Any
) -> None:
    assert ada.post(f"{path}/shares/groups", json={"read": True, "write": True}).status_code == 204
    member = as_user(client, "member", groups=("press",))
    assert send(member, path).status_code == 403
    assert server.taken == []


ANYTHING = st.text(max_size=300) | st.just("x\r\nBcc: other@example.org\r\n\r\nbody")


@settings(max_examples=60, deadline=None)
@given(label=ANYTHING, name=ANYTHING, address=st.just("a@example.org") | ANYTHING | st.emails())
@example(label="x", name="y", address="a@example.org\x85b@example.org")
def test_nothing_injects_headers_or_recipients(label: str, name: str, address: str) -> None:
    """Every accepted address is one recipient; names stay in their header and their line."""
    sender = Settings(mail_sender="studio@example.org", public_address="https://x.org")
    facts = InvitationFacts(inviter=name, project_label=label, write=True, expires_at=0, token="secret")
    try:
        to = InvitationSend(address=address).address
        mail = compose_invitation_mail(facts, to, "en", sender)
    except (ValidationError, BadAddress):
        assert address != "a@example.org"
        return
    assert len(mail["to"].addresses) == 1
    head, _, _ = bytes(mail).partition(b"\r\n\r\n")
    names = [line.split(b":")[0].lower() for line in head.split(b"\r\n") if line[:1] not in (b" ", b"\t")]
    assert len(names) == len(set(names)) and b"bcc" not in names and b"cc" not in names
    assert mail.get_content().splitlines().count("https://x.org/invitation#secret") == 1


def test_the_token_is_not_in_the_representation_of_the_facts() -> None:
    facts = InvitationFacts(inviter="Ada", project_label="Films", write=False, expires_at=0, token="secret")
    assert "secret" not in repr(facts)
