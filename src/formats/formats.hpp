// The workload formats, other people's and our own. Each is one file, import_NAME.cpp, which says
// what the format has and ends with its row. Every one takes plain or gzip files, reports all
// mistakes at once, and shifts submits so that the first job comes at 0 s.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/parameters.hpp"
#include "base/registered.hpp"
#include "model/workload.hpp"
#include "text/text_file.hpp"

namespace somnus {

/// Whose files look like one of a format.
enum class Look {
  own,     // its own alone
  shared,  // also some of formats with a look of their own, which are meant then
  common,  // those of many formats: any table does
};

struct Format {
  std::string_view name;
  std::string_view summary;  // one sentence without a full stop
  /// Of file names, before a possible ".gz"; empty: the format is detected by content only.
  std::string_view suffix;
  bool (*looks_like)(std::string_view text);  // TextFile::beginning()
  Look look = Look::own;
  bool is_parquet = false;  // its files are Parquet; else they are text
  ParameterSchema parameters;
  std::function<Checked<WorkloadSpec>(const TextFile& file, const Parameters&)> parse;
  /// Of a folder, where one can be such a workload.
  bool (*is_folder_of)(const std::filesystem::path& path) = nullptr;
  std::function<Checked<WorkloadSpec>(const std::filesystem::path& path, const Parameters&)>
      read_folder = nullptr;

  [[nodiscard]] std::string_view key() const { return name; }
};

/// By name.
[[nodiscard]] std::span<const Format> formats();

/// Detected from the file's name and content; a mistake if neither is known.
[[nodiscard]] Checked<const Format*> format_of(const TextFile& file,
                                               const std::filesystem::path& path);

/// Of a file or folder there, in whatever way it is packed.
[[nodiscard]] Checked<const Format*> format_at(const std::filesystem::path& path);
/// By its name; a mistake at `path`, which is to be read so, if there is none.
[[nodiscard]] Checked<const Format*> format_called(std::string_view name,
                                                   const std::filesystem::path& path);

/// An empty `format` is detected from the file's name, else from its first line. Unnamed parameters
/// have their defaults; mistakes in parameters are the user's at `where`. Of a large file of lines
/// some MiB are in memory at a time, beside what becomes of them.
[[nodiscard]] Checked<WorkloadSpec> read_workload(const std::filesystem::path& path,
                                                  const std::string& format = "",
                                                  const Parameters& parameters = {},
                                                  const SourceLocation& where = {},
                                                  OnRead on_read = {});

template <Described Options>
[[nodiscard]] Options options_of(const Parameters& given) {
  Options options;
  apply_parameters(options, given);
  return options;
}

/// A row: Reader(file, options)() reads, with a described struct whose defaults are those of a
/// fresh one; or Reader(file)(), where there is nothing to choose.
template <class Reader, Described... Options>
  requires(sizeof...(Options) <= 1)
[[nodiscard]] Format format(std::string_view name, std::string_view summary,
                            std::string_view suffix, bool (*looks_like)(std::string_view text),
                            Look look = Look::own) {
  Format made{.name = name,
              .summary = summary,
              .suffix = suffix,
              .looks_like = looks_like,
              .look = look,
              .parameters = {},
              .parse = [](const TextFile& file, [[maybe_unused]] const Parameters& given) {
                return Reader(file, options_of<Options>(given)...)();
              }};
  if constexpr (sizeof...(Options) > 0) made.parameters = parameters_of(Options()...);
  return made;
}

}  // namespace somnus
