// The UWFQ paper's windows of the Google trace (macro_benchmarks_*.csv, one row a task). A
// workflow is a job. A row that asked for a share a of the largest machine for r seconds is a
// sub-job of r * a * scale core-seconds (policies: 3.9). With `chain` it becomes what the paper's
// Spark ran, a SparkChain of that much work, beside the job's others; else a one-slot task of that
// many seconds in the job's one stage. Users are user_1, user_2, ... in the order of their first
// rows, as the authors number them: also users whose jobs are all left out have a number.
#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "formats/formats.hpp"
#include "text/cells.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "workload/check.hpp"
#include "workload/rounding.hpp"
#include "workload/spark_chain.hpp"

namespace somnus::import_google_uwfq {
namespace {

struct GoogleUwfqOptions {
  double scale = 20;
  double filter = 5;
  bool chain = true;
  double load_s = 0.1;
  double collect_s = 0.02;
  bool name_users = true;
  double estimate_factor = 1;

  static constexpr auto fields() {
    using O = GoogleUwfqOptions;
    constexpr Range time{.low = 0, .high = 1e5};
    return in_order(
        field("scale", &O::scale, "1",
              "core-seconds a core-second of the trace; the paper's 20, 2 for hetero",
              Range{.low = 1e-6, .high = 1e6}),
        field("filter", &O::filter, "1",
              "jobs of that many times the median work are left out; 0: none is; the paper's text "
              "says 10, its runs had 5",
              Range{.low = 0, .high = 1e9}),
        field("chain", &O::chain, "",
              "true: a row is a chain load, divisible work, collect; false: a task"),
        field("load_s", &O::load_s, "s", "the one task before each chain's work", time),
        field("collect_s", &O::collect_s, "s", "the one task after it", time),
        field("name_users", &O::name_users, "",
              "true: users are user_1, user_2, ... by first row; false: hashes"),
        field("estimate_factor", &O::estimate_factor, "1",
              "a job's estimate is that many times its slot-time; 1: none is given; what the "
              "authors' estimator said came to about 3.6",
              Range{.low = 1e-6, .high = 1e3}));
  }
};

enum UwfqColumn : std::size_t {
  uwfq_workflow,
  uwfq_submit_ms,
  uwfq_runtime_ms,
  uwfq_share,
  uwfq_user,
  uwfq_columns
};
constexpr std::array<std::string_view, uwfq_columns> uwfq_names = {
    "workflow_id", "ts_submit", "runtime", "resource_amount_requested", "user_id"};

class GoogleUwfqReader {
 public:
  GoogleUwfqReader(const TextFile& file, const GoogleUwfqOptions& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) {
      if (line.empty()) return;
      const auto cells = cells_of(line);
      if (width_ == 0) {
        read_header(cells, number);
      } else if (header_is_fine_) {
        read_task(cells, number);
      }
    });
    if (width_ == 0) mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    if (header_is_fine_ && jobs_.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "", "expected at least one task, found only the first line");
    }
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    return finish();
  }

 private:
  struct DraftJob {
    int line;
    std::int64_t submit_ms;
    JobSpec job;
    std::vector<double> works;  // of the rows, core-seconds

    [[nodiscard]] double work_s() const { return std::accumulate(works.begin(), works.end(), 0.0); }
  };

  void read_header(const std::vector<Cell>& cells, int number) {
    width_ = cells.size();
    header_is_fine_ = find_columns(
        cells, number, uwfq_names, [](std::size_t) { return false; }, place_, mistakes_);
  }

  void read_task(const std::vector<Cell>& cells, int number) {
    if (cells.size() != width_) {
      mistakes_.add(number, 0, "",
                    fmt::format("expected {} cells, found {}", width_, cells.size()));
      return;
    }
    const auto wrong = [&](UwfqColumn column, std::string what) {
      mistakes_.add(number, cells[place_[column]].column, std::string(uwfq_names[column]),
                    std::move(what));
    };
    const auto text = [&](UwfqColumn column) { return cells[place_[column]].text; };
    const auto refuse = [&](UwfqColumn column, std::string_view what) {
      wrong(column, fmt::format("expected {}, found '{}'", what, text(column)));
    };

    const auto at_ms = parse_number<std::int64_t>(text(uwfq_submit_ms));
    if (!at_ms) refuse(uwfq_submit_ms, "a whole number of milliseconds");
    const auto run_ms = parse_number<double>(text(uwfq_runtime_ms));
    const bool run_is_fine = run_ms && *run_ms >= 0;
    if (!run_is_fine) refuse(uwfq_runtime_ms, "milliseconds, 0 or more");
    const auto amount = parse_number<double>(text(uwfq_share));
    const bool amount_is_fine = amount && *amount >= 0;
    if (!amount_is_fine) refuse(uwfq_share, "a number, 0 or more");
    if (text(uwfq_workflow).empty()) refuse(uwfq_workflow, "a name");
    if (text(uwfq_user).empty()) refuse(uwfq_user, "a name");
    if (!at_ms || !run_is_fine || !amount_is_fine) return;

    const double duration = *run_ms / 1000 * *amount * options_.scale;
    if (!is_workload_time(duration)) {
      wrong(uwfq_runtime_ms, not_a_time(duration) + " of work");
      return;
    }
    const auto [known, is_new] =
        index_of_.try_emplace(std::string(text(uwfq_workflow)), jobs_.size());
    if (is_new) {
      jobs_.push_back(
          {number, *at_ms, JobSpec{.job = known->first, .user = std::string(text(uwfq_user))}, {}});
      number_of_.try_emplace(std::string(text(uwfq_user)), number_of_.size() + 1);
    }
    DraftJob& draft = jobs_[known->second];
    if (*at_ms != draft.submit_ms) refuse(uwfq_submit_ms, same_as_before(draft));
    if (text(uwfq_user) != draft.job.user) refuse(uwfq_user, same_as_before(draft));
    draft.works.push_back(duration);
  }

  static std::string same_as_before(const DraftJob& draft) {
    return fmt::format("the same as for workflow {} in line {}", draft.job.job, draft.line);
  }

  Checked<WorkloadSpec> finish() {
    if (options_.filter > 0) {
      const double limit = options_.filter * median_work();
      std::erase_if(jobs_, [&](const DraftJob& draft) { return draft.work_s() >= limit; });
    }
    std::ranges::stable_sort(jobs_, {}, &DraftJob::submit_ms);
    WorkloadSpec workload{.name = std::filesystem::path(file_.name()).filename().string()};
    for (DraftJob& draft : jobs_) {
      draft.job.submit = static_cast<double>(draft.submit_ms - jobs_.front().submit_ms) / 1000;
      if (options_.name_users) draft.job.user = fmt::format("user_{}", number_of_[draft.job.user]);
      const double slot_time = add_stages(draft);
      if (options_.estimate_factor != 1) {
        draft.job.estimate = to_millionths(options_.estimate_factor * slot_time);
      }
      workload.jobs.push_back(std::move(draft.job));
    }
    return check_workload(std::move(workload), {.file = file_.name()});
  }

  // Returns their slot-time.
  double add_stages(DraftJob& draft) const {
    if (!options_.chain) {
      const double work = draft.work_s();
      draft.job.stages = {{.durations = std::move(draft.works)}};
      return work;
    }
    double slot_time = 0;
    for (const double work : draft.works) {
      const SparkChain chain{
          .load_s = options_.load_s, .work_s = work, .skew = {}, .collect_s = options_.collect_s};
      add_chain(draft.job, chain);
      slot_time += chain.slot_time();
    }
    return slot_time;
  }

  [[nodiscard]] double median_work() const {
    std::vector<double> work;
    work.reserve(jobs_.size());
    for (const DraftJob& draft : jobs_) work.push_back(draft.work_s());
    std::ranges::sort(work);
    return std::midpoint(work[(work.size() - 1) / 2], work[work.size() / 2]);
  }

  const TextFile& file_;
  GoogleUwfqOptions options_;
  MistakeCollector mistakes_;
  std::size_t width_ = 0;  // columns of the first line
  bool header_is_fine_ = false;
  std::array<std::size_t, uwfq_columns> place_{};
  std::vector<DraftJob> jobs_;
  std::unordered_map<std::string, std::size_t> index_of_;   // by workflow
  std::unordered_map<std::string, std::size_t> number_of_;  // by user, from 1 on
};

const Registered<Format> row = format<GoogleUwfqReader, GoogleUwfqOptions>(
    "google-uwfq", "the UWFQ paper's windows of Google's trace: CSV, one sub-job a row", "",
    [](std::string_view text) { return text.starts_with("workflow_id,"); });

}  // namespace
}  // namespace somnus::import_google_uwfq
