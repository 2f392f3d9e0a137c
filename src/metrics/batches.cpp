#include "metrics/batches.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "metrics/responses.hpp"
#include "metrics/transient.hpp"

namespace somnus {
namespace {

using Places = std::span<const std::size_t>;

std::vector<JobRow> jobs_at(const std::vector<JobRow>& jobs, Places places) {
  std::vector<JobRow> some;
  for (const std::size_t at : places) some.push_back(jobs[at]);
  return some;
}

void add_waits(const JobWaits& waits, Places places, Summary& summary) {
  GangSummary measured;
  waits.measure(places, measured);
  measured.wait_max_s = NAN;  // of a batch it is nothing that a mean over batches says
  static_cast<GangSummary&>(summary) = measured;
}

}  // namespace

Checked<std::vector<Summary>> batches_of(const Log& log, const Truncation& truncation,
                                         std::uint32_t batches) {
  const std::vector<std::size_t> counted = places_without_transient(log.tables.jobs, truncation);
  const std::size_t size = counted.size() / batches;
  if (size < least_jobs_of_batch) {
    return mistake({.key = "experiment.batches",
                    .what = fmt::format("{} batches need {} jobs at least, {} are left{}", batches,
                                        least_jobs_of_batch * batches, counted.size(),
                                        truncation.any() ? " without the transient" : ""),
                    .hint = "take a longer workload, or fewer batches"});
  }
  std::optional<JobWaits> waits;
  if (!log.tables.gangs.empty()) waits.emplace(log);
  std::vector<Summary> all(batches);
  Places rest = Places(counted).subspan(counted.size() - size * batches);
  for (Summary& batch : all) {
    const Places places = rest.first(size);
    rest = rest.subspan(size);
    measure_responses(jobs_at(log.tables.jobs, places), batch);
    if (waits) add_waits(*waits, places, batch);
  }
  return all;
}

}  // namespace somnus
