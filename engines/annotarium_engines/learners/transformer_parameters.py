"""Settings that the fine-tuned learners share."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from annotarium_engines.learners.encoders import encoders
from annotarium_plugins.parameters import Parameters, advanced_number, hint
from annotarium_schemas.messages import message

_ADVANCED = hint(advanced=True)


def _add_encoder_choices(schema: dict[str, Any]) -> None:
    schema["enum"] = list(encoders())


class TransformerParameters(Parameters):
    """Settings of fine-tuning; the defaults were chosen for small encoders."""

    model: str = Field(
        default_factory=lambda: next(iter(encoders()), ""),
        max_length=200,
        title="Encoder",
        description="A pretrained language model of this server, for the language of the texts.",
        json_schema_extra=_add_encoder_choices,
    )
    epochs: int = Field(
        10, ge=1, le=100, title="Epochs", description="Maximum number of passes over the training data."
    )
    learning_rate: float = Field(
        1e-4, ge=1e-7, le=1e-2, title="Learning rate", description="Large encoders need lower values: 2e-5 to 5e-5."
    )
    batch_size: int = Field(
        16, ge=1, le=256, title="Batch size", description="Number of texts per step. Lower values need less memory."
    )
    accumulation: int = Field(
        1,
        ge=1,
        le=64,
        title="Gradient accumulation",
        description="Steps that are added up before the weights change: larger batches without more memory.",
        json_schema_extra=_ADVANCED,
    )
    max_length: int = advanced_number(
        256,
        16,
        4096,
        title="Window",
        description="Number of word pieces read at once; longer texts are read in several windows.",
    )
    patience: int = Field(
        3,
        ge=0,
        le=50,
        title="Early stopping",
        description="Stop after this number of epochs without a gain on the dev part. 0: train all epochs.",
    )
    dev_share: float = Field(
        0.1,
        ge=0,
        le=0.5,
        title="Dev part",
        description="Share of the documents that is held back for early stopping and thresholds. Not with fewer than "
        "100 texts.",
        json_schema_extra=_ADVANCED,
    )
    warmup: float = advanced_number(
        0.1, 0, 0.5, title="Warm-up", description="Share of the steps in which the learning rate rises."
    )
    weight_decay: float = advanced_number(0.01, 0, 1, title="Weight decay")
    class_weights: Literal["none", "balanced"] = Field(
        "none",
        title="Class weights",
        description="Balanced: rare labels count more. Finds more of them, with more errors.",
        json_schema_extra=_ADVANCED,
    )
    head: Literal["linear", "hidden"] = Field(
        "linear",
        title="Head",
        description="What is trained on top of the encoder.",
        json_schema_extra=_ADVANCED,
    )
    frozen_layers: int = advanced_number(
        0,
        0,
        100,
        title="Frozen layers",
        description="Number of lowest layers that are not trained: faster, and less memory. All of them: only the head "
        "is trained.",
    )
    precision: Literal["auto", "full"] = Field(
        "auto",
        title="Precision",
        description="Automatic: mixed precision on a GPU that supports it, full precision elsewhere.",
        json_schema_extra=_ADVANCED,
    )
    seed: int = advanced_number(0, 0, 2**31 - 1, title="Seed", description="Another seed gives a slightly other model.")

    @field_validator("model")
    @classmethod
    def _is_allowed(cls, name: str, info: ValidationInfo) -> str:
        """A trained model has all its weights: it is used where its encoder is not installed, too."""
        known = encoders()
        if name not in known and not (info.context or {}).get("trained"):
            raise ValueError(
                message(
                    "fault.encoder",
                    "This server does not have the encoder. Use one of: {names}",
                    names=", ".join(known),
                )
            )
        return name
