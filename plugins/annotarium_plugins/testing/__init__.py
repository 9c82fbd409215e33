"""Contract tests, one class per kind, for the tests of plugin packages (and of the built-in components).

    class TestAcmeSegmenter(SegmenterContract):
        component = AcmeSegmenter
        parameters: ClassVar = {"width": 3}  # only when it has required parameters

pytest collects the subclass; every inherited test checks one promise that the server relies on. Kinds whose input only
the author can provide require it in a class attribute (`sample` of a converter). Needs pytest, nothing else.
"""

from annotarium_plugins.testing.annotator import AnnotatorContract
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.converter import ConverterContract
from annotarium_plugins.testing.formatter import FormatterContract
from annotarium_plugins.testing.gazetteer import GazetteerContract
from annotarium_plugins.testing.language_guesser import LanguageGuesserContract
from annotarium_plugins.testing.learner import LearnerContract
from annotarium_plugins.testing.learning_reranker import LearningRerankerContract
from annotarium_plugins.testing.processor import ProcessorContract
from annotarium_plugins.testing.question_answerer import QuestionAnswererContract
from annotarium_plugins.testing.rag_context_builder import RagContextBuilderContract
from annotarium_plugins.testing.reranker import RerankerContract
from annotarium_plugins.testing.search_params_builder import SearchParamsBuilderContract
from annotarium_plugins.testing.segmenter import SegmenterContract
from annotarium_plugins.testing.suggester import SuggesterContract, UntrainedSuggesterContract
from annotarium_plugins.testing.term_importer import TermImporterContract
from annotarium_plugins.testing.topic_learner import TopicLearnerContract
from annotarium_plugins.testing.vectorizer import VectorizerContract

__all__ = [
    "AnnotatorContract",
    "ComponentContract",
    "ConverterContract",
    "FormatterContract",
    "GazetteerContract",
    "LanguageGuesserContract",
    "LearnerContract",
    "LearningRerankerContract",
    "ProcessorContract",
    "QuestionAnswererContract",
    "RagContextBuilderContract",
    "RerankerContract",
    "SearchParamsBuilderContract",
    "SegmenterContract",
    "SuggesterContract",
    "TermImporterContract",
    "TopicLearnerContract",
    "UntrainedSuggesterContract",
    "VectorizerContract",
]
