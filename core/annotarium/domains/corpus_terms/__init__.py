"""Terms from the corpus: candidates for new terms and synonyms, found in texts and annotations."""
