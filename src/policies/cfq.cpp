#include "policies/cfq.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> cfq_order =
    rows::order<Cfq>("cfq", "the job that would end first under GPS", "CFQ section IV")
        .with_examples({{{"level", "stage"}}});
const Registered<Preset> cfq_preset = presets_of::spark(
    "cfq",
    "Cluster Fair Queueing: near SRPT's mean response time, with a bound on each job's delay",
    "CFQ section IV");
const Registered<Preset> cfq_p_preset = presets_of::partitioned("cfq", "UWFQ section V");

}  // namespace
}  // namespace somnus
