// Writes a log while the run goes on.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "hdf5/blocks.hpp"
#include "log/log.hpp"
#include "log/log_destination.hpp"

namespace somnus {

class LogFile;

struct LogOptions {
  int compression = 1;                             // deflate level, 0 for none
  bool replay = true;                              // keep events and decisions
  bool replace = false;                            // what stands there already
  std::vector<std::filesystem::path> inputs = {};  // of the run: never
  bool appears_on_request = false;                 // and not at once, see appear()
  std::chrono::milliseconds flush_every{500};
};

/// The log of a run. All functions are for the one thread that owns it; a thread of its own does
/// the writing. Rows reach the file within about `flush_every`, where a reader sees them and where
/// they stay when this process is killed.
///
/// When the file can't be written any more (disk full), the rows that are in it stay, further ones
/// are dropped, and nothing waits: failed() says so.
class LogWriter {
 public:
  /// Creates the file, with all but the long tables in it, and keeps other writers away until it
  /// is closed. Throws UserError if there are objections_to_writing(); WorldError with the path
  /// and the system's reason, and then leaves no file.
  LogWriter(const std::filesystem::path& path, const LogHeader& header, const LogTables& initial,
            const LogOptions& options = {});
  /// Without a close() before, closes the file as it is, `complete` = 0; one that was to appear and
  /// has not is gone. Never throws.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  template <class Row>
  void add(const Row& row) {
    add_made([&row] { return row; });
  }
  /// The row that make() returns, made where it is kept: copied from elsewhere it would cost more
  /// than all else that is done with it here.
  template <class Make>
  void add_made(Make&& make) {
    using Row = std::invoke_result_t<Make>;
    static_assert(LongRows::has<Row>);
    constexpr bool of_replay = EventRows::has<Row> || DecisionRows::has<Row>;
    if (!of_replay || options_.replay) append<Row>(std::forward<Make>(make));
  }
  /// Of a log that appears on request: all rows so far are in it, and with the next flush it
  /// takes the place of what stands there. A process that is killed before that leaves the
  /// other as it was.
  void appear() { may_appear_.store(true, std::memory_order_release); }
  /// Changes the row of job `row.job`, of rank `row.rank`, or of a stage.
  void set(const JobRow& row);
  void set(const RankRow& row);
  void set(StageId stage, const StageRow& row);

  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_relaxed); }
  /// Why; empty if it has not.
  [[nodiscard]] std::string failure() const;

  /// Writes what is left, then the rows of jobs, stages, ranks and scheduler as in `last`, and
  /// `complete`. The file then opens like any other. Throws WorldError if that can't be done. To
  /// be called once, and nothing after it.
  void close(const LogTables& last, bool complete);

 private:
  struct StageChange {
    std::uint32_t stage;
    StageRow row;
  };

  /// The kinds of rows that are given while the run goes on.
  using Streams = Joined<LongRows, TypeList<JobRow, StageChange, RankRow>>;

  template <class Row, class Make>
  void append(Make&& make);
  void replace_full_block(std::size_t stream);
  void stop_thread();

  // The writing thread's.
  void write_until_finished();
  void take_current_rows();
  void write(Block& block, std::size_t end);
  void change_jobs(std::span<const std::byte> rows);
  void change_ranks(std::span<const std::byte> rows);
  void change_stages(std::span<const std::byte> changes);
  template <class Work>
  void attempt(Work&& work);

  std::filesystem::path path_;
  LogOptions options_;
  std::size_t jobs_;
  std::size_t stages_;
  std::size_t ranks_;
  std::optional<RoomToRecover> room_;    // until the log is closed
  std::optional<LogDestination> place_;  // the same
  std::unique_ptr<LogFile> file_;
  BlockExchange exchange_;
  std::array<std::atomic<Block*>, Streams::size> current_;  // the blocks that are being filled
  std::atomic<bool> may_appear_ = false;
  std::atomic<bool> failed_ = false;
  mutable std::mutex failure_mutex_;
  std::string failure_;
  std::thread thread_;
};

template <class Row, class Make>
void LogWriter::append(Make&& make) {
  static_assert(std::is_trivially_copyable_v<Row> && alignof(Row) <= alignof(std::max_align_t));
  if (failed()) return;
  constexpr std::size_t stream = Streams::place<Row>;
  Block& block = *current_[stream].load(std::memory_order_relaxed);
  const std::size_t begin = block.filled.load(std::memory_order_relaxed);
  const std::size_t end = begin + sizeof(Row);
  std::byte* const place = block.bytes.data() + begin;
  // The lines of the rows to come: another core has read what stood there, and gives them late.
  constexpr std::size_t ahead = 256;
  constexpr std::size_t line = 64;
  for (std::size_t at = 0; at < sizeof(Row); at += line) __builtin_prefetch(place + ahead + at, 1);
  ::new (static_cast<void*>(place)) Row(make());
  block.filled.store(end, std::memory_order_release);
  if (end + sizeof(Row) > Block::capacity) [[unlikely]]
    replace_full_block(stream);
}

}  // namespace somnus
