#include "formats/table_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/given_parameters.hpp"
#include "formats/csv_options.hpp"
#include "formats/formats.hpp"
#include "formats/table_jobs.hpp"

namespace somnus {
namespace {

/// More of them than that are no exception.
constexpr double most_broken_share = 0.05;

void read_rows(const TableSample& sample, TableJobs& jobs) {
  if (!jobs.begin(columns_of(sample), sample.line)) return;
  TableRecord record;
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    record.line = sample.lines[row];
    record.cells.clear();
    for (const std::vector<std::string>& cells : sample.columns) {
      record.cells.push_back({.text = cells[row], .line = record.line});
    }
    jobs.read(record);
  }
  for (const auto& [line, cells] : sample.uneven) {
    record.line = line;
    record.cells.assign(cells, {.text = {}, .line = line});
    jobs.read(record);
  }
}

double longest_of(const JobSpec& job) {
  double longest_s = 0;
  for (const StageSpec& stage : job.stages) {
    if (stage.durations.empty()) continue;
    longest_s = std::max(longest_s, std::ranges::max(stage.durations));
  }
  return longest_s;
}

}  // namespace

TableCheck check_table(const TableSample& sample, const std::string& file,
                       const Parameters& parameters) {
  TableCheck check;
  auto options = options_of<CsvOptions>(numbers_as_texts(parameters));
  if (!options.skip_broken) return check;
  options.skip_broken = false;  // so that it says which
  TableJobs jobs(file, options);
  read_rows(sample, jobs);
  std::size_t most = 0;
  for (const MistakeCollector::Cause& cause : jobs.mistakes().causes()) {
    most = std::max(most, cause.count);
    check.left_out.push_back(fmt::format("{}: {}: {}, line {}", cause.count, cause.first.key,
                                         cause.first.what, cause.first.location.line));
  }
  if (static_cast<double>(most) > most_broken_share * static_cast<double>(sample.rows())) {
    check.warnings.push_back(
        fmt::format("{} of the first {} rows are left out for one cause: what remains is another "
                    "workload",
                    most, sample.rows()));
  }
  return check;
}

// What was not given is a constant here, with which nothing is wrong.
std::optional<Mistakes> check_given(const TableSample& sample, const std::string& file,
                                    const Parameters& given) {
  auto options = options_of<CsvOptions>(numbers_as_texts(given));
  for (std::string* const needed :
       {&options.submit, &options.duration, &options.job, &options.stage}) {
    if (needed->empty()) *needed = "=0";
  }
  options.rows = TableRows::task;
  TableJobs jobs(file, options);
  if (jobs.begin(columns_of(sample), sample.line)) return std::nullopt;
  return std::move(jobs.mistakes()).take();
}

std::vector<std::string> doubts_about(const WorkloadSpec& workload) {
  std::size_t limited = 0;
  std::size_t longer = 0;
  for (const JobSpec& job : workload.jobs) {
    if (!(job.limit > 0)) continue;
    ++limited;
    longer += longest_of(job) > job.limit ? 1 : 0;
  }
  if (2 * longer <= limited || limited == 0) return {};
  return {
      fmt::format("{} of {} jobs with a limit run longer than it, and would be killed: is the "
                  "limit in another unit, such as minutes (limit = \"COLUMN*60\")?",
                  longer, limited)};
}

}  // namespace somnus
