"""Models from other installations: no byte is read before an administrator accepts them, and then only in a confined
process; a model that crashes is not tried again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document
from support.forged_archives import files_of, forge_archive
from support.hostile_test_sizes import hostile_test_size
from support.project_archives import export_project, upload_archive

from annotarium.db.models import Experiment, InstanceFact, Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.foreign_models.repository import SIGNED
from annotarium.domains.foreign_models.sign_existing import sign_existing_models
from annotarium.registry import foreign_model_client, model_signatures
from annotarium.registry.model_store import model_folder

PEOPLE = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Kurt Goedel", "Emmy Noether", "Marie Curie"]
OFFSETS = {
    "size": 4,
    "features": 16,
    "labels": 20,
    "attributes": 24,
    "off_features": 28,
    "off_labels": 32,
    "off_attributes": 36,
    "off_label_refs": 40,
    "off_attribute_refs": 44,
}
"""Offsets of the fields in the header of a CRFsuite model; each field is damaged in turn."""
VALUES = (0x7FFFFF00, 0xFFFFFFF0, 49, 3)


@pytest.fixture
def corpus(client: Any, as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]]) -> Corpus:
    """Return a project with a model trained on this installation."""
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(*(document(f"d{n}", f"Yesterday {one} met a friend.", (one, "person")) for n, one in enumerate(PEOPLE)))
    name = corpus.post("/experiments", json={"label": "Names", "engine": "crf", "parameters": {"iterations": 8}})[
        "name"
    ]
    corpus.post(f"/experiments/{name}/_launch")
    corpus.run_jobs()
    return corpus


def _loaded(corpus: Corpus, data: bytes) -> Corpus:
    body = {"id": upload_archive(corpus.caller, data), "filename": "a.spa"}
    started = corpus.caller.post("/api/projects/_load", json=body).json()
    corpus.run_jobs()
    ended = corpus.caller.get(f"/api/jobs/{started['id']}").json()
    assert ended["status"] == "COMPLETED", ended
    found = type("Named", (), {"name": started["projectName"]})
    return Corpus(corpus.caller, found, corpus.run_jobs)


def _unsigned(files: dict[str, bytes]) -> None:
    for name in [name for name in files if name.endswith(model_signatures.SIGNATURE)]:
        del files[name]


def _annotated(corpus: Corpus) -> Job:
    """Annotate the corpus with the model and return the ended job."""
    job = corpus.post("/annotators/names/_annotate_corpus")
    corpus.run_jobs()
    with unit_of_work(actor="", write=False) as unit:
        return unit.session.get_one(Job, job["id"])


def _folder(corpus: Corpus) -> Path:
    with unit_of_work(actor="", write=False) as unit:
        row = unit.session.scalars(select(Experiment).order_by(Experiment.id.desc())).first()
        assert row is not None
        (found,) = model_folder(row.project_id, "experiment", row.id).glob("[0-9]*")
        return found


def test_restored_models_of_this_installation_are_trusted(corpus: Corpus) -> None:
    """The signature is stored with the content: a model trained on this installation needs no acceptance after a
    restoration.
    """
    assert any(name.endswith(model_signatures.SIGNATURE) for name in files_of(export_project(corpus)))
    again = _loaded(corpus, export_project(corpus))
    assert model_signatures.origin_of_model(_folder(again)) == "own"
    assert _annotated(again).status == "COMPLETED"


def test_unsigned_models_wait_for_acceptance(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process loads them; the message names who can accept them."""
    strange = _loaded(corpus, forge_archive(export_project(corpus), _unsigned))
    monkeypatch.setattr(foreign_model_client, "ForeignModelProcess", None)
    job = _annotated(strange)
    assert (job.status, job.attempts) == ("FAILED", 1)
    assert "waits for an administrator" in job.error["message"]
    assert "administrator" in job.error["fix"]


def test_forged_signatures_are_rejected(corpus: Corpus) -> None:
    """A forged signature, a forged acceptance and a changed file are all rejected."""

    def forge(files: dict[str, bytes]) -> None:
        for name in [name for name in files if name.endswith(model_signatures.SIGNATURE)]:
            files[name] = b'{"hmac": "' + b"0" * 64 + b'"}'
            files[name.replace(model_signatures.SIGNATURE, model_signatures.ACCEPTED)] = (
                b'{"hmac": "' + b"0" * 64 + b'"}'
            )

    strange = _loaded(corpus, forge_archive(export_project(corpus), forge))
    folder = _folder(strange)
    assert model_signatures.origin_of_model(folder) == "waiting"
    assert not (folder / model_signatures.ACCEPTED).exists()
    model_signatures.accept_model(folder, "root")
    taken = files_of(export_project(strange))
    assert not any(name.endswith((model_signatures.ACCEPTED, model_signatures.CRASHED)) for name in taken)
    (folder / "model.crf").write_bytes(b"changed")
    assert "files of the model were changed" in _annotated(strange).error["message"]


def test_a_changed_manifest_invalidates_the_signature(corpus: Corpus) -> None:
    folder = _folder(corpus)
    manifest = folder / model_signatures.MANIFEST
    manifest.write_bytes(manifest.read_bytes().replace(b'"crf"', b'"crF"'))
    assert model_signatures.origin_of_model(folder) == "waiting"


def test_accepted_models_run_in_their_own_process(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """They predict the same as where they were trained; no file of them is opened in this process."""
    import annotarium_engines.learners.crf_training as training

    own = _annotated(corpus)
    strange = _loaded(corpus, forge_archive(export_project(corpus), _unsigned))
    model_signatures.accept_model(_folder(strange), "root")
    monkeypatch.setattr(training, "open_tagger", None)  # would fail if the model ran in this process
    job = _annotated(strange)
    assert (job.status, job.error, job.result) == ("COMPLETED", None, own.result)


def _broken(field: int, value: int) -> Callable[[dict[str, bytes]], None]:
    """Return a change that sets another number in the header of a CRFsuite file, without signature but with correct
    hashes.
    """
    import hashlib
    import json

    def change(files: dict[str, bytes]) -> None:
        _unsigned(files)
        (name,) = [name for name in files if name.endswith("model.crf")]
        body = files[name]
        files[name] = body[:field] + value.to_bytes(4, "little") + body[field + 4 :]
        for manifest in ("manifest.json", model_signatures.MANIFEST):
            path = name.replace("model.crf", manifest)
            facts = json.loads(files[path])
            home = name.removesuffix("model.crf")
            if manifest == model_signatures.MANIFEST:
                facts["files"]["manifest.json"] = hashlib.sha256(files[home + "manifest.json"]).hexdigest()
            facts["files"]["model.crf"] = hashlib.sha256(files[name]).hexdigest()
            files[path] = json.dumps(facts).encode()

    return change


def test_broken_headers_crash_no_worker(corpus: Corpus) -> None:
    """Each field of the header, through the whole product: the job fails immediately, with a message, and is not tried
    again.

    The jobs run in the process of this test: a crash of the worker would end it.
    """
    data = export_project(corpus)
    cases = [(field, value) for field in OFFSETS.values() for value in VALUES]
    for field, value in cases[:: hostile_test_size(7, 1)]:
        strange = _loaded(corpus, forge_archive(data, _broken(field, value)))
        model_signatures.accept_model(_folder(strange), "root")
        job = _annotated(strange)
        assert job.attempts == 1, (field, value)
        assert job.status in ("FAILED", "COMPLETED"), (field, value)
        if job.status == "FAILED":
            assert job.error["fix"], (field, value, job.error)


def test_a_model_that_crashed_is_not_run_again(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The crash mark stays until an administrator accepts the model again."""
    strange = _loaded(corpus, forge_archive(export_project(corpus), _unsigned))
    folder = _folder(strange)
    model_signatures.accept_model(folder, "root")
    started: list[int] = []
    start = subprocess.Popen

    def killed(*arguments: Any, **more: Any) -> Any:
        process = start(*arguments, **more)
        started.append(process.pid)
        process.kill()
        return process

    monkeypatch.setattr(foreign_model_client.subprocess, "Popen", killed)
    for _ in range(3):
        job = _annotated(strange)
        assert (job.status, job.attempts) == ("FAILED", 1)
        assert "crashed" in job.error["message"]
    assert len(started) == 1
    assert model_signatures.origin_of_model(folder) == "crashed"
    monkeypatch.undo()
    model_signatures.accept_model(folder, "root")
    assert _annotated(strange).status == "COMPLETED"


ATTACKS = {
    "read the secret": "open({data!r} + '/secret.key').read()",
    "read the database": "open({data!r} + '/annotarium.sqlite', 'rb').read()",
    "write to the data folder": "open({data!r} + '/new', 'w').write('x')",
    "append to a file": "open({model!r} + '/model.json', 'a').write('x')",
    "delete the model": "os.unlink({model!r} + '/model.json')",
    "open the folder to others": "os.chmod({data!r}, 0o777)",
    "call the queue": "socket.socket(socket.AF_UNIX).connect({data!r} + '/queue.sock')",
    "call somebody": "socket.create_connection(('127.0.0.1', 9), 1)",
    "start a program": "os.execv('/bin/true', ['true'])",
    "end another process": "os.kill({parent}, 0)",
    "read another process": "open('/proc/{parent}/environ', 'rb').read()",
    "take memory": "bytearray(3 << 30)",
}


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are of Linux")
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_confined_process_is_denied_system_access(attack: str, tmp_path: Path) -> None:
    """Each attempt is refused by the operating system, within the confined process."""
    data, model = tmp_path / "data", tmp_path / "data" / "models" / "1"
    model.mkdir(parents=True)
    for path in (data / "secret.key", data / "annotarium.sqlite", model / "model.json"):
        path.write_text("secret")
    attempt = ATTACKS[attack].format(data=str(data), model=str(model), parent=os.getpid())
    script = f"""
import os, socket, sys
from pathlib import Path
from annotarium.registry.confinement import confine
from annotarium.registry.foreign_model_server import _readable_paths
held = confine(_readable_paths(Path({str(model)!r})), memory=2 << 30, seconds=20)
assert open({str(model)!r} + "/model.json").read() == "secret"
try:
    {attempt}
except (OSError, MemoryError) as error:
    print("refused", held)
else:
    print("done", held)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd="/")
    assert "'files', 'calls'" in ran.stdout, f"this system confines with {ran.stdout} {ran.stderr} only"
    assert ran.stdout.startswith("refused"), (attack, ran.stdout, ran.stderr)


def test_the_confined_process_inherits_no_secrets(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environment names neither the data folder nor a database; it inherits no open file of this process."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:pass" + "word@host/db")
    monkeypatch.setenv("ANNOTARIUM_ADMIN_PASSWORD", "hidden-word")
    strange = _loaded(corpus, forge_archive(export_project(corpus), _unsigned))
    process = foreign_model_client.ForeignModelProcess(_folder(strange))
    pid = process._process.pid
    time.sleep(0.2)
    environment = Path(f"/proc/{pid}/environ").read_bytes()
    assert b"host/db" not in environment
    assert b"hidden-word" not in environment
    assert b"ANNOTARIUM" not in environment
    opened = [os.readlink(one) for one in Path(f"/proc/{pid}/fd").iterdir() if one.is_symlink()]
    assert not [one for one in opened if "sqlite" in one or "socket" in one], opened


def test_only_platform_administrators_accept_or_reject_models(corpus: Corpus, as_user: Any, client: Any) -> None:
    """Listing, accepting and rejecting are for platform administrators only; the experiment remains and can be
    trained.
    """
    strange = _loaded(corpus, forge_archive(export_project(corpus), _unsigned))
    shown = corpus.caller.get("/api/foreign_models").json()["models"]
    (found,) = [one for one in shown if one["projectName"] == strange.project.name]
    assert (found["state"], found["kind"], found["engine"], found["label"]) == ("waiting", "experiment", "crf", "Names")
    assert not [one for one in shown if one["projectName"] == corpus.project.name], (
        "what was trained here is not listed"
    )
    manager = as_user(client, "pm", "ProjectManager", "writeProject:*", "createUserIn:press")
    path = f"/api/foreign_models/{found['id']}"
    for caller, status in ((client, 401), (manager, 403)):
        assert caller.get("/api/foreign_models").status_code == status
        assert caller.post(f"{path}/_accept").status_code == status
        assert caller.delete(path).status_code == status
    assert corpus.caller.post(f"/api/foreign_models/{'0' * 64}/_accept").status_code == 404
    accepted = corpus.caller.post(f"{path}/_accept").json()["models"]
    assert [one["state"] for one in accepted if one["id"] == found["id"]] == ["accepted"] * len(
        [one for one in shown if one["id"] == found["id"]]
    )
    assert _annotated(strange).status == "COMPLETED"
    rejected = corpus.caller.delete(path).json()["models"]
    assert found["id"] not in {one["id"] for one in rejected}
    assert strange.get("/experiments/names")["models"] == 0
    strange.post("/experiments/names/_launch")
    strange.run_jobs()
    assert strange.get("/experiments/names")["models"] == 1
    assert _annotated(strange).status == "COMPLETED"


def test_models_from_before_signatures_are_signed_if_trained_here(corpus: Corpus) -> None:
    """At the first start with signatures: models with a known training in the database are signed, imported ones are
    not.
    """
    with unit_of_work(actor="", write=True) as unit:
        fact = unit.session.get(InstanceFact, SIGNED)
        if fact is not None:
            unit.session.delete(fact)
    own = _folder(corpus)
    strange = _folder(_loaded(corpus, export_project(corpus)))
    for folder in (own, strange):
        (folder / model_signatures.SIGNATURE).unlink()
    assert sign_existing_models() >= 1
    assert model_signatures.origin_of_model(own) == "own"
    assert model_signatures.origin_of_model(strange) == "waiting"
    (own / model_signatures.SIGNATURE).unlink()
    assert sign_existing_models() == 0, "only once: nothing that is put there later is signed"
    assert model_signatures.origin_of_model(own) == "waiting"
