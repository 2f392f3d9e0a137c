// A log for other programs: which formats there are, and into what they are written.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
namespace somnus {

enum class LogExportFormat : std::uint8_t { perfetto, csv, parquet };

template <>
struct EnumNames<LogExportFormat> {
  static constexpr std::pair<LogExportFormat, const char*> names[] = {
      {LogExportFormat::perfetto, "perfetto"},
      {LogExportFormat::csv, "csv"},
      {LogExportFormat::parquet, "parquet"}};
};

/// As the user gives it.
struct LogExportRequest {
  std::string log;
  std::filesystem::path output;  // a file for perfetto, else a folder
  std::string format;            // empty: detected from the output
  std::optional<double> from_s;  // these three for perfetto
  std::optional<double> until_s;
  std::vector<std::string> jobs;
  bool force = false;  // replace what is there
  bool quiet = false;
  const std::atomic<int>* stop = nullptr;  // not 0 once a stop is requested
};

/// What was written, and how many rows of which.
struct LogExported {
  LogExportFormat format{};
  std::vector<std::pair<std::string, std::uint64_t>> rows;  // by table, or by kind of event
  std::string damage;  // the first row or name that is not as the run wrote it; empty: none is
};

/// All or nothing. The mistakes are the user's: of the request, or of a log that can't be read.
/// Throws WorldError.
[[nodiscard]] Checked<LogExported> export_log(const LogExportRequest& request);

}  // namespace somnus
