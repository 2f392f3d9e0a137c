// The jobs of the UWFQ paper's two scenarios. In each scenario all jobs are alike.
#pragma once

#include <cstddef>
#include <string>

#include "base/describe.hpp"
#include "model/workload.hpp"

namespace somnus {

/// The paper's cluster; also into how many equal shares `skew` divides the input.
inline constexpr std::size_t uwfq_slots = 32;

/// What their jobs have of parameters; each scenario has defaults of its own for the first two.
struct UwfqJobs {
  double work_s = 0;
  double latency_s = 0;
  double load_s = 0.1;
  double collect_s = 0.02;
  double skew = 1;
  double estimate_factor = 1;

  static constexpr auto fields() {
    using P = UwfqJobs;
    constexpr Range time{.low = 0, .high = 1e5};
    return in_order(
        field("work_s", &P::work_s, "slot-s", "divisible work of a job's compute stage",
              Range{.low = 1e-6, .high = 1e6}),
        field("latency_s", &P::latency_s, "s", "fixed latency of a job, spent in its load stage",
              time),
        field("load_s", &P::load_s, "s", "the one task of the load stage, beside latency_s", time),
        field("collect_s", &P::collect_s, "s", "the one task of the collect stage", time),
        field("skew", &P::skew, "1",
              "one of 32 equal shares of the input costs that many times as much as each other; "
              "Fig. 3: 5",
              Range{.low = 1, .high = 1e6}),
        field("estimate_factor", &P::estimate_factor, "1",
              "a job's estimate is that many times its slot-time; 1: none is given; the authors' "
              "is 1.08 in scenario 1 and 0.133 in scenario 2",
              Range{.low = 1e-6, .high = 1e3}));
  }
};

/// The job "USER-NUMBER".
[[nodiscard]] JobSpec uwfq_job(const UwfqJobs& with, const std::string& user, std::size_t number,
                               double submit);

}  // namespace somnus
