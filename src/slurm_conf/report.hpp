// What is wrong with a slurm.conf, and what of it no config of Somnus says.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/value.hpp"
#include "slurm_conf/site.hpp"
#include "slurm_conf/statements.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"

namespace somnus::slurm_conf {

struct Report {
  MistakeCollector mistakes;
  std::vector<Missing> missing;

  void wrong(const Setting& setting, const std::string& expected) {
    mistakes.add(setting.line, setting.column, setting.key,
                 fmt::format("expected {}, found {}", expected, in_quotes(setting.value)));
  }
  void misses(const Setting& setting, std::string why) {
    misses(setting, setting.value, std::move(why));
  }
  /// A part of the setting's value.
  void misses(const Setting& setting, const std::string& part, std::string why) {
    missing.push_back({.line = setting.line,
                       .setting = fmt::format("{}={}", setting.key, part),
                       .why = std::move(why)});
  }
  /// From 0 to a thousand million; a mistake if it is none, and 0.
  [[nodiscard]] double number(const Setting& setting) {
    const auto number = parse_number<std::uint32_t>(setting.value);
    if (number && *number <= 1'000'000'000) return *number;
    wrong(setting, "a number from 0 to 1000000000");
    return 0;
  }
};

}  // namespace somnus::slurm_conf
