// The use of each kind of resources in a log, where these count, and which kind binds.
//
// A kind's share at an instant is the true demand of the tasks that run then, over the amount that
// all nodes have. Tasks run from the start to the end that their node measured, as in Summary's
// utilisation. The kind with the largest share binds: more tasks of the same sort would exceed it
// first.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/describe.hpp"
#include "log/log.hpp"

namespace somnus {

/// NaN where there is no makespan; of a kind that no node has, which never binds, all but
/// `binding`.
struct ResourceSummary {
  std::string resource;  // any bytes
  double utilisation = NAN;
  double utilisation_middle = NAN;
  double peak = NAN;
  double binding = NAN;

  static constexpr auto fields() {
    using R = ResourceSummary;
    return in_order(
        field("utilisation", &R::utilisation, "%", "in use, of all over the makespan"),
        field("utilisation_middle", &R::utilisation_middle, "%",
              "in use from 10 % to 90 % of the makespan"),
        field("peak", &R::peak, "%", "most that was in use at any instant"),
        field("binding", &R::binding, "%",
              "part of the makespan in which no other kind had a larger share in use; of equal "
              "ones the first binds"));
  }
};

/// In the order of the cluster's kinds; empty where only slots count. n tasks and k kinds take
/// O(n (log n + k)).
[[nodiscard]] std::vector<ResourceSummary> resources_of(const Log& log);

}  // namespace somnus
