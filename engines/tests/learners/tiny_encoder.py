"""A small encoder that tests make themselves: two layers, random weights, a tokenizer of characters and short words."""

from __future__ import annotations

from pathlib import Path


def write_encoder(folder: Path, *, position_limit: int = 64, pickled: bool = False) -> None:
    """Write an encoder in the format of published ones: config.json, model.safetensors, tokenizer.json."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    from annotarium_plugins.testing.samples import HOSTILE_TEXTS, classification_documents, sequence_documents

    texts = [one.text for one in [*sequence_documents(), *classification_documents()]]
    words = sorted({word.strip(".,!").lower() for text in texts for word in text.split()})
    characters = sorted({character.lower() for text in texts for character in text if not character.isspace()})
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    entries = dict.fromkeys([*special, *characters, *(f"##{one}" for one in characters), *words])
    vocabulary = {entry: number for number, entry in enumerate(entries)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    assert all(isinstance(text, str) for text in HOSTILE_TEXTS)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(str(folder))
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=position_limit,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        encoder = BertModel(config)
    encoder.save_pretrained(str(folder))
    if pickled:
        (folder / "model.safetensors").unlink()
        torch.save(encoder.state_dict(), folder / "pytorch_model.bin")
