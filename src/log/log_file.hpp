// The file of a log that is being written, in HDF5's single-writer-multiple-readers mode.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "hdf5/handles.hpp"
#include "log/live_tables.hpp"
#include "log/log.hpp"
#include "log/seal.hpp"
#include "output/locked_file.hpp"

namespace somnus {

/// When the file stands where it belongs: as soon as readers can open it, or, of a log that is to
/// take another's place, when it has all that the other had.
enum class Appears : std::uint8_t { at_once, on_request };

/// Functions throw hdf5::Failure; after that only abandon() may be called. For one thread at a
/// time. Rows are given as they lie in memory.
class LogFile {
 public:
  /// Creates the file with all its tables and attributes, and lets readers in. `path`: as the user
  /// calls it. `place` has to outlive this.
  LogFile(const std::filesystem::path& path, LockedFile& place, const LogHeader& header,
          const LogTables& initial, int compression, Appears appears);
  /// The file takes its place, and that of what stands there. All rows given so far should be
  /// flushed. Nothing if it stands there already.
  void appear();

  /// table: place of the rows' type in LongRows.
  void append(std::size_t table, std::span<const std::byte> rows) {
    long_tables_[table].append(rows);
  }
  void set_job(std::size_t job, std::span<const std::byte> row) { jobs_.set(job, row); }
  void set_stage(std::size_t stage, std::span<const std::byte> row) { stages_.set(stage, row); }
  void set_rank(std::size_t rank, std::span<const std::byte> row) { ranks_.set(rank, row); }

  /// Afterwards readers see all rows given so far, and a killed process leaves them behind. A file
  /// that somebody has removed or replaced meanwhile is a failure.
  void flush();
  /// Flushes and closes; the file then opens like any other.
  void close();
  /// The last rows of /jobs and /stages, close(), appear(); then how the other tables end, and
  /// `complete`: both or nothing (safe_change.hpp).
  void finish(const LogTables& last, bool complete);
  /// Lets go of a file that can't be written: HDF5 may hang or abort when it is closed.
  void abandon();

 private:
  void require_still_there() const;

  std::filesystem::path path_;
  LockedFile& place_;
  hdf5::File file_;
  hdf5::Seals seals_;
  std::array<GrowingTable, LongRows::size> long_tables_;
  ChangingTable jobs_;
  ChangingTable stages_;
  ChangingTable ranks_;
  LogHeader header_;
};

/// Into a file that is open for changes: how the tables of a log end, the lengths of those that
/// grew, and `complete`.
void write_end(hid_t file, const LogHeader& header, const LogTables& last, bool complete);

}  // namespace somnus
