// The table of workload formats: the one place where their names meet their readers.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/parameters.hpp"
#include "model/workload.hpp"
#include "text/text_file.hpp"

namespace somnus {

struct Format {
  std::string_view name;
  std::string_view summary;  // one sentence without a full stop
  std::string_view suffix;   // of names, before a possible ".gz"; empty: detected by content only
  bool (*looks_like)(std::string_view text);
  ParameterSchema parameters;
  std::function<Checked<WorkloadSpec>(const TextFile& file, const Parameters&)> parse;
  bool is_vague = false;  // files of other formats look like it, too
  /// Of a folder, where one can be such a workload.
  bool (*is_folder_of)(const std::filesystem::path& path) = nullptr;
  std::function<Checked<WorkloadSpec>(const std::filesystem::path& path, const Parameters&)>
      read_folder = nullptr;
};

[[nodiscard]] std::span<const Format> formats();

/// Detected from the file's name and content; a mistake if neither is known.
[[nodiscard]] Checked<const Format*> format_of(const TextFile& file,
                                               const std::filesystem::path& path);

/// An empty `format` is detected from the file's name, else from its first line. Unnamed parameters
/// have their defaults; mistakes in parameters are the user's at `where`. Of a large file of lines
/// some MiB are in memory at a time, beside what becomes of them.
[[nodiscard]] Checked<WorkloadSpec> read_workload(const std::filesystem::path& path,
                                                  const std::string& format = "",
                                                  const Parameters& parameters = {},
                                                  const SourceLocation& where = {},
                                                  OnRead on_read = {});

/// A row of the table: parse(file, options) with a described struct, whose defaults are those of a
/// fresh one.
template <Described Options>
[[nodiscard]] Format format(std::string_view name, std::string_view summary,
                            std::string_view suffix, bool (*looks_like)(std::string_view text),
                            Checked<WorkloadSpec> (*parse)(const TextFile&, const Options&)) {
  return {.name = name,
          .summary = summary,
          .suffix = suffix,
          .looks_like = looks_like,
          .parameters = parameters_of(Options()),
          .parse =
              [parse](const TextFile& file, const Parameters& given) {
                Options options;
                apply_parameters(options, given);
                return parse(file, options);
              },
          .is_vague = false};
}

}  // namespace somnus
