#include "model/offered_load.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace somnus {

std::string note_on_load(const OfferedLoad& load) {
  constexpr double rounding = 1e-3;
  const bool too_much = load.share > 1 + rounding && std::isfinite(load.share);
  if (!too_much) return {};
  return fmt::format(
      "OFFERED LOAD {:.3g}: work comes that many times as fast as the cluster's {} can do it, so "
      "jobs wait longer the later they come",
      load.share, load.kind);
}

LoadMeter::LoadMeter(const Cluster& cluster) : slots_(cluster.slot_count() > 0) {
  if (slots_) {
    Kind& kind = kinds_.emplace_back(Kind{.name = "slots"});
    for (const NodeGroup& group : cluster.groups) {
      kind.capacity += static_cast<double>(group.count) * group.slots / group.slowdown;
    }
  }
  for (std::size_t index = 0; index < cluster.resources.size(); ++index) {
    Kind& kind = kinds_.emplace_back(Kind{.name = cluster.resources[index]});
    for (const NodeGroup& group : cluster.groups) {
      kind.capacity += group.count * group.capacity.amount(index) / group.slowdown;
    }
  }
}

void LoadMeter::add(double slot_seconds, const Amounts& demand) {
  const std::size_t first = slots_ ? 1 : 0;
  if (slots_) kinds_.front().work += slot_seconds;
  for (std::size_t at = first; at < kinds_.size(); ++at) {
    kinds_[at].work += slot_seconds * demand[at - first];
  }
}

OfferedLoad LoadMeter::load(double first_submit, double last_submit, std::size_t jobs) const {
  OfferedLoad load;
  if (jobs == 0) return load;
  const double span_s = last_submit - first_submit;
  const auto count = static_cast<double>(jobs);
  const double whole_s = span_s * count / (count - 1);  // one mean interval more than there are
  for (const Kind& kind : kinds_) {
    if (kind.work <= 0) continue;
    const bool at_once = jobs == 1 || span_s <= 0;
    const double share = at_once || kind.capacity <= 0 ? std::numeric_limits<double>::infinity()
                                                       : kind.work / whole_s / kind.capacity;
    if (share > load.share) load = {.share = share, .kind = kind.name};
  }
  return load;
}

}  // namespace somnus
