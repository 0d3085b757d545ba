"""The command line: one small module per command, no logic.

Exit codes: 0 ok, 1 a gate failed, 2 bad input or a wrong command line (one line says what and how to mend it), 70 a
fault of equiglot's own, 130 stopped by Ctrl-C, 141 whoever read the output left (as `head` does; nothing is said).
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, cast

from equiglot.errors import InputError

__all__ = ["main"]

_NO_READER = 141
_KEEPING = frozenset(("generate", "lab", "likelihood", "run", "score"))
"""Commands that keep what they have computed as they go."""


def main(arguments: list[str] | None = None) -> None:
    """Run one command and end the process with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # closed, it is None; a terminal that lacks a letter shows "?"
                stream.reconfigure(errors="replace")
        _run(_one_option_each(words))
        _flush()
    except InputError as error:
        _end(f"equiglot: {error}", 2)
    except BrokenPipeError:
        os._exit(_NO_READER)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # Rich makes an exit of it, with the code of a failed gate
            os._exit(_NO_READER)
        raise
    except OSError as error:
        _end(f"equiglot: {error.filename or 'output'}: {error.strerror or error}; free space or name another place", 2)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl-C ends it at once, whatever is being tidied up
        kept = "; what was done is kept, the same command goes on from there" if _keeps(words) else ""
        _end(f"equiglot: stopped{kept}", 130)
    except Exception as error:
        if os.environ.get("EQUIGLOT_DEBUG"):
            raise
        _end(f"equiglot: a fault of equiglot's own ({type(error).__name__}: {error}); EQUIGLOT_DEBUG=1 shows where", 70)


def _run(arguments: list[str]) -> None:
    """Run a command as Typer would, but leave what stops it to :func:`main`."""
    import typer

    from equiglot.cli._app import app

    command = typer.main.get_command(app)
    # Typer exports one kind of usage error, and this is what all are.
    usage_error = cast("type[Exception]", typer.BadParameter.__bases__[0])
    try:
        with command.make_context("equiglot", arguments) as context:
            command.invoke(context)
    except typer.Exit as end:
        _flush()
        sys.exit(end.exit_code)
    except usage_error as error:
        _end(_usage(error), 2)


def _keeps(arguments: list[str]) -> bool:
    """Whether a command goes on where it was stopped; of a profile only the scores of a language model are kept."""
    command = next(iter(arguments), "")
    return command in _KEEPING or (command == "profile" and any(word.startswith("--lm") for word in arguments))


def _usage(error: Any) -> str:
    """What is wrong with the command line, in one line; nothing where the help was shown instead."""
    said = " ".join(error.format_message().split()).rstrip(".").replace("Value error, ", "")
    where = f"{error.ctx.command_path} --help" if error.ctx else "equiglot --help"
    return f"equiglot: {said[:1].lower()}{said[1:]}; see `{where}`" if said else ""


def _flush() -> None:
    """Have a reader that left noticed now, not when Python ends."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.flush()


def _end(line: str, code: int) -> None:
    if line:
        with suppress(BrokenPipeError):
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
