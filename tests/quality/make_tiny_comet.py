"""Build three tiny COMET checkpoints with random weights, always the same, without any download.

Run by the interpreter of the COMET environment (it needs unbabel-comet, not equiglot):

    python make_tiny_comet.py FOLDER

``FOLDER/regression`` is made like wmt22-comet-da (source, target and reference each encoded alone),
``FOLDER/unified`` like CometKiwi (target and source joined, no reference), and ``FOLDER/pickled`` is ``regression``
with a Python object in the checkpoint. The scores mean nothing; everything around them is real: COMET's own classes,
checkpoint format, loading, tokenising, truncation, batching. The tokeniser has one token per character and one for
the start of each word.
"""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

HPARAMS = {
    "activations": "Tanh",
    "batch_size": 4,
    "dropout": 0.1,
    "encoder_model": "XLM-RoBERTa",
    "final_activation": None,
    "hidden_sizes": [16],
    "keep_embeddings_frozen": True,
    "layer_norm": False,
    "layer_transformation": "sparsemax",
}
KINDS = {
    "regression": {"class_identifier": "regression_metric", "layer": "mix", "pool": "avg"},
    "unified": {
        "class_identifier": "unified_metric",
        "sent_layer": "mix",
        "input_segments": ["mt", "src"],
        "word_level_training": False,
    },
}


def encoder_folder(folder: Path) -> None:
    """XLM-R's configuration made tiny, and a tokeniser of one token per character."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import XLMRobertaConfig, XLMRobertaTokenizerFast

    special = ["<s>", "<pad>", "</s>", "<unk>"]
    characters = [
        "▁",
        *map(chr, range(0x21, 0x7F)),
        *map(chr, range(0x900, 0x980)),
        *map(chr, range(0xB80, 0xC00)),
    ]
    vocabulary = [
        *((token, 0.0) for token in special),
        *((character, -1.0) for character in characters),
        ("<mask>", 0.0),
    ]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=3))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    XLMRobertaTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder)
    XLMRobertaConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=514,
        type_vocab_size=1,
        pad_token_id=1,
        initializer_range=1.0,
    ).save_pretrained(folder)


def main(folder: Path, kind: str, more: dict[str, object]) -> None:
    import torch
    import yaml
    from comet.models import str2model
    from pytorch_lightning import __version__ as lightning_version

    (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
    encoder_folder(folder / "encoder")
    hparams = {**HPARAMS, **KINDS[kind], "pretrained_model": str((folder / "encoder").resolve())}
    torch.manual_seed(1)
    options = {key: value for key, value in hparams.items() if key != "class_identifier"}
    model = str2model[hparams["class_identifier"]](**options, load_pretrained_weights=False)
    (folder / "hparams.yaml").write_text(yaml.safe_dump(hparams), "utf-8")
    torch.save(
        {
            "state_dict": model.state_dict(),
            "hyper_parameters": dict(model.hparams),
            "pytorch-lightning_version": lightning_version,
            **more,
        },
        folder / "checkpoints" / "model.ckpt",
    )


if __name__ == "__main__":
    out = Path(sys.argv[1])
    main(out / "regression", "regression", {})
    main(out / "unified", "unified", {})
    main(out / "pickled", "regression", {"made by": PurePosixPath("someone")})
