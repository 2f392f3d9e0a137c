#include "policies/drf.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> drf_order =
    rows::order<Drf>("drf", "the job whose tasks hold the smallest dominant share for its weight",
                     "DRF, NSDI 2011; Carbyne section 2");
const Registered<Preset> drf_preset =
    presets_of::breadth_first("drf", "Dominant Resource Fairness by progressive filling",
                              "DRF, NSDI 2011; Carbyne section 5");

}  // namespace
}  // namespace somnus
