#include "export/export_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace somnus {

ExportProgress::ExportProgress(std::string title, std::uint64_t rows, bool quiet,
                               const std::atomic<int>* stop)
    : title_(std::move(title)), rows_(rows), line_(quiet), stop_(stop) {}

void ExportProgress::look() {
  looked_ = done_;
  if (stop_ != nullptr && *stop_ != 0) {
    throw WorldError("asked to end before all was exported; nothing was written");
  }
  line_.look([this] {
    const double share =
        static_cast<double>(done_) / static_cast<double>(std::max<std::uint64_t>(1, rows_));
    return fmt::format("{}: {:5.1f} %  {} of {} rows", title_, 100 * share, done_, rows_);
  });
}

}  // namespace somnus
