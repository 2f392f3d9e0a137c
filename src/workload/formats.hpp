// The table of workload formats: the one place where their names meet their readers.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "model/workload.hpp"
#include "workload/number_parameters.hpp"
#include "workload/text_file.hpp"

namespace somnus {

struct Format {
  std::string_view name;
  std::string_view summary;  // one sentence without a full stop
  std::string_view suffix;   // of file names, before a possible ".gz"; empty: told by content only
  bool (*looks_like)(std::string_view text);
  std::vector<NumberParameter> parameters;
  Checked<WorkloadSpec> (*parse)(const TextFile& file, const NumberValues& values);
};

[[nodiscard]] std::span<const Format> formats();

/// An empty `format` is told from the file's name, else from its first line. Unnamed parameters
/// have their defaults; mistakes in parameters are the user's at `where`.
[[nodiscard]] Checked<WorkloadSpec> read_workload(const std::filesystem::path& path,
                                                  const std::string& format = "",
                                                  const GivenParameters& parameters = {},
                                                  const Place& where = {});

/// Rows that are more than a line; each stands beside its reader.
[[nodiscard]] Format carbyne_format();
[[nodiscard]] Format google_uwfq_format();

}  // namespace somnus
