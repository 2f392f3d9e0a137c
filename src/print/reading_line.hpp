// How far the reading of a large file is, on stderr.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>

#include "print/printable.hpp"
#include "print/status_line.hpp"

namespace somnus {

class ReadingLine {
 public:
  ReadingLine(std::string file, bool quiet) : file_(std::move(file)), line_(quiet) {}

  /// To be called with the bytes that have been read, and all there are. It must not outlive this.
  [[nodiscard]] std::function<void(std::uint64_t, std::uint64_t)> on_read() {
    return [this](std::uint64_t bytes, std::uint64_t of_bytes) {
      const auto mb = [](std::uint64_t count) { return static_cast<double>(count) / 1e6; };
      line_.look([&] {
        const double share = of_bytes > 0 ? 100 * mb(bytes) / mb(of_bytes) : 0;
        return fmt::format("{}: read {:.0f} of {:.0f} MB, {:.0f} %", printable(file_), mb(bytes),
                           mb(of_bytes), share);
      });
    };
  }

 private:
  std::string file_;
  StatusLine line_;
};

}  // namespace somnus
