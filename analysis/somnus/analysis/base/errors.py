"""The two ways in which a command can fail through no fault of this package, and what the program warns of."""


class UserError(Exception):
    """The user's mistake (exit code 2); the text says what is wrong and, if known, what to do."""


class ProgramError(Exception):
    """The program `somnus` is missing or failed; carries its exit code."""

    def __init__(self, text: str, exit_code: int = 2):
        super().__init__(text)
        self.exit_code = exit_code


class ProgramWarning(UserWarning):
    """What the program `somnus` said of a run that went well."""
