#include "print/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace somnus {

TerminalSize terminal_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  if (size.ws_col == 0 || size.ws_row == 0) return {};
  return {.columns = size.ws_col, .lines = size.ws_row};
}

}  // namespace somnus
