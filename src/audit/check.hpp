// Audits a log: the laws that every run keeps, whatever its policy, each with the first row that
// breaks it. What does not follow from a log (it was cut off, or its clocks are uncertain) is not
// held against it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "log/log.hpp"

namespace somnus {

struct Finding {
  std::string invariant;       // a sentence, e.g. "no two attempts share a slot"
  std::uint64_t checked = 0;   // things that it was asked of
  std::uint64_t offences = 0;  // and those that break it
  std::string first;           // the first of these: row number and values
  bool asserted = true;        // false: reported only
  std::string note;            // what helps to read it: a tolerance, a margin; may be empty
};

/// Invariants that make no sense for this log are left out; so are most if rows point at rows that
/// do not exist.
[[nodiscard]] std::vector<Finding> check_log(const Log& log);

/// No asserted invariant is broken.
[[nodiscard]] bool passed(std::span<const Finding> findings);
/// One line an invariant.
[[nodiscard]] std::string to_text(std::span<const Finding> findings);
/// One line: whether the log is sound.
[[nodiscard]] std::string verdict(std::span<const Finding> findings);
[[nodiscard]] nlohmann::json to_json(std::span<const Finding> findings);

}  // namespace somnus
