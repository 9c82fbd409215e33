"""The engines fulfil the contracts that third-party components are tested with."""

from __future__ import annotations

from typing import ClassVar

from annotarium_engines.gazetteers.dictionary_gazetteer import DictionaryGazetteer
from annotarium_engines.learners.crf_learner import CrfLearner
from annotarium_engines.learners.sklearn_text_classifier import SklearnTextClassifier
from annotarium_engines.suggesters.margin_suggester import MarginCategorySuggester, MarginSuggester
from annotarium_engines.topics.sklearn_topics import SklearnTopics
from annotarium_engines.vectorizers.lsa_vectorizer import LsaVectorizer
from annotarium_plugins.testing import (
    GazetteerContract,
    LearnerContract,
    SuggesterContract,
    TopicLearnerContract,
    VectorizerContract,
)


class TestCrfLearner(LearnerContract):
    component = CrfLearner


class TestCrfLearnerPassiveAggressive(LearnerContract):
    component = CrfLearner
    parameters: ClassVar = {"algorithm": "pa", "iterations": 20}


class TestSklearnTextClassifier(LearnerContract):
    component = SklearnTextClassifier


class TestSklearnTextClassifierSeveral(LearnerContract):
    component = SklearnTextClassifier
    parameters: ClassVar = {"multi_label": "yes", "algorithm": "sgd"}


class TestSklearnTopics(TopicLearnerContract):
    component = SklearnTopics


class TestMarginSuggester(SuggesterContract):
    component = MarginSuggester


class TestMarginCategorySuggester(SuggesterContract):
    component = MarginCategorySuggester


class TestLsaVectorizer(VectorizerContract):
    component = LsaVectorizer


class TestDictionaryGazetteer(GazetteerContract):
    component = DictionaryGazetteer


class TestDictionaryGazetteerContext(GazetteerContract):
    component = DictionaryGazetteer
    parameters: ClassVar = {"ambiguity": "context", "overlaps": "all", "variants": "stem", "fold_diacritics": True}
