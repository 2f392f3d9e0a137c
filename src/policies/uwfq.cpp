#include "policies/uwfq.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

constexpr const char* note_on_uwfq =
    "The published chain can break the paper's bound on how much later than in UJF a job ends, 2 "
    "l_max + L_max / R: a user's shorter job that overtakes its longer ones gets too early a "
    "deadline, and another user's job is late by 1.56 times the bound in a small example. chain = "
    "\"exact2lv\" starts from what two-level virtual time has left of each job, and stays inside "
    "the bound on that example and all random ones with one other user; with several others "
    "neither chain does (1.8 times with two).";

const Registered<Part> uwfq_order =
    rows::order<Uwfq>("uwfq", "the job that would end first under two-level virtual time",
                      "UWFQ section IV", note_on_uwfq)
        .with_examples({{{"chain", "exact2lv"}},
                        {{"weight_mode", "paper-scalar"}},
                        {{"weight_mode", "paper-scalar"}, {"chain", "exact2lv"}},
                        {{"late_stage", "zero"}},
                        {{"grace_s", 0.0}}});
const Registered<Preset> uwfq_preset = presets_of::spark(
    "uwfq", "User Weighted Fair Queuing: fair to users, and inside a user one job after the other",
    "UWFQ section IV");
const Registered<Preset> uwfq_p_preset = presets_of::partitioned("uwfq", "UWFQ section V");

}  // namespace
}  // namespace somnus
