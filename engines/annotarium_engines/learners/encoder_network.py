"""A pretrained encoder with a head: built from a folder, saved as safetensors and JSON, never unpickled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotarium_engines.learners.encoders import prepare_environment
from annotarium_plugins.base.component import ComponentError

if TYPE_CHECKING:
    import torch

    from annotarium_engines.model_files import Floats

ENCODER_TYPES = frozenset(
    {
        *("albert", "bert", "camembert", "deberta", "deberta-v2", "distilbert", "electra", "ernie", "flaubert"),
        *("funnel", "layoutlm", "longformer", "mobilebert", "modernbert", "mpnet", "nomic_bert", "rembert", "roberta"),
        *("roberta-prelayernorm", "roformer", "squeezebert", "xlm", "xlm-roberta", "xlm-roberta-xl", "xlnet"),
    }
)
"""Architectures of encoders that are part of the library."""
_NOT_SAVED = frozenset({"auto_map", "attn_implementation", "quantization_config", "use_kernels", "kernel_config"})
"""Settings of a configuration that could load code or other files."""
_ATTENTION = ("sdpa", "eager")
_DROPOUT = 0.1
_BATCH_SUBWORDS = 16_384
"""Maximum subwords of one batch of predictions, padding included; bounds memory."""
Pooling = Callable[["torch.Tensor", "torch.Tensor"], "torch.Tensor"]


@dataclass
class EncoderNetwork:
    """An encoder, a head on top of it, and the device where they are.

    Attributes:
        pooled: whether the head sees the mean vector of a window (for categories), or the vector of each subword.
    """

    encoder: Any
    head: Any
    device: torch.device
    pooled: bool

    def logits(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return windows x labels if pooled, otherwise windows x subwords x labels."""
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        if self.pooled:
            weights = mask.unsqueeze(-1).to(states.dtype)
            states = (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)
        result: torch.Tensor = self.head(states)
        return result

    def modules(self) -> tuple[Any, Any]:
        """The parts with weights."""
        return self.encoder, self.head

    def train(self, mode: bool) -> None:
        """Switch dropout on or off."""
        for module in self.modules():
            module.train(mode)

    @property
    def longest(self) -> int:
        """Maximum number of subwords of a window, special ones included."""
        config = self.encoder.config
        most = int(getattr(config, "max_position_embeddings", 0) or 0)
        if most <= 0:
            return 1 << 20
        positions_after_padding = config.model_type in ("roberta", "xlm-roberta", "camembert", "longformer", "mpnet")
        return most - 2 if positions_after_padding else most

    def infer(self, windows: Sequence[Sequence[int]], between: Callable[[], None] = lambda: None) -> list[Floats]:
        """Return the logits of each window, float32: (labels,) if pooled, otherwise (subwords, labels). `between` is
        called between batches.
        """
        import torch

        found: list[Any] = [None] * len(windows)
        order = sorted(range(len(windows)), key=lambda at: (len(windows[at]), at))
        self.train(False)
        with torch.inference_mode():
            for places in _batches([len(windows[at]) for at in order], order):
                between()
                ids, mask = self.padded([windows[at] for at in places])
                values = self.logits(ids, mask).float().cpu().numpy()
                for row, at in enumerate(places):
                    found[at] = values[row] if self.pooled else values[row, : len(windows[at])]
        return found

    def padded(self, windows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return numbers and attention mask of windows, on the device."""
        import torch

        width = max(1, *map(len, windows))
        pad = int(getattr(self.encoder.config, "pad_token_id", 0) or 0)
        ids = [[*window, *[pad] * (width - len(window))] for window in windows]
        mask = [[1] * len(window) + [0] * (width - len(window)) for window in windows]
        return (
            torch.tensor(ids, dtype=torch.long).to(self.device),
            torch.tensor(mask, dtype=torch.long).to(self.device),
        )


def _batches(lengths: Sequence[int], order: Sequence[int]) -> Iterator[list[int]]:
    """Yield runs of `order`, whose lengths rise, bounded by subwords with padding."""
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and (end + 1 - start) * max(1, lengths[end]) <= _BATCH_SUBWORDS:
            end += 1
        yield list(order[start:end])
        start = end


def import_libraries() -> None:
    """Import all that `restored_network` and `EncoderNetwork.infer` need: a small encoder runs once, because the
    libraries import parts of themselves when they are used, and these look for compilers and make folders.
    """
    prepare_environment()
    import tempfile

    import safetensors.torch
    import tokenizers
    import torch
    from transformers import AutoConfig, AutoModel

    del safetensors, tokenizers
    tempfile.gettempdir()
    sizes = {"vocab_size": 8, "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1}
    with torch.random.fork_rng(devices=[]), torch.inference_mode():
        encoder = AutoModel.from_config(AutoConfig.for_model("bert", num_attention_heads=1, **sizes))
        encoder(input_ids=torch.zeros((1, 2), dtype=torch.long))


def choose_device() -> torch.device:
    """Return a GPU if this process can use one, otherwise the CPU."""
    prepare_environment()
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@contextmanager
def seeded(seed: int, device: torch.device) -> Iterator[None]:
    """Draw random numbers from a seed and calculate reproducibly; the state of the process is restored."""
    import warnings

    import torch

    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # operations without a reproducible form
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.manual_seed(seed)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(before[0], warn_only=before[1])


def pretrained_network(folder: Path, outputs: int, head: str, *, pooled: bool, device: torch.device) -> EncoderNetwork:
    """Return the encoder of a folder with a new head.

    Raises:
        ComponentError: the weights are not in a safe format, or not those of an encoder.
    """
    prepare_environment()
    import torch
    from transformers import AutoConfig, AutoModel
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    try:
        config = AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
        _check_type(str(config.model_type))
        encoder = AutoModel.from_pretrained(
            str(folder),
            config=config,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
        )
    except Exception as error:  # files of third parties
        cause = f"{type(error).__name__}: {error}"[:500]
        fix = "Choose another encoder, whose weights are in safetensors."
        raise ComponentError("The encoder cannot be read.", cause=cause, fix=fix) from error
    return _network(encoder, outputs, head, pooled=pooled, device=device)


def _check_type(name: str) -> None:
    if name not in ENCODER_TYPES:
        raise ValueError(f"{name or 'this'} is no architecture of an encoder")


def _network(encoder: Any, outputs: int, head: str, *, pooled: bool, device: torch.device) -> EncoderNetwork:
    from torch import nn

    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None  # not used: means of all subwords are
    width = int(getattr(encoder.config, "hidden_size", 0) or encoder.config.d_model)
    layers: list[Any] = [nn.Dropout(_DROPOUT)]
    if head == "hidden":
        layers += [nn.Linear(width, width), nn.GELU(), nn.Dropout(_DROPOUT)]
    layers.append(nn.Linear(width, outputs))
    return EncoderNetwork(encoder.to(device), nn.Sequential(*layers).to(device), device, pooled)


def freeze_layers(network: EncoderNetwork, count: int) -> None:
    """Exclude the embeddings and the `count` lowest layers from training; all layers: the whole encoder."""
    from torch import nn

    if count <= 0:
        return
    encoder = network.encoder
    total = int(getattr(encoder.config, "num_hidden_layers", 0) or getattr(encoder.config, "n_layer", 0))
    stacks = [part for part in encoder.modules() if isinstance(part, nn.ModuleList) and len(part) == total]
    if count >= total or not stacks:
        encoder.requires_grad_(False)
        return
    embeddings = getattr(encoder, "embeddings", None)
    for part in [*([embeddings] if embeddings is not None else []), *stacks[0][:count]]:
        part.requires_grad_(False)


def network_files(network: EncoderNetwork) -> dict[str, bytes]:
    """Return the content of `weights.safetensors` and `config.json`."""
    from safetensors.torch import save

    tensors = {}
    for name, module in zip(("encoder", "head"), network.modules(), strict=True):
        for key, value in module.state_dict().items():
            tensors[f"{name}.{key}"] = value.detach().cpu().contiguous().clone()
    config = {
        key: value
        for key, value in network.encoder.config.to_dict().items()
        if key not in _NOT_SAVED and not key.startswith("_")
    }
    attention = getattr(network.encoder.config, "_attn_implementation", None)
    facts = {"config": config, "attention": attention if attention in _ATTENTION else "eager"}
    return {"weights.safetensors": save(tensors), "config.json": json.dumps(facts, sort_keys=True).encode()}


def restored_network(
    weights: bytes, facts: bytes, outputs: int, head: str, *, pooled: bool, device: torch.device
) -> EncoderNetwork:
    """Return the network that `network_files` described. Raises ValueError, KeyError or TypeError if they do not fit
    together, RuntimeError for shapes of weights.
    """
    prepare_environment()
    import torch
    from safetensors.torch import load
    from transformers import AutoConfig, AutoModel

    found = json.loads(facts)
    config = {key: value for key, value in found["config"].items() if key not in _NOT_SAVED and not key.startswith("_")}
    kind = str(config.pop("model_type", ""))
    _check_type(kind)
    attention = found["attention"]
    if attention not in _ATTENTION:
        raise ValueError("an unknown kind of attention")
    tensors = load(weights)
    if not all(bool(torch.isfinite(one).all()) for one in tensors.values() if one.is_floating_point()):
        raise ValueError("the weights are not numbers")
    encoder = AutoModel.from_config(
        AutoConfig.for_model(kind, **config), attn_implementation=attention, trust_remote_code=False
    )
    network = _network(encoder, outputs, head, pooled=pooled, device=device)
    for name, module in zip(("encoder", "head"), network.modules(), strict=True):
        prefix = f"{name}."
        module.load_state_dict({key[len(prefix) :]: one for key, one in tensors.items() if key.startswith(prefix)})
    return network
