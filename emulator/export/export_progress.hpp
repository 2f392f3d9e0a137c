// How far an export is, on stderr: nothing before two seconds have passed, then on a terminal one
// line that is rewritten, elsewhere a line every ten seconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace somnus {

class ExportProgress {
 public:
  /// rows: of all that there will be. stop: not 0 once somebody wants an end; nullptr: nobody will.
  ExportProgress(std::string title, std::uint64_t rows, bool quiet, const std::atomic<int>* stop);
  ~ExportProgress();
  ExportProgress(const ExportProgress&) = delete;
  ExportProgress& operator=(const ExportProgress&) = delete;

  /// So many more rows are written. Cheap; prints when it is time to. Throws WorldError when it is
  /// to end.
  void add(std::uint64_t rows) {
    done_ += rows;
    if (done_ - looked_ >= 4096) look();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void look();
  void print_if_due();

  std::string title_;
  std::uint64_t rows_;
  bool quiet_;
  const std::atomic<int>* stop_;
  bool terminal_;
  bool printed_ = false;
  std::uint64_t done_ = 0;
  std::uint64_t looked_ = 0;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(2);
};

}  // namespace somnus
