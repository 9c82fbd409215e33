"""The tables. Importing this package defines all of them."""

from annotarium.db.corruption import replace_corrupt_values_on_load
from annotarium.db.models.annotation import Annotation
from annotarium.db.models.answer_feedback import AnswerFeedback
from annotarium.db.models.audit import AuditEntry
from annotarium.db.models.base import Base
from annotarium.db.models.category import Category
from annotarium.db.models.comment import Comment, CommentThread
from annotarium.db.models.document import AltText, Document, DocumentLayout
from annotarium.db.models.experiment import Experiment
from annotarium.db.models.gazetteer import Gazetteer, TermCandidate
from annotarium.db.models.group import Group
from annotarium.db.models.history import History
from annotarium.db.models.idempotency import IdempotencyKey
from annotarium.db.models.instance import InstanceFact
from annotarium.db.models.invitation import Invitation, InvitationUse
from annotarium.db.models.job import Job, JobItem
from annotarium.db.models.judgement import PassageJudgement
from annotarium.db.models.knowledge import Concept
from annotarium.db.models.label import Label, LabelSet
from annotarium.db.models.lexicon import Lexicon, LexiconTerm, TermRelation
from annotarium.db.models.mail import JobMail
from annotarium.db.models.outbox import Outbox
from annotarium.db.models.plan import Plan
from annotarium.db.models.preference import Preference
from annotarium.db.models.project import CLASSIFICATION, Project
from annotarium.db.models.ranking_experiment import RankingExperiment, RankingResult
from annotarium.db.models.relation import Relation, RelationName
from annotarium.db.models.role import Role
from annotarium.db.models.saved_search import SavedSearch
from annotarium.db.models.segment import Segment
from annotarium.db.models.share import GroupShare, LeftShare, UserShare
from annotarium.db.models.sign_in import ApiKey, SignInSession
from annotarium.db.models.suggester import Suggester
from annotarium.db.models.suggestion import Suggestion, SuggestionFacets, SuggestionLabel
from annotarium.db.models.upload import PartialUpload, Upload
from annotarium.db.models.user import Membership, User, UserRole
from annotarium.db.models.vectorization import Vectorization

__all__ = [
    "CLASSIFICATION",
    "AltText",
    "Annotation",
    "AnswerFeedback",
    "ApiKey",
    "AuditEntry",
    "Base",
    "Category",
    "Comment",
    "CommentThread",
    "Concept",
    "Document",
    "DocumentLayout",
    "Experiment",
    "Gazetteer",
    "Group",
    "GroupShare",
    "History",
    "IdempotencyKey",
    "InstanceFact",
    "Invitation",
    "InvitationUse",
    "Job",
    "JobItem",
    "JobMail",
    "Label",
    "LabelSet",
    "LeftShare",
    "Lexicon",
    "LexiconTerm",
    "Membership",
    "Outbox",
    "PartialUpload",
    "PassageJudgement",
    "Plan",
    "Preference",
    "Project",
    "RankingExperiment",
    "RankingResult",
    "Relation",
    "RelationName",
    "Role",
    "SavedSearch",
    "Segment",
    "SignInSession",
    "Suggester",
    "Suggestion",
    "SuggestionFacets",
    "SuggestionLabel",
    "TermCandidate",
    "TermRelation",
    "Upload",
    "User",
    "UserRole",
    "UserShare",
    "Vectorization",
]

# Rows that lists show directly; documents, annotations, categories and segments are read as plain columns.
replace_corrupt_values_on_load(
    ApiKey,
    Experiment,
    Gazetteer,
    Group,
    History,
    Job,
    JobItem,
    Label,
    LabelSet,
    Lexicon,
    Plan,
    Preference,
    Project,
    RelationName,
    Role,
    SavedSearch,
    SignInSession,
    Suggester,
    Suggestion,
    TermCandidate,
    Upload,
    User,
    Vectorization,
)
