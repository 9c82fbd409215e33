/** Components that the web app suggests or builds on; no other module names one. */

/** The same as in `registry/defaults.toml` of the server. */
export const DEFAULT_SEGMENTER = 'rule_sentence';
export const DEFAULT_VECTORIZER = 'lsa';

/** C-073 */
export const TOPIC_LEARNER = {
  name: 'BERTopic',
  parameters: {
    tokenizer: 'spacy',
    stopwords: true,
    lemma: true,
    ngram_range: [1, 3],
    nr_topics: 20,
    scope: 'all',
    source_collection: 'documents',
  },
} as const;

/** C-074, C-075: for the predefined annotators. */
export const ENTITY_RECOGNIZER = 'spacy_ner';
export const ENTITY_SUGGESTER = 'EntityFishing';
export const ENTITY_LINKER = 'entity_fishing';
export const CONSOLIDATOR = 'consolidate';
