// How far an export is, and whether it is to end.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "print/status_line.hpp"

namespace somnus {

class ExportProgress {
 public:
  /// rows: of all that there will be. stop: not 0 once a stop is requested; nullptr: never.
  ExportProgress(std::string title, std::uint64_t rows, bool quiet, const std::atomic<int>* stop);

  /// So many more rows are written. Cheap; prints when it is time to. Throws WorldError when it is
  /// to end.
  void add(std::uint64_t rows) {
    done_ += rows;
    if (done_ - looked_ >= 4096) look();
  }

 private:
  void look();

  std::string title_;
  std::uint64_t rows_;
  StatusLine line_;
  const std::atomic<int>* stop_;
  std::uint64_t done_ = 0;
  std::uint64_t looked_ = 0;
};

}  // namespace somnus
