#include "policies/sjf.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> sjf_order =
    rows::order<Sjf>("sjf", "the job with the shortest critical path", "Carbyne section 5")
        .with_examples({{{"metric", "remaining-cpm"}}, {{"metric", "srtf"}}});
const Registered<Preset> sjf_preset =
    presets_of::breadth_first("sjf", "shortest job first, by critical path", "Carbyne section 5");

}  // namespace
}  // namespace somnus
