#include "policies/strict_drf.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> strict_drf_order = rows::own_order<StrictDrf>(
    "drf-strict", "DRF's order, but no job beyond its share by the closed form",
    "Parkes et al., EC 2012; Carbyne section 2");
const Registered<Preset> strict_drf_preset = presets_of::breadth_first(
    "drf-strict", "DRF with strict quotas by the closed form, not work-conserving",
    "Carbyne sections 2 and 3");

}  // namespace
}  // namespace somnus
