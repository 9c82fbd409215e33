"""Contract of vectorizers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import classification_documents, sequence_documents


class VectorizerContract(ComponentContract):
    """Computes vectors of the sample texts after `fit` on them."""

    def texts(self) -> list[str]:
        """Return texts, none blank."""
        return [document.text for document in (*sequence_documents(), *classification_documents())]

    def fitted(self) -> Any:
        """Return a vectorizer fitted on the texts."""
        vectorizer = self.build()
        vectorizer.fit(self.texts(), "en")
        return vectorizer

    def test_rows_have_length_one(self) -> None:
        """The result is float32 with one row per text, finite, of length 1."""
        import numpy as np

        vectors = self.fitted().vectorize(self.texts(), "en")
        assert vectors.dtype == np.float32, f"dtype is {vectors.dtype}"
        assert vectors.ndim == 2, f"shape is {vectors.shape}"
        assert vectors.shape[0] == len(self.texts()), f"shape is {vectors.shape}"
        assert np.isfinite(vectors).all(), "a value is not finite"
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-3), "a row is not of length 1"

    def test_rows_do_not_depend_on_company(self) -> None:
        """A text alone has the same vector as among others."""
        import numpy as np

        vectorizer = self.fitted()
        together = vectorizer.vectorize(self.texts(), "en")
        alone = vectorizer.vectorize(self.texts()[:1], "en")
        assert np.allclose(together[0], alone[0], atol=1e-4), "a vector depends on the other texts"

    def test_vectors_are_deterministic(self) -> None:
        """The same texts give the same vectors."""
        import numpy as np

        first, second = (self.fitted().vectorize(self.texts(), "en") for _ in range(2))
        assert np.allclose(first, second, atol=1e-5), "two runs differ"

    def test_no_text_is_fine(self) -> None:
        """No texts give no rows."""
        assert self.fitted().vectorize([], "en").shape[0] == 0

    def test_saved_vectorizer_gives_the_same(self, tmp_path: Path) -> None:
        """`load` restores what `save` wrote."""
        import numpy as np

        vectorizer = self.fitted()
        vectorizer.save(tmp_path)
        restored = self.build()
        restored.load(tmp_path)
        assert np.allclose(vectorizer.vectorize(self.texts(), "en"), restored.vectorize(self.texts(), "en"), atol=1e-5)
