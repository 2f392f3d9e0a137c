#include <fmt/format.h>

#include "config/tables.hpp"

namespace somnus {

void check_faults(ValueReader& reader, const FaultSettings& faults, std::uint32_t nodes) {
  if (faults.missed_heartbeats == 1) {
    reader.add_error(
        {.path = "faults.missed_heartbeats",
         .what = "expected 0 or at least 2, found 1",
         .hint = "a heartbeat that takes a little longer than the last one would be missed"});
  }
  const double not_in_time = faults.heartbeat_loss_probability + faults.heartbeat_late_probability;
  if (not_in_time > 1) {
    reader.add_error({.path = "faults.heartbeat_late_probability",
                      .what = fmt::format("expected at most 1 together with "
                                          "faults.heartbeat_loss_probability, found {}",
                                          not_in_time)});
  }
  for (std::size_t index = 0; index < faults.events.size(); ++index) {
    const FaultEvent& event = faults.events[index];
    const std::string path = fmt::format("faults.event[{}]", index);
    if (nodes > 0 && event.node >= nodes && !reader.blamed(path + ".node")) {
      reader.add_error(
          {.path = path + ".node",
           .what = fmt::format("expected a node from 0 to {}, found {}", nodes - 1, event.node)});
    }
    if (event.kind != FaultKind::node_returned || event.for_s == 0) continue;
    reader.add_error({.path = path + ".for_s",
                      .what = "ignored with kind = \"node-returned\"",
                      .hint = "it says how long a node is lost or cut off",
                      .at = ValueError::At::key});
  }
}

void check_speculation(ValueReader& reader, const SpeculationSettings& speculation) {
  if (speculation.slowdown == 0 || speculation.slowdown >= 1) return;
  reader.add_error({.path = "speculation.slowdown",
                    .what = fmt::format("expected 0 or at least 1, found {}", speculation.slowdown),
                    .hint = "half of all attempts take longer than the median"});
}

}  // namespace somnus
