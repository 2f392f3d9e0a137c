// Lists of what may be chosen, for messages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scheduler/registry.hpp"

namespace somnus {

/// `"a", "b" or "c"`, as TOML.
[[nodiscard]] std::string either(std::vector<std::string> names);
/// The same, of the parts of that kind that are like that.
[[nodiscard]] std::string parts_that(PartKind kind, const std::function<bool(const Part&)>& like);
/// What chooses the part, in TOML: `scheduler.order = "cfq"`. Of a whole policy, the presets that
/// have it.
[[nodiscard]] std::string what_chooses(const Part& part);
/// Of the queues at nodes.
[[nodiscard]] std::string queues_that_hold_tasks();

}  // namespace somnus
