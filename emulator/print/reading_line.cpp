#include "emulator/print/reading_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace somnus {

ReadingLine::ReadingLine(std::string file)
    : file_(std::move(file)), terminal_(isatty(STDERR_FILENO) != 0) {}

ReadingLine::~ReadingLine() {
  if (printed_) fmt::print(stderr, "\r\033[K");
}

void ReadingLine::look(std::uint64_t bytes, std::uint64_t of_bytes) {
  const Clock::time_point now = Clock::now();
  if (!terminal_ || of_bytes == 0 || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  printed_ = true;
  constexpr double mb = 1e6;
  fmt::print(stderr, "\r{}: read {:.0f} of {:.0f} MB, {:.0f} %\033[K", file_,
             static_cast<double>(bytes) / mb, static_cast<double>(of_bytes) / mb,
             100 * static_cast<double>(bytes) / static_cast<double>(of_bytes));
  std::fflush(stderr);
}

}  // namespace somnus
