// The .tr format of Sparrow, Hawk and Eagle, one job a line: submit n mean d_1 ... d_n, seconds.
// Only jobs of one stage, whose tasks are known.
#include <iterator>
#include <numeric>

#include "formats/export_check.hpp"
#include "formats/exports.hpp"

namespace somnus::export_tr {
namespace {

Checked<Exported> write(const WorkloadSpec& workload, const std::string& file) {
  MistakeCollector report(file);
  for (const JobSpec& job : workload.jobs) {
    if (job.stages.size() > 1) {
      refuse_job(report, job, fmt::format("expected one stage, found {}", job.stages.size()));
    }
    refuse_divisible(report, job);
    refuse_following(report, job);
  }
  if (report.any()) return tl::unexpected(std::move(report).take());
  fmt::memory_buffer text;
  for (const JobSpec& job : workload.jobs) {
    const auto& durations = job.stages.front().durations;
    const double sum = std::accumulate(durations.begin(), durations.end(), 0.0);
    fmt::format_to(std::back_inserter(text), "{} {} {}", job.submit, durations.size(),
                   sum / static_cast<double>(durations.size()));
    for (const double duration : durations) {
      fmt::format_to(std::back_inserter(text), " {}", duration);
    }
    text.push_back('\n');
  }
  std::vector<Feature> kept;  // lines are named by their numbers
  bool numbered = true;
  for (std::size_t at = 0; at < workload.jobs.size(); ++at) {
    numbered = numbered && workload.jobs[at].job == std::to_string(at);
  }
  if (numbered) kept.push_back(Feature::names);
  return Exported{.text = fmt::to_string(text), .lost = lost_without(workload, kept)};
}

const Registered<Export> row = Export{
    .name = "tr", .summary = "Sparrow, Hawk, Eagle: one job of one stage a line", .write = write};

}  // namespace
}  // namespace somnus::export_tr
