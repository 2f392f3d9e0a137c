#include "workload/spark_chain.hpp"

namespace somnus {

void add_chain(JobSpec& job, const SparkChain& chain) {
  const auto first = static_cast<std::uint32_t>(job.stages.size());
  StageSpec compute{.stage = first + 1, .parents = {first}};
  if (chain.work_s > 0) {
    compute.work = chain.work_s;
    compute.skew = chain.skew;
  } else {
    compute.durations = {0};
  }
  job.stages.push_back({.stage = first, .durations = {chain.load_s}});
  job.stages.push_back(std::move(compute));
  job.stages.push_back(
      {.stage = first + 2, .parents = {first + 1}, .durations = {chain.collect_s}});
}

}  // namespace somnus
