// [limits]: for how long jobs may run.
#pragma once

#include <utility>

#include "base/describe.hpp"
#include "base/time.hpp"

namespace somnus {

/// Where limits come from.
enum class LimitModel { given, none, factor, rounded };
template <>
struct EnumNames<LimitModel> {
  static constexpr std::pair<LimitModel, const char*> names[] = {{LimitModel::given, "given"},
                                                                 {LimitModel::none, "none"},
                                                                 {LimitModel::factor, "factor"},
                                                                 {LimitModel::rounded, "rounded"}};
};

struct LimitSettings {
  LimitModel model = LimitModel::given;
  double factor = 1;
  double grace_s = 0;

  static constexpr auto fields() {
    using S = LimitSettings;
    return in_order(
        field("model", &S::model, "",
              "given: as the workload says; none: no job has one; factor: that many times what the "
              "job takes on idle slots; rounded: the same, up to what people ask for (5, 15, 30 "
              "min, 1, 2, 4, 8, 12, 18 h, days)"),
        field("factor", &S::factor, "1", "of what a job takes on as many slots as it can use",
              Range{.low = 1, .high = 1000}),
        field("grace_s", &S::grace_s, "s", "for which a job may run beyond its limit",
              Range{.low = 0, .high = longest_exact_seconds}));
  }
};

}  // namespace somnus
