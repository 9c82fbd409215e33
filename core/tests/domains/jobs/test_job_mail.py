"""E-mail about the end of a job, on request (S-044, D-012): sent once, as readable text, in spite of failures of the
mail server.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from support.factories import Corpus, document
from support.smtp_server import SmtpServer, run_smtp_server
from support.vocabularies import add_gazetteer, add_lexicon

from annotarium.access import rights_revision
from annotarium.db.models import Job, JobMail, Project, User
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs.reconciler import Reconciler
from annotarium.mail import sending, translation
from annotarium.mail.message import BadAddress, compose_job_mail
from annotarium.mail.repository import Recipient
from annotarium.mail.sending import PAUSES_MS, send_due_mails
from annotarium.settings import Settings, get_settings

LOCALES = Path(__file__).parents[4] / "webapp/src/locales"
FRENCH = {"accept-language": "fr-FR,fr;q=0.9"}
PASSWORD = "the password of the mail server"


@pytest.fixture
def server() -> Iterator[SmtpServer]:
    with run_smtp_server() as server:
        yield server


@pytest.fixture
def mailing(monkeypatch: pytest.MonkeyPatch, server: SmtpServer, data_folder: Path) -> Iterator[pytest.MonkeyPatch]:
    """The process sends e-mail to the test's server; change its environment with `set_mail`."""
    monkeypatch.setattr(translation, "catalogue_folder", lambda: LOCALES)
    set_mail(
        monkeypatch,
        SMTP_HOST="127.0.0.1",
        SMTP_PORT=str(server.port),
        SMTP_SECURITY="none",
        MAIL_SENDER="Annotarium <studio@example.org>",
        PUBLIC_ADDRESS="https://studio.example.org/",
    )
    yield monkeypatch
    monkeypatch.undo()
    get_settings.cache_clear()


def set_mail(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(f"ANNOTARIUM_{name}", value)
    get_settings.cache_clear()


@pytest.fixture
def trained(corpus: Corpus) -> Corpus:
    """A project with an experiment `names` that trains quickly, created by a user with an e-mail address."""
    change_user(email="root@example.org", profilename="Root", disabled=False)
    people = [(name, town) for name in ("Ada", "Bo", "Cy", "Di") for town in ("Rome", "Oslo")]
    corpus.add(*(document(f"{name}-{town}", f"Dr {name} came to {town}.", (name, "person")) for name, town in people))
    corpus.post("/experiments", json={"engine": "crf", "label": "Names", "parameters": {"iterations": 3}})
    corpus.patch("/experiments/names", json={"emailNotification": True})
    return corpus


def change_user(**columns: Any) -> None:
    with unit_of_work(actor="", write=True) as unit:
        unit.session.query(User).filter_by(username="root").update(columns)
        rights_revision.note_rights_change(unit.session)


def waiting() -> list[JobMail]:
    with unit_of_work(actor="", write=False) as unit:
        return unit.session.query(JobMail).all()


def make_due() -> None:
    """End the pause before the next attempt."""
    with unit_of_work(actor="", write=True) as unit:
        unit.session.query(JobMail).update({"due_at": JobMail.due_at - PAUSES_MS[-1] - sending.CLAIMED_MS})


def ended_job(corpus: Corpus, **columns: Any) -> str:
    """A training in its final state, with e-mail requested."""
    job = corpus.post("/experiments/names/_launch")
    corpus.delete(f"/job/{job['id']}")
    with unit_of_work(actor="", write=True) as unit:
        unit.session.query(Job).filter_by(id=job["id"]).update(columns or {"status": "CANCELLED"})
    name: str = job["id"]
    return name


def test_a_successful_training_is_mailed_in_the_language_of_its_user(
    trained: Corpus, server: SmtpServer, mailing: Any
) -> None:
    trained.post("/experiments/names/_launch", headers=FRENCH)
    assert send_due_mails() == 0  # the job has not ended yet
    trained.run_jobs()
    assert (send_due_mails(), send_due_mails()) == (1, 0)
    (mail,) = server.taken
    label = trained.project.label
    assert mail["to"] == "Root <root@example.org>"
    assert mail["from"] == "Annotarium <studio@example.org>"
    assert mail["subject"] == f"Terminé\u202f: Entraînement de Names ({label})"
    assert mail["auto-submitted"] == "auto-generated"
    text = mail.get_content().splitlines()
    assert text[0] == "Bonjour Root,"
    assert f"Projet\u202f: {label}" in text
    assert [line for line in text if line.startswith("Résultat\u202f: Entraîné sur ")]
    assert f"https://studio.example.org/openProject/{trained.project.name}/jobs" in text
    assert waiting() == []


def test_follow_up_jobs_of_a_training_are_mailed(trained: Corpus, server: SmtpServer, mailing: Any) -> None:
    trained.post("/experiments/names/_launch", params={"annotateCorpus": True})
    trained.run_jobs()
    assert send_due_mails() == 2
    label = trained.project.label
    assert [mail["subject"] for mail in server.taken] == [
        f"Completed: Training Names ({label})",
        f"Completed: Annotating the corpus with Names ({label})",
    ]


def test_a_synchronisation_of_a_gazetteer_is_mailed_on_request(
    corpus: Corpus, server: SmtpServer, mailing: Any
) -> None:
    """V-029, S-049: with the annotation of the corpus that it starts."""
    change_user(email="root@example.org", profilename="Root", disabled=False)
    add_gazetteer(corpus, add_lexicon(corpus))
    corpus.post("/gazetteers/finder/_synchronize")
    corpus.run_jobs()
    assert send_due_mails() == 0
    corpus.patch("/gazetteers/finder", json={"emailNotification": True})
    corpus.post("/gazetteers/finder/_synchronize", params={"annotateCorpus": True}, headers=FRENCH)
    corpus.run_jobs()
    assert send_due_mails() == 2
    label = corpus.project.label
    assert [mail["subject"] for mail in server.taken] == [
        f"Terminé\u202f: Synchronisation de Finder ({label})",
        f"Terminé\u202f: Annotation du corpus avec Finder ({label})",
    ]


@pytest.mark.parametrize(
    ("path", "parameters"),
    [("/annotators/names/_annotate_corpus", {}), ("/documents/_search_and_annotate", {"annotator": "names"})],
)
def test_annotation_jobs_are_mailed_only_on_request(
    trained: Corpus, server: SmtpServer, mailing: Any, path: str, parameters: dict[str, str]
) -> None:
    trained.patch("/experiments/names", json={"emailNotification": False})
    trained.post("/experiments/names/_launch")
    trained.run_jobs()
    trained.post(path, params=parameters)
    trained.run_jobs()
    assert (send_due_mails(), server.taken) == (0, [])
    job = trained.post(path, params=parameters | {"emailNotification": True})
    assert job["parameters"]["email_notification"] is True
    trained.run_jobs()
    assert send_due_mails() == 1
    assert "Result: 0 annotations added to 8 documents" in server.taken[0].get_content()


def test_a_failure_is_mailed_with_cause_and_fix(trained: Corpus, server: SmtpServer, mailing: Any) -> None:
    trained.post("/annotations/_clear")
    trained.post("/experiments/names/_launch", headers=FRENCH)
    trained.run_jobs()
    assert send_due_mails() == 1
    assert server.taken[0]["subject"].startswith("Échec\u202f: Entraînement de Names")
    text = server.taken[0].get_content()
    failed = trained.get("/jobs")[0]["error"]
    assert failed["fix"] not in text  # the stored error is in English, the e-mail in French
    assert {line.split("\u202f:")[0] for line in text.splitlines() if "\u202f:" in line} >= {"Erreur", "Que faire"}


def test_a_job_cancelled_before_running_is_mailed(trained: Corpus, server: SmtpServer, mailing: Any) -> None:
    ended_job(trained)
    assert send_due_mails() == 1
    assert server.taken[0]["subject"].startswith("Cancelled: Training Names")


def test_a_job_of_a_dead_worker_is_mailed(trained: Corpus, server: SmtpServer, mailing: Any) -> None:
    job = trained.post("/experiments/names/_launch")
    with unit_of_work(actor="", write=True) as unit:
        unit.session.query(Job).filter_by(id=job["id"]).update({"state": "running", "attempts": 3, "lease_until": 0})
    assert send_due_mails() == 0
    Reconciler().requeue_lost(before=10)
    assert send_due_mails() == 1
    assert "What to do: Reduce the work of the job" in server.taken[0].get_content()


def test_a_server_without_mail_settings_reports_it_and_sends_none(
    trained: Corpus, server: SmtpServer, mailing: Any
) -> None:
    assert trained.caller.get("/api/ui-config").json()["emailNotifications"] is True
    mailing.delenv("ANNOTARIUM_SMTP_HOST")
    get_settings.cache_clear()
    assert trained.caller.get("/api/ui-config").json()["emailNotifications"] is False
    job = trained.post("/experiments/names/_launch")
    assert job["parameters"]["email_notification"] is False
    trained.run_jobs()
    assert (waiting(), server.visits) == ([], 0)


@pytest.mark.parametrize("gone", [{"email": None}, {"disabled": True}])
def test_no_recipient_no_email(trained: Corpus, server: SmtpServer, mailing: Any, gone: dict[str, Any]) -> None:
    ended_job(trained)
    change_user(**gone)
    assert (send_due_mails(), waiting(), server.visits) == (0, [], 0)


def test_an_unavailable_mail_server_is_retried_a_limited_number_of_times(
    trained: Corpus, server: SmtpServer, mailing: pytest.MonkeyPatch
) -> None:
    set_mail(mailing, SMTP_PORT="1")
    ended_job(trained)
    ended_job(trained)
    assert send_due_mails() == 0
    assert [mail.attempts for mail in waiting()] == [1, 1]
    assert send_due_mails() == 0  # not due again yet
    assert [mail.attempts for mail in waiting()] == [1, 1]
    for tries in range(2, len(PAUSES_MS) + 1):
        make_due()
        send_due_mails()
        assert [mail.attempts for mail in waiting()] == [tries, tries]
    with unit_of_work(actor="", write=True) as unit:
        unit.session.delete(unit.session.query(JobMail).first())
    make_due()
    with capture_logs() as told:
        send_due_mails()
    assert [(line["event"], line["attempts"]) for line in told] == [("mail_given_up", 5)]
    assert waiting() == []


def test_a_temporarily_refused_mail_is_retried(trained: Corpus, server: SmtpServer, mailing: Any) -> None:
    server.answer_to_recipient = "451 come back later"
    ended_job(trained)
    assert send_due_mails() == 0
    server.answer_to_recipient = "250 ok"
    make_due()
    assert (send_due_mails(), len(server.taken), waiting()) == (1, 1, [])


@pytest.mark.parametrize("step", ["answer_to_recipient", "answer_to_message"])
def test_a_permanently_refused_mail_is_not_retried(
    trained: Corpus, server: SmtpServer, mailing: Any, step: str
) -> None:
    setattr(server, step, "550 nobody here")
    ended_job(trained)
    assert (send_due_mails(), waiting()) == (0, [])


def test_a_mail_of_a_killed_sender_is_sent_by_the_next(
    trained: Corpus, server: SmtpServer, mailing: pytest.MonkeyPatch
) -> None:
    """At least once: the two copies carry one Message-ID."""

    class Killed(BaseException):
        pass

    def die(_job_id: str) -> None:
        raise Killed

    ended_job(trained)
    with mailing.context() as patch:
        patch.setattr(sending, "_delete_mail", die)
        with pytest.raises(Killed):
            send_due_mails()
    assert (send_due_mails(), len(server.taken)) == (0, 1)  # another process has claimed it
    make_due()
    assert send_due_mails() == 1
    first, second = server.taken
    assert first["message-id"] == second["message-id"]
    assert waiting() == []


def test_concurrent_senders_send_a_mail_once(trained: Corpus, server: SmtpServer, mailing: pytest.MonkeyPatch) -> None:
    ended_job(trained)
    letter = sending._compose_message

    def meanwhile(*arguments: Any) -> Any:
        with mailing.context() as patch:
            patch.setattr(sending, "_compose_message", letter)
            send_due_mails()
        return letter(*arguments)

    with mailing.context() as patch:
        patch.setattr(sending, "_compose_message", meanwhile)
        assert send_due_mails() == 1
    assert len(server.taken) == 1


def test_passwords_are_neither_sent_unencrypted_nor_logged(
    trained: Corpus, server: SmtpServer, mailing: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server.offers_login = True  # but no STARTTLS
    set_mail(mailing, SMTP_SECURITY="starttls", SMTP_USER="studio", SMTP_PASSWORD=PASSWORD)
    ended_job(trained)
    with capture_logs() as told:
        assert send_due_mails() == 0
    assert [line["event"] for line in told] == ["mail_not_sent"]
    assert PASSWORD not in str(told)
    assert not [line for line in server.heard if line.startswith("AUTH")]


def test_invalid_mail_settings_are_refused_without_disclosing_secrets(mailing: pytest.MonkeyPatch) -> None:
    mailing.setenv("ANNOTARIUM_SMTP_PASSWORD", PASSWORD)
    mailing.setenv("ANNOTARIUM_SMTP_USER", "studio")
    with pytest.raises(ValueError, match="needs a server with TLS") as refused:
        Settings()
    assert PASSWORD not in str(refused.value)
    mailing.delenv("ANNOTARIUM_SMTP_USER")
    mailing.delenv("ANNOTARIUM_MAIL_SENDER")
    with pytest.raises(ValueError, match="ANNOTARIUM_MAIL_SENDER") as refused:
        Settings()
    assert PASSWORD not in str(refused.value)


def test_the_password_can_be_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    assert sending._smtp_password(Settings(smtp_password_file=tmp_path / "password")) == PASSWORD


ANYTHING = st.text(max_size=300) | st.just("x\r\nBcc: other@example.org\r\n\r\nbody")


@settings(max_examples=60, deadline=None)
@given(label=ANYTHING, name=ANYTHING, cause=ANYTHING, address=st.just("a@example.org") | ANYTHING)
def test_names_cannot_inject_headers_or_recipients(label: str, name: str, cause: str, address: str) -> None:
    job = Job(id="ab", status="FAILED", description=label, error={"message": label, "cause": cause}, created_at=0)
    sender = Settings(mail_sender="studio@example.org", public_address="https://x.org")
    try:
        mail = compose_job_mail(
            job, Project(name="x", label=label), Recipient(name, address, sees_jobs=False), "en", sender
        )
    except BadAddress:
        assert address != "a@example.org"
        return
    head, _, _ = bytes(mail).partition(b"\r\n\r\n")
    names = [line.split(b":")[0].lower() for line in head.split(b"\r\n") if line[:1] not in (b" ", b"\t")]
    ours = b"from to subject date message-id auto-submitted content-language"
    theirs = b"mime-version content-type content-transfer-encoding"
    assert sorted(names) == sorted([*ours.split(), *theirs.split()])
    assert [one.addr_spec for one in mail["to"].addresses] == [address]
    assert "https://x.org/openProject/x" in mail.get_content().splitlines()
