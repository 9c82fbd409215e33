"""Stored matchers: the same results, mapped into memory, and nothing of damaged or forged files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from annotarium_engines.gazetteers.dictionary_gazetteer import DictionaryGazetteer
from annotarium_engines.gazetteers.gazetteer_parameters import DictionaryGazetteerParameters
from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import Term

TEXT = "Mercury is a planet; thermometers hold mercury. AIDS 東京都"
TERMS = [
    Term(
        identifier="m1", lexicon="planets", preferred_form="Mercury", properties={"definitions": [{"text": "Planet"}]}
    ),
    Term(identifier="é2", lexicon="elements", preferred_form="mercury"),
    Term(identifier="3", lexicon="elements", preferred_form="AIDS"),
    Term(identifier="4", lexicon="elements", preferred_form="東京"),
    Term(identifier="5", lexicon="elements", properties={"altForms": ["thermometer"]}),
]


def synchronized() -> DictionaryGazetteer:
    gazetteer = DictionaryGazetteer(DictionaryGazetteerParameters(ambiguity="context"))
    gazetteer.synchronize(TERMS, language="en")
    return gazetteer


def loaded(folder: Path) -> DictionaryGazetteer:
    gazetteer = DictionaryGazetteer(DictionaryGazetteerParameters(ambiguity="context"))
    gazetteer.load(folder)
    return gazetteer


def test_a_loaded_matcher_finds_the_same_and_can_be_saved_again(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    for folder in (first, second):
        folder.mkdir()
    gazetteer = synchronized()
    gazetteer.save(first)
    restored = loaded(first)
    assert restored.find([TEXT]) == gazetteer.find([TEXT])
    assert len(restored.find([TEXT])[0]) == 5
    assert restored.terms == 5
    restored.save(second)
    assert {path.name: path.read_bytes() for path in first.iterdir()} == {
        path.name: path.read_bytes() for path in second.iterdir()
    }


def test_the_files_are_the_same_every_time(tmp_path: Path) -> None:
    manifests = []
    for name in ("1", "2"):
        folder = tmp_path / name
        folder.mkdir()
        synchronized().save(folder)
        manifests.append((folder / "manifest.json").read_text())
    assert manifests[0] == manifests[1]


def test_arrays_are_mapped_and_not_read(tmp_path: Path) -> None:
    synchronized().save(tmp_path)
    matcher = loaded(tmp_path)._matcher
    assert matcher is not None
    assert isinstance(matcher.layers[0].trie.keys, np.memmap)
    assert isinstance(matcher.table.names.content, np.memmap)


def test_an_empty_matcher_is_stored_too(tmp_path: Path) -> None:
    gazetteer = DictionaryGazetteer(DictionaryGazetteerParameters())
    gazetteer.synchronize([], language="fr")
    gazetteer.save(tmp_path)
    assert loaded(tmp_path).find([TEXT]) == [[]]


def _forge(folder: Path, name: str, change: Callable[[np.ndarray], np.ndarray]) -> None:
    """Change an array and its fingerprint in the manifest."""
    np.save(folder / f"{name}.npy", change(np.load(folder / f"{name}.npy")), allow_pickle=False)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][f"{name}.npy"] = hashlib.sha256((folder / f"{name}.npy").read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("keys-0", lambda values: values[::-1]),
        ("keys-0", lambda values: values | np.uint64(1 << 62)),
        ("keys-0", lambda values: values | np.uint64(1 << 31)),
        ("keys-0", lambda values: values.astype(np.int64)),
        ("keys-0", lambda values: values[:-1]),
        ("first-0", lambda values: values[::-1]),
        ("first-0", lambda values: values + np.uint32(1)),
        ("entries-0", lambda values: values + np.uint32(100)),
        ("offsets", lambda values: values + np.uint64(1000)),
        ("offsets", lambda values: values[::-1]),
        ("labels", lambda values: values + np.uint32(7)),
        ("lexicons", lambda values: values[1:]),
        ("context-offsets", lambda values: values + np.uint32(999)),
        ("names", lambda values: values.reshape(1, -1)),
    ],
)
def test_forged_arrays_are_refused(name: str, change: Callable[[np.ndarray], np.ndarray], tmp_path: Path) -> None:
    synchronized().save(tmp_path)
    _forge(tmp_path, name, change)
    with pytest.raises(ComponentError, match="cannot be read"):
        loaded(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"layers": [[True, False, "lemma"]]},
        {"layers": [[False, False, "none"]] * 20},
        {"version": "0"},
        {"component": "crf"},
        {"files": {"../manifest.json": ""}},
        {"lexicons": []},
        {"labels": None},
    ],
)
def test_a_forged_manifest_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    synchronized().save(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | change))
    with pytest.raises(ComponentError, match="cannot be read"):
        loaded(tmp_path)


@pytest.mark.parametrize("name", ["keys-0.npy", "words-0.txt", "names.npy", "manifest.json"])
def test_damaged_and_missing_files_are_refused(name: str, tmp_path: Path) -> None:
    synchronized().save(tmp_path)
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[:-1] + b"?")
    with pytest.raises(ComponentError, match="cannot be read"):
        loaded(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(ComponentError, match="cannot be read"):
        loaded(tmp_path)


def test_arrays_with_python_objects_are_refused(tmp_path: Path) -> None:
    synchronized().save(tmp_path)
    np.save(tmp_path / "names.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["files"]["names.npy"] = hashlib.sha256((tmp_path / "names.npy").read_bytes()).hexdigest()
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ComponentError, match="cannot be read"):
        loaded(tmp_path)
