// TOML to Settings and back. Every mistake is found in one go, each with file:line:column, its key,
// what was expected and a hint.
//
//   const Settings settings = value_or_throw(load_settings("fair.toml", overrides));
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "config/settings.hpp"

namespace somnus {

/// `--set table.key=value`: wins over the file. The value is TOML, or else a bare word, taken as a
/// string. An inline table ({...}) replaces a whole table.
struct Override {
  std::string key;
  std::string value;
  bool of_policy = false;  // of one that is asked for in place of the config's

  [[nodiscard]] std::string text() const { return "--set " + key + "=" + value; }
};

/// From the words after --set.
[[nodiscard]] Checked<Override> parse_override(std::string_view text);
/// The text as it is, whatever it looks like; for options such as --log FILE.
[[nodiscard]] Override text_override(std::string key, std::string_view text);

/// Parameters given on the command line, `--set NAME=VALUE` each, of what the schema belongs to.
/// `owner`: in words, "generator google".
[[nodiscard]] Checked<Parameters> read_parameters(const ParameterSchema& schema,
                                                  std::string_view owner,
                                                  std::span<const Override> given);

/// A key that the chosen parts would not read is a mistake, but for what the file says of a
/// scheduler in whose place another is asked for; unless `unread` is there to get its path, or that
/// of its table, as one of many runs does that are set by the same keys.
[[nodiscard]] Checked<Settings> load_settings(const std::filesystem::path& file,
                                              std::span<const Override> overrides,
                                              std::vector<std::string>* unread = nullptr);
/// origin: the file's path, for messages and relative paths.
[[nodiscard]] Checked<Settings> parse_settings(std::string_view toml, std::string origin,
                                               std::span<const Override> overrides,
                                               std::vector<std::string>* unread = nullptr);

/// Every key that these settings read, with its value: parse_settings(to_toml(s)) == s.
[[nodiscard]] std::string to_toml(const Settings& settings);

/// What tables and figures call the scheduler: scheduler.label, or else the preset followed by what
/// differs from it, "yaq-c+placement=random+queue.length=8"; without a preset, the order followed
/// by the placement and what differs from the defaults.
[[nodiscard]] std::string label_of(const Settings& settings);
/// What makes a scheduler of such a label, as `--policy` takes it: a preset or an order, or nothing
/// for the config's own, then any exchanges ("+order=srpt"). One without a table is a key of
/// [scheduler].
[[nodiscard]] Checked<std::vector<Override>> overrides_of_label(std::string_view label);

/// Where workload.file is: relative to the config file's folder, whatever the working directory.
[[nodiscard]] std::filesystem::path workload_path(const Settings& settings);

}  // namespace somnus
