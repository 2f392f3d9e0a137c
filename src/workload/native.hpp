// The native workload format: JSON Lines, a header, then one job a line in order of submit. The
// README beside this file describes it.
#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "model/workload.hpp"
#include "output/destination.hpp"
#include "text/text_file.hpp"

namespace somnus {

/// Plain or gzip. What it gives fulfils check_workload(); else every mistake with its line, its
/// column where it has one, and its key.
[[nodiscard]] Checked<WorkloadSpec> read_native(const std::filesystem::path& path);
[[nodiscard]] Checked<WorkloadSpec> parse_native(const TextFile& file);

/// Writes a valid workload: gzip if the name ends so, the same bytes for the same workload, numbers
/// in the shortest form that reads back exactly. The file appears whole or not at all. Throws as
/// OutputFile does.
void write_native(const WorkloadSpec& workload, const std::filesystem::path& path,
                  const OutputRules& rules = {});

/// The text that write_native() writes, for a caller that puts it elsewhere than in a file.
[[nodiscard]] std::string native_text(const WorkloadSpec& workload);

}  // namespace somnus
