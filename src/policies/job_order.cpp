#include "policies/job_order.hpp"

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> job_queue_order =
    rows::order<JobQueue>("job-queue",
                          "one queue of jobs in an order of choice, starved ones first",
                          "Yaq section 4.1, Algorithm 3")
        .with_examples({{{"by", "srjf"}, {"starvation_s", 2.05}},
                        {{"by", "lrtf"}, {"starvation_relative", 1.55}},
                        {{"by", "sjf"}, {"starvation_relative", 1.0}}});

}  // namespace
}  // namespace somnus
