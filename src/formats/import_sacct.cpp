// What Slurm's `sacct --parsable2` (or --parsable) writes: cells between bars, or what --delimiter
// said, under a first line that names the fields, in any order. It needs
//     JobID, Submit, ElapsedRaw or Elapsed or Start and End, AllocCPUS or NCPUS
// and takes the others in `names`. A job is one stage, with a task for each CPU that takes as long
// as the job ran; it is a gang, and has the time limit, unless rigid = false. Steps
// (JobID 17.batch) are skipped; each job of an array, 17_4, is one, and each component of a
// heterogeneous job, 17+1. A job comes when it was Eligible. Rows of one job are its runs
// (--duplicates): it comes with the first and takes as long as the last, because a simulation
// decides anew who is preempted. The workload's name says how many jobs and runs are left out.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "model/limits.hpp"
#include "text/cells.hpp"
#include "text/csv_records.hpp"
#include "text/date_time.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "text/time_span.hpp"
#include "workload/check.hpp"

namespace somnus::import_sacct {
namespace {

struct SacctOptions {
  bool skip_broken = false;
  bool estimates = true;
  bool rigid = true;
  std::map<std::string, double> partition_limit_s;
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    using O = SacctOptions;
    return in_order(
        field("skip_broken", &O::skip_broken, "",
              "true: jobs with a row that can't be used are left out; false: each is a mistake"),
        field("estimates", &O::estimates, "",
              "true: a job's estimate is its time limit x its CPUs, where it has one"),
        field("rigid", &O::rigid, "",
              "true: a job's tasks start together, hold their slots until all have ended, and are "
              "killed at its time limit; false: they start one by one, as slots come free"),
        field("partition_limit_s", &O::partition_limit_s, "s",
              "by partition, the limit of jobs whose own is Partition_Limit; 0: none",
              Range{.low = 0}),
        field("jobs", &O::jobs, "1", "the first so many by submit; 0: all",
              Range{.low = 0, .high = 1e9}));
  }
};

std::optional<DateTime> parse_instant(std::string_view text) {
  const auto since_1970 = parse_number<double>(text);  // SLURM_TIME_FORMAT=%s
  if (!since_1970) return parse_date_time(text);
  if (*since_1970 < 0 || *since_1970 > 9e9) return std::nullopt;
  return DateTime{.seconds = *since_1970, .has_zone = true};
}

bool is_no_instant(std::string_view text) {
  return text.empty() || text == "Unknown" || text == "None";
}

class SacctReader {
 public:
  SacctReader(const TextFile& file, const SacctOptions& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) {
      if (line.empty()) return;
      if (width_ == 0) separator_ = detected_separator(line);
      cells_ = cells_of(line, separator_);
      const bool has_bars = separator_ == '^';  // --delimiter='^|^'
      if (has_bars) std::erase_if(cells_, [](const Cell& cell) { return cell.text == "|"; });
      line_ = number;
      if (width_ == 0) {
        read_header();
      } else if (header_is_fine_) {
        read_row();
      }
    });
    if (width_ == 0) mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    put_runs_together();
    leave_out_unended();
    if (jobs_.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "", "expected at least one job that ran to its end, found none");
    }
    keep_first(jobs_, options_.jobs);
    report_doubles(jobs_, "JobID", mistakes_, "runs of a requeued job follow one another");
    const std::string name = workload_name(file_.name(), notes());  // before jobs_ has gone
    return workload_of(std::move(jobs_), {.name = name, .rigid = true}, std::move(mistakes_),
                       "sacct -S and -E ask for a part of the time");
  }

 private:
  enum Field : std::size_t {
    job_id,
    submit,
    eligible,
    start,
    end,
    elapsed_raw,
    elapsed,
    alloc_cpus,
    cpus,
    user,
    partition,
    account,
    qos,
    job_name,
    state,
    timelimit_raw,
    timelimit,
    node_list,
    fields
  };
  static constexpr std::array<std::string_view, fields> names = {
      "JobID",   "Submit",    "Eligible", "Start",        "End",       "ElapsedRaw",
      "Elapsed", "AllocCPUS", "NCPUS",    "User",         "Partition", "Account",
      "QOS",     "JobName",   "State",    "TimelimitRaw", "Timelimit", "NodeList"};

  void read_header() {
    width_ = cells_.size();
    if (width_ == 1) {
      mistakes_.add(line_, 0, "", "expected the names of fields with bars between, found none",
                    "sacct --parsable2 writes them so");
      return;
    }
    header_is_fine_ = find_columns(
        cells_, line_, names, [](std::size_t field) { return field > submit; }, place_, mistakes_);
    if (!has(elapsed_raw) && !has(elapsed) && !(has(start) && has(end))) {
      lacks("ElapsedRaw", ", or Elapsed, or Start and End");
    }
    if (!has(alloc_cpus) && !has(cpus)) lacks("AllocCPUS", " or NCPUS");
  }

  void lacks(std::string_view field, std::string_view others) {
    header_is_fine_ = false;
    mistakes_.add(line_, 0, std::string(field),
                  fmt::format("expected this column{}, found none", others));
  }

  [[nodiscard]] bool has(Field field) const { return place_[field] != absent_column; }
  [[nodiscard]] std::string_view text(Field field) const {
    return has(field) ? cells_[place_[field]].text : std::string_view();
  }

  void read_row() {
    if (cells_.size() != width_) {
      ++misshapen_;
      if (options_.skip_broken) return;
      mistakes_.add(line_, 0, "", fmt::format("expected {} cells, found {}", width_, cells_.size()),
                    "a cell may have a bar or a line end in it: sacct --delimiter='^|^' tells "
                    "bars apart; skip_broken = true leaves such rows out");
      return;
    }
    if (text(job_id).empty()) {
      refuse(job_id, "a job's number", "");
      return;
    }
    const std::string id(text(job_id));
    if (id.find('.') != std::string::npos) return;  // a step
    if (still_runs()) unended_.insert(id);
    if (never_started()) unstarted_.insert(id);
    if (still_runs() || never_started()) return;
    is_broken_ = false;
    const auto submit_s = instant(submit);
    if (!submit_s) refuse(submit, a_date);
    const auto eligible_s = is_no_instant(text(eligible)) ? 0 : instant(eligible);
    if (!eligible_s) refuse(eligible, a_date);
    const double held_s = std::max(eligible_s.value_or(0) - submit_s.value_or(0), 0.0);
    const double took_s = read_duration();
    const Field cpus_field = has(alloc_cpus) ? alloc_cpus : cpus;
    const auto tasks = parse_number<std::uint64_t>(text(cpus_field));
    if (!tasks || *tasks < 1 || *tasks > most_tasks) {
      refuse(cpus_field, fmt::format("a whole number from 1 to {}", most_tasks));
    }
    if (is_broken_) {
      broken_.insert(id);
      return;
    }
    const double limit = limit_s();
    components_ += id.find('+') != std::string::npos ? 1 : 0;
    const auto named = [&](Field field, std::string_view fallback) {
      return std::string(text(field).empty() ? fallback : text(field));
    };
    jobs_.push_back(
        {.line = line_,
         .column = cells_[place_[submit]].column,
         .name_column = cells_[place_[job_id]].column,
         .job = {.job = id,
                 .user = named(user, "default"),
                 .queue = named(partition, "default"),
                 .account = named(account, ""),
                 .qos = named(qos, ""),
                 .app = named(job_name, ""),
                 .submit = submit_s.value_or(0) + held_s,
                 .estimate = estimate_from(options_.estimates ? limit : 0, tasks.value_or(0)),
                 .limit = options_.rigid ? given_limit(limit, cut_limits_) : 0},
         .tasks = tasks.value_or(0),
         .duration_s = took_s,
         .gang = options_.rigid,
         .held_s = held_s});
    keep_first_soon(jobs_, options_.jobs, [&] { put_runs_together(); });
  }

  [[nodiscard]] bool is_state(std::initializer_list<std::string_view> words) const {
    return std::ranges::any_of(words, [&](auto word) { return text(state).starts_with(word); });
  }

  /// Old Slurm writes the cancellation as both start and end.
  [[nodiscard]] bool never_started() const {
    if ((has(start) && is_no_instant(text(start))) || is_state({"PENDING"})) return true;
    if (!text(node_list).empty()) return text(node_list) == "None assigned";
    const bool took_no_time = text(elapsed_raw) == "0" || text(elapsed) == "00:00:00" ||
                              (has(start) && text(start) == text(end));
    return took_no_time && is_state({"CANCELLED", "DEADLINE", "REVOKED"});
  }

  [[nodiscard]] bool still_runs() const {
    if (has(end)) return is_no_instant(text(end));
    return is_state({"PENDING", "RUNNING", "SUSPENDED"});
  }

  void put_runs_together() {
    std::unordered_map<std::string_view, LineJob*> job_of;
    for (LineJob& run : jobs_) {
      const auto [known, is_new] = job_of.try_emplace(run.job.job, &run);
      LineJob& job = *known->second;
      const bool is_another = !is_new && run.job.user == job.job.user &&
                              run.job.app == job.job.app &&
                              run.job.submit >= job.job.submit + job.duration_s;
      if (!is_another) continue;
      ++earlier_runs_;
      earlier_cpu_s_ += static_cast<double>(job.tasks) * job.duration_s;
      job.tasks = std::exchange(run.tasks, 0);
      job.duration_s = run.duration_s;
      job.job.queue = run.job.queue;
      job.job.estimate = run.job.estimate;
      job.job.limit = run.job.limit;
    }
    std::erase_if(jobs_, [](const LineJob& run) { return run.tasks == 0; });
  }

  /// A job that was cancelled while it waited for another run has ended.
  void leave_out_unended() {
    std::erase_if(jobs_, [&](const LineJob& run) {
      unstarted_.erase(run.job.job);
      return unended_.contains(run.job.job) || broken_.contains(run.job.job);
    });
    std::erase_if(unended_, [&](const std::string& id) { return unstarted_.contains(id); });
  }

  std::optional<double> instant(Field field) {
    const auto date = parse_instant(text(field));
    if (!date) return std::nullopt;
    const std::string expected = dates_.expected_instead(*date, line_);
    if (!expected.empty()) {
      refuse(field, expected, "write all dates of a file with the same sacct");
    }
    return date->seconds;
  }

  double read_duration() {
    if (has(elapsed_raw) || has(elapsed)) {
      const Field field = has(elapsed_raw) ? elapsed_raw : elapsed;
      const auto took_s =
          has(elapsed_raw) ? parse_number<double>(text(field)) : parse_slurm_span(text(field));
      if (took_s && is_workload_time(*took_s)) return *took_s;
      refuse(field,
             fmt::format("{} of {}", has(elapsed_raw) ? "seconds" : "[days-]hours:minutes:seconds",
                         a_time(took_s.value_or(0))));
      return 0;
    }
    const auto from_s = instant(start);
    const auto to_s = instant(end);
    if (!from_s) refuse(start, a_date);
    const double took_s = to_s.value_or(0) - from_s.value_or(0);
    if (!to_s || (from_s && !is_workload_time(took_s))) {
      refuse(end, fmt::format("a date, {} after the start", a_time(took_s)));
    }
    return took_s;
  }

  // 0 where the job had none.
  double limit_s() {
    if (text(timelimit_raw) == "Partition_Limit" || text(timelimit) == "Partition_Limit") {
      const auto known = options_.partition_limit_s.find(std::string(text(partition)));
      if (known != options_.partition_limit_s.end()) return known->second;
      ++without_limit_;
      return 0;
    }
    const auto minutes = parse_number<std::uint32_t>(text(timelimit_raw));
    return minutes ? *minutes * 60.0 : parse_slurm_span(text(timelimit)).value_or(0);
  }

  void refuse(Field field, std::string_view what, std::string_view hint = may_skip) {
    is_broken_ = true;
    if (options_.skip_broken && hint == may_skip) return;
    mistakes_.add(line_, cells_[place_[field]].column, std::string(names[field]),
                  fmt::format("expected {}, found '{}'", what, text(field)), std::string(hint));
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    const auto note = [&](std::string_view which, std::size_t count) {
      if (count > 0) notes.push_back(fmt::format("{}: {}", which, count));
    };
    note("jobs that never started left out", unstarted_.size());
    note("jobs that had not ended left out", unended_.size());
    note("broken jobs left out", broken_.size());
    note("rows with other numbers of cells left out", misshapen_);
    note(fmt::format("runs of requeued jobs before their last left out, {:.0f} CPU-s",
                     earlier_cpu_s_),
         earlier_runs_);
    std::size_t held = 0;
    double held_s = 0;
    for (const LineJob& line : jobs_) {
      held += line.held_s > 0 ? 1 : 0;
      held_s += line.held_s;
    }
    note(fmt::format("jobs with Eligible as submit, on average {:.0f} s after Submit",
                     held_s / static_cast<double>(std::max<std::size_t>(held, 1))),
         held);
    note("jobs without a limit, whose partition's is not in partition_limit_s", without_limit_);
    note("components of heterogeneous jobs, which started together, are jobs of their own",
         components_);
    note_cut_limits(cut_limits_, notes);
    return notes;
  }

  static constexpr std::string_view may_skip = "skip_broken = true leaves the job out";
  static constexpr const char* a_date = "a date, as in 2024-05-01T12:30:59";

  const TextFile& file_;
  SacctOptions options_;
  MistakeCollector mistakes_;
  char separator_ = '|';
  std::size_t width_ = 0;  // fields of the first line
  bool header_is_fine_ = false;
  std::array<std::size_t, fields> place_{};
  std::vector<Cell> cells_;  // of the line that is being read
  int line_ = 0;
  bool is_broken_ = false;
  DatesOfAFile dates_;
  std::unordered_set<std::string> unstarted_;  // by JobID
  std::unordered_set<std::string> unended_;
  std::unordered_set<std::string> broken_;
  std::size_t misshapen_ = 0;  // rows
  std::size_t earlier_runs_ = 0;
  double earlier_cpu_s_ = 0;
  std::size_t without_limit_ = 0;
  std::size_t components_ = 0;
  std::size_t cut_limits_ = 0;
  LineJobs jobs_;
};

// Between bars JobID is enough; between other signs it may be anybody's table, unless its other
// columns have sacct's names, too.
bool looks_like(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  const char separator = detected_separator(line);
  const auto cells = cells_of(line, separator);
  const auto has = [&](std::string_view name) {
    return std::ranges::find(cells, name, &Cell::text) != cells.end();
  };
  if (cells.size() < 2 || !has("JobID")) return false;
  const bool has_length = has("ElapsedRaw") || has("Elapsed") || (has("Start") && has("End"));
  return separator == '|' || (has("Submit") && has_length && (has("AllocCPUS") || has("NCPUS")));
}

const Registered<Format> row = format<SacctReader, SacctOptions>(
    "sacct", "Slurm's accounting, as `sacct --parsable2` writes it: one job or step a row", "",
    looks_like);

}  // namespace
}  // namespace somnus::import_sacct
