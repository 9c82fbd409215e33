"""Trains an encoder network: with progress by epoch, cancellable, reproducible, with early stopping."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotarium_engines.learners.transformer_parameters import TransformerParameters
from annotarium_plugins.base.component import ComponentError, Progress
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    import torch

    from annotarium_engines.learners.encoder_network import EncoderNetwork

_SORTED_BATCHES = 32
"""Windows are sorted by length within this number of batches: less padding, still random batches."""
_HEAD_FACTOR = 5.0
"""The head starts at random: it learns faster than the encoder."""
_LONGEST_GRADIENT = 1.0

Loss = Callable[["torch.Tensor", list[int]], "torch.Tensor"]
"""Returns the loss of a batch for its logits and the indexes of its windows."""


@dataclass
class FineTuning:
    """What is trained.

    Attributes:
        windows: the subwords of each training window.
        loss: see `Loss`.
        evaluate: returns a figure on the dev part, more is better; None where there is no dev part.
    """

    network: EncoderNetwork
    windows: Sequence[Sequence[int]]
    loss: Loss
    evaluate: Callable[[], float] | None
    parameters: TransformerParameters
    progress: Progress

    def run(self) -> None:
        """Train; the network then has the weights of the best epoch if there is a dev part, else of the last.

        Raises:
            ComponentError: the device has too little memory.
        """
        import torch

        try:
            self._run()
        except torch.cuda.OutOfMemoryError as error:
            raise ComponentError(
                "The memory of the GPU is too small for this training.",
                cause=str(error)[:300],
                fix="Reduce the batch size or the window, and raise the gradient accumulation instead.",
            ) from error

    def _run(self) -> None:
        parameters = self.parameters
        batches = -(-len(self.windows) // parameters.batch_size)
        total = parameters.epochs * batches
        optimizer, schedule = self._optimizer(parameters.epochs * -(-batches // parameters.accumulation))
        best, best_weights, without_gain = -1.0, None, 0
        for epoch in range(parameters.epochs):
            words = message("doing.trainPass", "pass {step:,} of {total:,}", step=epoch + 1, total=parameters.epochs)
            self.network.train(True)
            for number, batch in enumerate(self._batches(epoch)):
                self.progress(epoch * batches + number, total, words)
                self._step(batch)
                if (number + 1) % parameters.accumulation == 0 or number + 1 == batches:
                    self._update(optimizer, schedule)
            if self.evaluate is None:
                continue
            figure = self.evaluate()
            if figure > best:
                best, best_weights, without_gain = figure, self._weights(), 0
            else:
                without_gain += 1
            if parameters.patience and without_gain >= parameters.patience:
                break
        if best_weights is not None:
            for module, weights in zip(self.network.modules(), best_weights, strict=True):
                module.load_state_dict(weights)
        self.network.train(False)
        self.progress(total, total, message("doing.trained", "Trained"))

    def _batches(self, epoch: int) -> Iterator[list[int]]:
        size = self.parameters.batch_size
        shuffler = random.Random(f"{self.parameters.seed}:{epoch}")
        order = list(range(len(self.windows)))
        shuffler.shuffle(order)
        batches: list[list[int]] = []
        for start in range(0, len(order), size * _SORTED_BATCHES):
            part = sorted(order[start : start + size * _SORTED_BATCHES], key=lambda at: (len(self.windows[at]), at))
            batches += [part[at : at + size] for at in range(0, len(part), size)]
        shuffler.shuffle(batches)
        yield from batches

    def _step(self, batch: list[int]) -> None:
        network = self.network
        ids, mask = network.padded([self.windows[at] for at in batch])
        with self._precision():
            logits = network.logits(ids, mask)
        loss = self.loss(logits.float(), batch) / self.parameters.accumulation
        loss.backward()  # type: ignore[no-untyped-call,unused-ignore]

    def _precision(self) -> Any:
        import torch

        mixed = self.parameters.precision == "auto" and self.network.device.type == "cuda"
        if not mixed or not torch.cuda.is_bf16_supported():
            return nullcontext()
        return torch.autocast("cuda", dtype=torch.bfloat16)

    def _update(self, optimizer: Any, schedule: Any) -> None:
        from torch.nn.utils import clip_grad_norm_

        weights = [one for module in self.network.modules() for one in module.parameters() if one.grad is not None]
        clip_grad_norm_(weights, _LONGEST_GRADIENT)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)

    def _optimizer(self, updates: int) -> tuple[Any, Any]:
        """Return AdamW and its learning rate, which rises during the warm-up and then falls to 0."""
        from torch.optim import AdamW
        from torch.optim.lr_scheduler import LambdaLR

        rate, decay = self.parameters.learning_rate, self.parameters.weight_decay
        groups = []
        for module, factor in zip(self.network.modules(), (1.0, _HEAD_FACTOR), strict=True):
            trained = [one for one in module.parameters() if one.requires_grad]
            for decayed in (True, False):  # no decay of biases and norms
                members = [one for one in trained if (one.ndim > 1) == decayed]
                if members:
                    groups.append({"params": members, "lr": rate * factor, "weight_decay": decay if decayed else 0.0})
        rising = int(updates * self.parameters.warmup)

        def share(step: int) -> float:
            if step < rising:
                return (step + 1) / (rising + 1)
            return max(0.0, (updates - step) / max(1, updates - rising))

        optimizer = AdamW(groups)
        return optimizer, LambdaLR(optimizer, share)

    def _weights(self) -> list[dict[str, Any]]:
        return [
            {name: value.detach().cpu().clone() for name, value in module.state_dict().items()}
            for module in self.network.modules()
        ]
