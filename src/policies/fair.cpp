#include "policies/fair.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> fair_order =
    rows::order<Fair>("fair", "fewest running tasks for its weight first", "Spark; CFQ section V")
        .with_examples({{{"level", "stage"}}, {{"min_share", 2.0}, {"resort_per_task", false}}});
const Registered<Preset> fair_preset =
    presets_of::spark("fair", "Spark's fair scheduler over jobs", "CFQ section V");
const Registered<Preset> fair_p_preset = presets_of::partitioned("fair", "UWFQ section V");

}  // namespace
}  // namespace somnus
