// One task a row, under a first row that names the columns:
//     job, user, queue, submit [s], stage, parents, duration [s]
// and where they are not the default app, weight and estimate [slot-s], and for each kind of demand
// demand.KIND. Parents have blanks between. Not for divisible stages and jobs that follow others.
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "formats/export_check.hpp"
#include "formats/exports.hpp"
#include "text/csv_cell.hpp"

namespace somnus::export_csv {
namespace {

class CsvWriter {
 public:
  explicit CsvWriter(const WorkloadSpec& workload) : workload_(workload) {
    const auto any = [&](auto has) { return std::ranges::any_of(workload.jobs, has); };
    accounting_ = any(has_accounting);
    apps_ = any([](const JobSpec& job) { return !job.app.empty(); });
    weights_ = any([](const JobSpec& job) { return job.weight != 1; });
    estimates_ = any([](const JobSpec& job) { return job.estimate > 0; });
    limits_ = any([](const JobSpec& job) { return job.limit > 0; });
  }

  std::string operator()() && {
    put("job,user,queue,submit,stage,parents,duration");
    if (accounting_) put(",account,qos,nice");
    if (apps_) put(",app");
    if (weights_) put(",weight");
    if (estimates_) put(",estimate");
    if (limits_) put(",limit");
    for (const std::string& kind : workload_.resources) put(",{}", csv_cell("demand." + kind));
    put("\n");
    for (const JobSpec& job : workload_.jobs) {
      for (const StageSpec& stage : job.stages) put_stage(job, stage);
    }
    return fmt::to_string(text_);
  }

 private:
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  // All of a row but the duration is the same for the stage's tasks.
  void put_stage(const JobSpec& job, const StageSpec& stage) {
    const std::string front =
        fmt::format("{},{},{},{},{},{},", csv_cell(job.job), csv_cell(job.user),
                    csv_cell(job.queue), job.submit, stage.stage, fmt::join(stage.parents, " "));
    std::string back;
    if (accounting_) {
      back += fmt::format(",{},{},{}", csv_cell(job.account), csv_cell(job.qos), job.nice);
    }
    if (apps_) back += ',' + csv_cell(job.app);
    if (weights_) back += fmt::format(",{}", job.weight);
    if (estimates_) back += job.estimate > 0 ? fmt::format(",{}", job.estimate) : ",";
    if (limits_) back += job.limit > 0 ? fmt::format(",{}", job.limit) : ",";
    for (std::size_t kind = 0; kind < workload_.resources.size(); ++kind) {
      back += fmt::format(",{}", kind < stage.demand.size() ? stage.demand[kind] : 0);
    }
    for (const double duration : stage.durations) put("{}{}{}\n", front, duration, back);
  }

  const WorkloadSpec& workload_;
  bool accounting_ = false;
  bool apps_ = false;
  bool weights_ = false;
  bool estimates_ = false;
  bool limits_ = false;
  fmt::memory_buffer text_;
};

Checked<Exported> write(const WorkloadSpec& workload, const std::string& file) {
  MistakeCollector report(file);
  for (const JobSpec& job : workload.jobs) {
    refuse_divisible(report, job);
    refuse_following(report, job);
  }
  if (report.any()) return tl::unexpected(std::move(report).take());
  auto lost = lost_without(workload, {Feature::names, Feature::users, Feature::queues,
                                      Feature::accounting, Feature::apps, Feature::weights,
                                      Feature::estimates, Feature::limits, Feature::demands});
  if (!workload.users.empty()) lost.insert(lost.begin(), "weights of users");
  return Exported{.text = CsvWriter(workload)(), .lost = std::move(lost)};
}

const Registered<Export> row =
    Export{.name = "csv",
           .summary = "a table, one task a row, with its job, stage and parents",
           .write = write};

}  // namespace
}  // namespace somnus::export_csv
