#include "policies/ujf.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> ujf_order =
    rows::order<Ujf>("ujf", "fewest running tasks for its weight first, among users, then inside",
                     "UWFQ section III")
        .with_examples({{{"level", "job"}, {"resort_per_task", false}}});
const Registered<Preset> ujf_preset =
    presets_of::spark("ujf", "user-job fairness: Spark's fair scheduler with a pool for each user",
                      "UWFQ section III");
const Registered<Preset> ujf_p_preset = presets_of::partitioned("ujf", "UWFQ section V");

}  // namespace
}  // namespace somnus
