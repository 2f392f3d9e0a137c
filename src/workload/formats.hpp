// The table of workload formats: the one place where their names meet their readers.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "model/workload.hpp"
#include "workload/text_file.hpp"

namespace somnus {

struct Format {
  std::string_view name;
  std::string_view summary;  // one sentence without a full stop
  std::string_view suffix;   // of file names, before a possible ".gz"; empty: told by content only
  bool (*looks_like)(std::string_view text);
  Checked<WorkloadSpec> (*parse)(const TextFile& file);
};

[[nodiscard]] std::span<const Format> formats();

/// An empty `format` is told from the file's name, else from its first line.
[[nodiscard]] Checked<WorkloadSpec> read_workload(const std::filesystem::path& path,
                                                  const std::string& format = "");

}  // namespace somnus
