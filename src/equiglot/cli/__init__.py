"""The command line: one small module per command, no logic.

Exit codes: 0 ok, 1 a gate failed, 2 bad input (one line says what and how to mend it), 70 a fault of equiglot's own.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

from equiglot.errors import InputError

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run one command and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # closed, it is None; a terminal that lacks a letter gets a question mark
            stream.reconfigure(errors="replace")
    try:
        from equiglot.cli._app import app

        app(args=_one_option_each(sys.argv[1:] if arguments is None else arguments), prog_name="equiglot")
    except InputError as error:
        _end(f"equiglot: {error}", 2)
    except BrokenPipeError:
        os._exit(0)
    except OSError as error:
        _end(f"equiglot: {error.filename or 'output'}: {error.strerror or error}; free space or name another place", 2)
    except KeyboardInterrupt:
        _end("equiglot: stopped; what was scored is kept, the same command goes on from there", 130)
    except Exception as error:
        if os.environ.get("EQUIGLOT_DEBUG"):
            raise
        _end(f"equiglot: a fault of equiglot's own ({type(error).__name__}: {error}); EQUIGLOT_DEBUG=1 shows where", 70)


def _end(line: str, code: int) -> None:
    sys.stderr.write(" ".join(line.split("\n")) + "\n")
    sys.exit(code)


def _one_option_each(arguments: list[str]) -> list[str]:
    """``-t a b`` as ``-t a -t b``: sacrebleu and comet-score take several files after one option, Typer one."""
    expanded: list[str] = []
    after_target = False
    for argument in arguments:
        if argument.startswith("-"):
            after_target = argument in ("-t", "--targets")
        elif after_target and expanded[-1] not in ("-t", "--targets"):
            expanded.append("-t")
        expanded.append(argument)
    return expanded
