#include "policies/srpt.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> srpt_order =
    rows::order<Srpt>("srpt", "least remaining work first", "CFQ section V")
        .with_examples({{{"level", "stage"}}, {{"subtract", "own"}}});
const Registered<Preset> srpt_preset = presets_of::spark(
    "srpt", "shortest remaining processing time, non-preemptive", "CFQ section V");

}  // namespace
}  // namespace somnus
