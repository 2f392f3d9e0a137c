#include "emulator/export/export_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/error.hpp"

namespace somnus {

ExportProgress::ExportProgress(std::string title, std::uint64_t rows, bool quiet,
                               const std::atomic<int>* stop)
    : title_(std::move(title)),
      rows_(rows),
      quiet_(quiet),
      stop_(stop),
      terminal_(isatty(STDERR_FILENO) != 0) {}

ExportProgress::~ExportProgress() {
  if (terminal_ && printed_) fmt::print(stderr, "\r\033[K");
}

void ExportProgress::look() {
  looked_ = done_;
  if (stop_ != nullptr && *stop_ != 0) {
    throw WorldError("asked to end before all was exported; nothing was written");
  }
  if (!quiet_) print_if_due();
}

void ExportProgress::print_if_due() {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10));
  printed_ = true;
  const double share =
      static_cast<double>(done_) / static_cast<double>(std::max<std::uint64_t>(1, rows_));
  fmt::print(stderr, "{}{}: {:5.1f} %  {} of {} rows{}", terminal_ ? "\r" : "", title_, 100 * share,
             done_, rows_, terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
}

}  // namespace somnus
