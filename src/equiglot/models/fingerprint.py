"""SHA-256 of the files that a model or tokeniser is made of, remembered by path, size and time of change."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from equiglot.models.cache import cache_folder
from equiglot.models.embedded import file_sha256

__all__ = ["files_sha256"]


def files_sha256(paths: Sequence[Path]) -> str:
    """One SHA-256 over the contents and names of the files, as hexadecimal; the folder they lie in doesn't count.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.txt"
    >>> _ = file.write_text("x")
    >>> files_sha256([file])[:8]
    'd7a8ccc6'
    """
    ordered = sorted(paths, key=lambda path: path.name)
    stamp = json.dumps([[str(path.resolve()), (s := path.stat()).st_size, s.st_mtime_ns] for path in ordered])
    memo = cache_folder("fingerprints") / f"{sha256(stamp.encode()).hexdigest()[:24]}.txt"
    if memo.is_file():
        return memo.read_text("ascii")
    digest = sha256()
    for path in ordered:
        digest.update(f"{path.name}\0{file_sha256(path)}\n".encode())
    part = memo.with_suffix(f".{os.getpid()}")
    part.write_text(digest.hexdigest(), "ascii")
    part.replace(memo)
    return digest.hexdigest()
