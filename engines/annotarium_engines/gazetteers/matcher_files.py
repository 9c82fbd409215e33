"""Matchers on disk: JSON, plain text and arrays, which are mapped into memory and not read. There is no pickle.

Every file is listed in the manifest with its SHA-256, and arrays are checked before they are used.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotarium_engines.gazetteers.ambiguity import TermContexts
from annotarium_engines.gazetteers.term_matcher import Layer, TermMatcher, TermNames, TermTable
from annotarium_engines.gazetteers.token_splitter import TokenSplitter
from annotarium_engines.gazetteers.token_trie import TokenTrie
from annotarium_engines.gazetteers.word_keys import VARIANTS, KeyRule, WordKeys
from annotarium_engines.model_files import MANIFEST
from annotarium_plugins.base.component import ComponentError

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

_MOST_LAYERS = 12
_LAYER_ARRAYS = ("keys", "first", "entries")
_TABLE_ARRAYS = ("names", "offsets", "lexicons", "labels")
_CONTEXT_ARRAYS = ("context-terms", "context-offsets", "context-words")


def write_matcher(folder: Path, matcher: TermMatcher, contexts: TermContexts | None, facts: dict[str, Any]) -> None:
    """Write the files, then the manifest with `facts`."""
    import numpy as np

    table = matcher.table
    arrays: dict[str, Array] = dict(
        zip(
            _TABLE_ARRAYS,
            (
                np.asarray(table.names.content),
                np.asarray(table.names.offsets),
                table.lexicon_numbers,
                table.label_numbers,
            ),
            strict=True,
        )
    )
    for number, layer in enumerate(matcher.layers):
        parts: tuple[Array, ...] = (layer.trie.keys, layer.trie.first_entries, layer.trie.entries)
        arrays |= {f"{name}-{number}": part for name, part in zip(_LAYER_ARRAYS, parts, strict=True)}
        (folder / f"words-{number}.txt").write_bytes("\n".join(layer.vocabulary).encode("utf-8", "surrogatepass"))
    if contexts is not None:
        of_contexts = (contexts.terms, contexts.offsets, contexts.words)
        arrays |= dict(zip(_CONTEXT_ARRAYS, of_contexts, strict=True))
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values, allow_pickle=False)
    manifest = facts | {
        "language": matcher.language,
        "ignoreHyphens": matcher.splitter.ignore_hyphens,
        "lexicons": table.lexicons,
        "labels": table.labels,
        "layers": [list(layer.keys.rule) for layer in matcher.layers],
        "contexts": contexts is not None,
        "files": {path.name: _sha256(path) for path in sorted(folder.iterdir()) if path.is_file()},
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=1), encoding="utf-8")


def read_matcher(folder: Path, *, component: str, version: str) -> tuple[TermMatcher, TermContexts | None]:
    """Return what `write_matcher` wrote. The folder must stay while the matcher is used.

    Raises:
        ComponentError: files are missing or changed, or another component or version wrote them.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        written_by = (manifest["component"], manifest["version"])
        if written_by != (component, version):
            raise ValueError(f"it was written by {written_by[0]} version {written_by[1]}")
        for name, expected in manifest["files"].items():
            if Path(name).name != name or _sha256(folder / name) != expected:
                raise ValueError(f"{name} is damaged: its SHA-256 is not the one in {MANIFEST}")
        return _read_matcher(folder, manifest)
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise ComponentError(
            "The matcher of the gazetteer cannot be read.",
            cause=f"{type(error).__name__}: {error}",
            fix="Synchronise the gazetteer again.",
        ) from error


def _read_matcher(folder: Path, manifest: dict[str, Any]) -> tuple[TermMatcher, TermContexts | None]:
    language = str(manifest["language"])
    content, offsets, lexicon_numbers, label_numbers = (_array(folder, name) for name in _TABLE_ARRAYS)
    lexicons = [str(name) for name in manifest["lexicons"]]
    labels = [str(name) for name in manifest["labels"]]
    terms = len(lexicon_numbers)
    _check(len(label_numbers) == terms and len(offsets) == 2 * terms + 1, "the tables differ in length")
    _check(bool((offsets[1:] >= offsets[:-1]).all()) and int(offsets[-1]) <= len(content), "names are out of order")
    _check_numbers(lexicon_numbers, len(lexicons))
    _check_numbers(label_numbers, len(labels))
    _check(len(manifest["layers"]) <= _MOST_LAYERS, "it has too many layers")
    layers = [_read_layer(folder, number, rule, language) for number, rule in enumerate(manifest["layers"])]
    for layer in layers:
        _check_numbers(layer.trie.entries, terms)
    table = TermTable(TermNames(content, offsets), lexicon_numbers, label_numbers, lexicons, labels)
    splitter = TokenSplitter(ignore_hyphens=bool(manifest["ignoreHyphens"]))
    contexts = _read_contexts(folder) if manifest["contexts"] else None
    return TermMatcher(splitter, layers, table, language=language), contexts


def _read_layer(folder: Path, number: int, rule: list[Any], language: str) -> Layer:
    case, fold, variants = rule
    _check(isinstance(case, bool) and isinstance(fold, bool) and variants in VARIANTS, "a rule is unknown")
    words = (folder / f"words-{number}.txt").read_bytes().decode("utf-8", "surrogatepass")
    vocabulary = {word: index for index, word in enumerate(words.split("\n") if words else (), start=1)}
    keys, first, entries = (_array(folder, f"{name}-{number}") for name in _LAYER_ARRAYS)
    trie = TokenTrie(keys, first, entries, len(vocabulary))
    return Layer(WordKeys(KeyRule(case, fold, variants), language), vocabulary, trie)


def _read_contexts(folder: Path) -> TermContexts:
    terms, offsets, words = (_array(folder, name) for name in _CONTEXT_ARRAYS)
    _check(len(offsets) == len(terms) + 1 and int(offsets[-1]) <= len(words), "the contexts differ in length")
    return TermContexts(terms, offsets, words)


def _array(folder: Path, name: str) -> Array:
    """Map an array into memory."""
    import numpy as np

    values: Array = np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
    _check(values.ndim == 1 and values.dtype.kind == "u", f"{name} is no list of numbers")
    return values


def _check_numbers(values: Array, limit: int) -> None:
    _check(not len(values) or int(values.max()) < limit, "a number is out of range")


def _check(condition: bool, problem: str) -> None:
    if not condition:
        raise ValueError(problem)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
