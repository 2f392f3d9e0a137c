#include "print/status_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "print/printable.hpp"
#include "print/terminal.hpp"

namespace somnus {

StatusLine::StatusLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

StatusLine::~StatusLine() {
  if (printed_ && terminal_) fmt::print(stderr, "\r\033[K");
}

bool StatusLine::is_due() {
  if (quiet_) return false;
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + (terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10));
  return true;
}

void StatusLine::print(std::string text) {
  printed_ = true;
  // One that goes on in the next line of a terminal would not be rewritten.
  if (terminal_) text = printable(text, terminal_size().columns - 1);
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "", text, terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
}

}  // namespace somnus
