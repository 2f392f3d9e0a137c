// From argv to a command. --help teaches; usage mistakes end with exit code 2.
#pragma once

namespace somnus {

/// Returns the exit code; throws what the command throws.
int command_line(int argc, char** argv);

}  // namespace somnus
