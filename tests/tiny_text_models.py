"""A random BERT and a random BART with word-piece and word tokenizers: real files, made in a second."""

from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertModel,
    PreTrainedTokenizerFast,
)

TEXTS = [
    "The patient was seen in clinic today and feels well. Blood pressure 120/80, pulse 72.",
    "Admitted with chest pain; troponin negative twice. Zoë takes café au lait every morning.",
]
LONGEST = 64
"""Tokens that both models take."""


def make_tokenizer(folder: Path, *, start: str, end: str) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.WordPiece(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=150, special_tokens=["<pad>", start, end, "<unk>"], show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {end}", special_tokens=[(start, 1), (end, 2)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=start,
        eos_token=end,
        cls_token=start,
        sep_token=end,
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=LONGEST,
    )
    fast.save_pretrained(folder)
    return fast


def make_encoder(folder: Path) -> Path:
    """A BERT of three layers."""
    tokenizer = make_tokenizer(folder, start="[CLS]", end="[SEP]")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=LONGEST,
        initializer_range=0.5,
        pad_token_id=0,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def make_seq2seq(folder: Path) -> Path:
    """A BART of two layers each way."""
    tokenizer = make_tokenizer(folder, start="<s>", end="</s>")
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=len(tokenizer),
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        max_position_embeddings=LONGEST,
        init_std=0.5,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=None,
    )
    BartForConditionalGeneration(config).save_pretrained(folder)
    return folder
