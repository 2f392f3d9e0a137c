"""The two ways in which a command can fail through no fault of this package."""


class UserError(Exception):
    """The user's mistake (exit code 2); the text says what is wrong and, if known, what to do."""


class ProgramError(Exception):
    """The program `somnus` is missing or failed; carries its exit code."""

    def __init__(self, text: str, exit_code: int = 2):
        super().__init__(text)
        self.exit_code = exit_code
