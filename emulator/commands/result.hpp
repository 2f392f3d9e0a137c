// How a command says what it found.
#pragma once

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/wrapped.hpp"
#include "emulator/commands/commands.hpp"

namespace somnus {

/// Standard output has its JSON object: a later error is printed on standard error alone.
inline bool has_printed_json = false;

/// On stdout: json(), if that was asked for; else text(), or only what is wrong() if quiet.
template <class Json, class Text, class Wrong>
void print_result(const CommonOptions& options, Json&& json, Text&& text, Wrong&& wrong) {
  if (options.json) {
    fmt::print("{}\n", nlohmann::json(json()).dump(2));
    has_printed_json = true;
  } else {
    fmt::print("{}", options.quiet ? wrong() : text());
  }
}
template <class Json, class Text>
void print_result(const CommonOptions& options, Json&& json, Text&& text) {
  print_result(options, json, text, [] { return std::string(); });
}

/// `what` of that log, such as "its figures are", is not to be trusted.
inline void warn_of_damage(const std::string& log, const std::string& damage, const char* what) {
  const std::string words =
      fmt::format("{}: {}; {} not to be trusted (see `somnus check`)", log, damage, what);
  spdlog::warn("{}", wrapped(words, 8));
}

}  // namespace somnus
