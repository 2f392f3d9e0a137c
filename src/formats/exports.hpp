// Workloads for other people's programs. Each format is one file, export_NAME.cpp, which ends with
// its row. What a format can't say at all is a mistake; what it has no field for is left out, with
// a warning.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/registered.hpp"
#include "model/workload.hpp"

namespace somnus {

struct Exported {
  std::string text;
  std::vector<std::string> lost;  // what of this workload is not in it, in words
};

struct Export {
  std::string_view name;
  std::string_view summary;  // one sentence without a full stop
  /// Mistakes name each job that the format can't say, and `file`, which the workload is from.
  Checked<Exported> (*write)(const WorkloadSpec& workload, const std::string& file);

  [[nodiscard]] std::string_view key() const { return name; }
};

/// By name.
[[nodiscard]] std::span<const Export> exports();

/// Of a valid workload as `format`. The user's mistakes: an unknown format, jobs that it can't say.
[[nodiscard]] Checked<Exported> export_workload(const WorkloadSpec& workload,
                                                const std::string& format, const std::string& file);

}  // namespace somnus
