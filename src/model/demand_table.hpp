// The different demands of tasks, as the scheduler got them. Like jobs have the same
// demands, so there are few, and a result for one (is there a node with room?) holds for all stages
// that have it.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "model/resources.hpp"

namespace somnus {

/// Of one task.
struct Demand {
  DemandId id;
  Resources amounts;
};

class DemandTable {
 public:
  /// Number 0 asks for nothing, as all tasks do where only slots count.
  DemandTable() { (void)add({}); }

  /// The number of those that ask for just this.
  DemandId add(const Resources& amounts) {
    const auto [found, is_new] = ids_.try_emplace(amounts, DemandId(demands_.size()));
    if (is_new) demands_.push_back({.id = found->second, .amounts = amounts});
    return found->second;
  }
  [[nodiscard]] const Demand& operator[](DemandId id) const { return demands_[id.index()]; }

 private:
  struct Hash {
    std::size_t operator()(const Resources& amounts) const {
      std::size_t hash = 0;
      for (std::size_t kind = 0; kind < most_resource_kinds; ++kind) {
        const std::int64_t amount = amounts.millionths(kind);
        hash = (hash ^ static_cast<std::size_t>(amount)) * 0x9E3779B97F4A7C15U;
      }
      return hash;
    }
  };
  std::vector<Demand> demands_;
  std::unordered_map<Resources, DemandId, Hash> ids_;
};

}  // namespace somnus
