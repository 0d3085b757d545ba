"""``python -m benchmarks``: run every benchmark in turn, each in a process of its own, and print what it measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def main() -> int:
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))
    worst = 0
    for name in names:
        print(f"== {name}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, FOLDER / f"{name}.py"], check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
