#include "generators/uwfq_job.hpp"

#include <fmt/format.h>

#include "workload/rounding.hpp"
#include "workload/spark_chain.hpp"

namespace somnus {

JobSpec uwfq_job(const UwfqJobs& with, const std::string& user, std::size_t number, double submit) {
  SparkChain chain{.load_s = to_millionths(with.load_s + with.latency_s),
                   .work_s = with.work_s,
                   .collect_s = with.collect_s};
  if (with.skew != 1) {
    chain.skew.assign(uwfq_slots, 1);
    chain.skew.front() = with.skew;
  }
  JobSpec job{.job = fmt::format("{}-{}", user, number), .user = user, .submit = submit};
  if (with.estimate_factor != 1)
    job.estimate = to_millionths(with.estimate_factor * chain.slot_time());
  add_chain(job, chain);
  return job;
}

}  // namespace somnus
