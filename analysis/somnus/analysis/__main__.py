"""`somnus analysis COMMAND`: tables and figures from the logs of Somnus.

Exit codes as of the program itself: 0 fine; 1 a check found a difference; 2 the user's mistake;
3 the world failed; 4 our own mistake.
"""

import argparse
import json
import os
import sys
import traceback
import warnings
from typing import Any, NoReturn

from somnus.analysis import commands
from somnus.analysis.base.errors import ProgramError, UserError
from somnus.analysis.base.modules import modules_of
from somnus.analysis.base.text import hint, printable_lines
from somnus.analysis.commands import Command


def main(arguments: list[str] | None = None, program: str = "somnus analysis") -> int:
    given = sys.argv[1:] if arguments is None else arguments

    def _failed(sentence: str, exit_code: int) -> int:
        print(f"somnus analysis: {printable_lines(sentence)}", file=sys.stderr)
        if "--json" in given:
            print(json.dumps({"error": {"exit_code": exit_code, "text": sentence}}, indent=2))
        return exit_code

    try:
        options = _options(given, program)
        warnings.showwarning = _print_no_warning if getattr(options, "quiet", False) else _print_warning
        code: int = options.command(options)
        sys.stdout.flush()  # so that what cannot be written is known here, not as Python ends
        return code
    except UserError as error:
        return _failed(str(error), 2)
    except ProgramError as error:
        return _failed(str(error), error.exit_code)
    except BrokenPipeError:  # who read it has had enough, such as `| head`
        return 0
    except OSError as error:
        return _failed(str(error), 3)
    except MemoryError as error:
        return _failed(f"not enough memory ({error}); fewer logs at a time need less", 3)
    except Exception as error:
        traceback.print_exc()
        return _failed(f"our mistake: {type(error).__name__}: {error}\nPlease report it, with the "
                       "command line.", 4)
    finally:
        _drop_what_is_not_taken()


def _drop_what_is_not_taken() -> None:
    """So that Python, as it ends, does not fail at what standard output failed at before."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Raises UserError where argparse would end the process."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message}; `{self.prog} --help` says what it takes")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, unexpected = super().parse_known_args(args, namespace)
        if words := [word.partition("=")[0] for word in unexpected if word.startswith("-")]:
            raise UserError("\n".join(f"{word}: no such option of `{self.prog}`"
                                      f"{hint(word, self._option_string_actions)}" for word in words))
        return options, unexpected


def _options(arguments: list[str], program: str) -> argparse.Namespace:
    try:
        return _parser(program).parse_args(arguments)
    finally:
        sys.stdout.flush()  # --help ends it here


def _parser(program: str = "somnus analysis") -> argparse.ArgumentParser:
    parser = _Parser(
        prog=program, description="Tables and figures from the logs of Somnus."
    )
    names = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in modules_of(commands):
        command: Command = module.COMMAND
        own = names.add_parser(command.name, help=command.sentence)
        command.add_options(own)
        own.set_defaults(command=command.run)
    return parser


def _print_no_warning(message: Warning | str, *where: object, **more: object) -> None:
    """Asked to be quiet."""


def _print_warning(message: Warning | str, *where: object, **more: object) -> None:
    print(f"somnus analysis: warning: {printable_lines(str(message))}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
