// Several nodes may report in one instant, and which rank's packet comes first is chance: it
// depends on how nodes are divided over ranks. So messages are handled in one order: of each kind
// by when they were due, then by node, then as the node sent them.
#pragma once

#include <algorithm>
#include <vector>

#include "model/message.hpp"

namespace somnus {

inline void put_in_order(Reports& reports) {
  reports.for_each([]<NodeMessage Report>(std::vector<Report>& of_kind) {
    const auto earlier = [](const Report& a, const Report& b) {
      return a.due != b.due ? a.due < b.due : a.node < b.node;
    };
    if (!std::ranges::is_sorted(of_kind, earlier)) std::ranges::stable_sort(of_kind, earlier);
  });
}

}  // namespace somnus
