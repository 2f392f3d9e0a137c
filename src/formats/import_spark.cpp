// A Spark application's event log, JSON Lines (spark.eventLog.enabled, not compressed but by
// gzip). Of its events it reads SparkListenerApplicationStart and -End, JobStart and -End,
// StageSubmitted and -Completed, and TaskEnd. A task takes Finish Time - Launch Time of an attempt
// that succeeded; others are left out, and the workload's name says how many. A stage is of the
// first job that lists it; stages that never ran, as their output was there, are left out. A job is
// whole if it succeeded and the last attempts of its other stages finished all their tasks. Jobs
// that are not whole are in logs that are cut off, or that lack the events that Spark's listener
// bus dropped. A job's user and app are the application's, its queue is spark.scheduler.pool. With
// `one_job` a Spark job's first stages wait for the last of the job that ended last before it came.
// With `cold` a task that was launched on an executor before any task ended there is fresh, before
// any of its stage first (measured_times.hpp).
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "formats/measured_times.hpp"
#include "formats/spark_jobs.hpp"
#include "text/json_line.hpp"
#include "text/mistake_collector.hpp"
#include "text/text_window.hpp"
#include "workload/check.hpp"

namespace somnus::import_spark {
namespace {

struct SparkOptions {
  bool one_job = false;
  bool cold = false;
  bool skip_broken = false;

  static constexpr auto fields() {
    using O = SparkOptions;
    return in_order(
        field("one_job", &O::one_job, "",
              "true: the application is one job; false: each of its Spark jobs is one"),
        field("cold", &O::cold, "",
              "true: first tasks of executors say what tasks take there, for [jvm] model = "
              "\"measured\"; false: each takes what it took"),
        field("skip_broken", &O::skip_broken, "",
              "true: jobs that are not whole, tasks of unknown stages and lines that are not JSON "
              "are left out; false: each is a mistake"));
  }
};

constexpr std::uint64_t most_spark_number = 4'000'000'000;

class SparkReader {
 public:
  SparkReader(const TextFile& file, const SparkOptions& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view text, int number) {
      if (text.find_first_not_of(" \t\r") != std::string_view::npos) read_event(text, number);
    });
    if (!any_event_) mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    std::vector<Made> made = spark_jobs();
    LineJobs jobs;
    if (made.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "", "expected at least one task of a job that succeeded, found none",
                    fmt::format("{}", fmt::join(notes(), "; ")));
    } else if (options_.one_job && !made.empty()) {
      jobs.push_back(
          application_of(std::move(made), application_.empty() ? "application" : application_));
    } else {
      for (Made& each : made) jobs.push_back(std::move(each.line));
    }
    return workload_of(std::move(jobs), {.name = workload_name(file_.name(), notes())},
                       std::move(mistakes_));
  }

 private:
  struct Made {
    LineJob line;
    double end_ms = never_ms;
  };

  void read_event(std::string_view text, int number) {
    any_event_ = true;
    if (options_.skip_broken && parser_.parse(text.data(), text.size(), false).error()) {
      ++unreadable_;
      return;
    }
    JsonLine line(text, number, mistakes_);
    const auto event = line.parse_value(parser_);
    if (!event) return;
    const auto name_at = event->needed_at("Event");
    const auto name = name_at ? name_at->text() : std::nullopt;
    if (name == "SparkListenerApplicationStart") read_application(*event);
    if (name == "SparkListenerApplicationEnd") has_ended_ = true;
    if (name == "SparkListenerJobStart") read_job(*event, number);
    if (name == "SparkListenerJobEnd") read_job_end(*event);
    if (name == "SparkListenerStageSubmitted" || name == "SparkListenerStageCompleted") {
      const auto info = event->needed_at("Stage Info");
      const auto stage = info ? read_stage(*info) : std::nullopt;
      if (stage) stages_[*stage].is_submitted = true;
    }
    if (name == "SparkListenerTaskEnd") read_task(*event);
  }

  static std::string word_at(const JsonValue& at, std::string_view key) {
    const auto found = at.at(key);
    return found ? found->text().value_or("") : "";
  }
  static std::optional<std::uint64_t> whole_at(const JsonValue& at, std::string_view key) {
    const auto found = at.needed_at(key);
    return found ? found->whole(most_spark_number) : std::nullopt;
  }
  static void require(const JsonValue& at, std::string_view key, const char* version) {
    if (at.at(key)) return;
    at.line.wrong(path(at.key, key), "expected this key, found none",
                  fmt::format("Spark logs it from version {} on", version));
  }
  static double time_ms(const JsonValue& at, std::string_view key) {
    const auto found = at.needed_at(key);
    if (!found) return 0;
    const double time = found->number().value_or(0);
    if (time < 0) at.line.wrong(found->key, fmt::format("expected 0 or more, found {}", time));
    return time;
  }

  void read_application(const JsonValue& event) {
    application_ = word_at(event, "App ID");
    app_name_ = word_at(event, "App Name");
    user_ = word_at(event, "User");
  }

  void read_job(const JsonValue& event, int number) {
    const auto id = whole_at(event, "Job ID");
    require(event, "Submission Time", "1.3");
    SparkJob job{
        .line = number, .number = id.value_or(0), .submit_ms = time_ms(event, "Submission Time")};
    if (const auto properties = event.at("Properties")) {
      job.pool = word_at(*properties, "spark.scheduler.pool");
    }
    if (const auto infos = event.needed_at("Stage Infos")) {
      const auto all = infos->elements();
      for (const JsonValue& info : all) {
        if (all.size() > 1) require(info, "Parent IDs", "1.4");
        const auto stage = read_stage(info);
        if (stage && listed_.insert(*stage).second) job.stages.push_back(*stage);
      }
    }
    if (id && job_of_.try_emplace(*id, jobs_.size()).second) {
      jobs_.push_back(std::move(job));
    } else if (id) {
      event.line.wrong(path("", "Job ID"),
                       fmt::format("expected a number of its own, found {} again", *id));
    }
  }

  std::optional<std::uint32_t> read_stage(const JsonValue& info) {
    const auto id = whole_at(info, "Stage ID");
    if (!id) return std::nullopt;
    const auto label = static_cast<std::uint32_t>(*id);
    SparkStage& stage = stages_[label];
    const auto attempt = info.at("Stage Attempt ID");
    stage.last_attempt = attempt ? attempt->whole(most_spark_number).value_or(0) : 0;
    stage.size = whole_at(info, "Number of Tasks").value_or(0);
    const auto parents = info.at("Parent IDs");
    if (!parents) return label;
    stage.parents.clear();
    for (const JsonValue& each : parents->elements()) {
      if (const auto parent = each.whole(most_spark_number)) {
        stage.parents.push_back(static_cast<std::uint32_t>(*parent));
      }
    }
    std::ranges::sort(stage.parents);
    const auto doubles = std::ranges::unique(stage.parents);
    stage.parents.erase(doubles.begin(), doubles.end());
    return label;
  }

  void read_job_end(const JsonValue& event) {
    const auto id = whole_at(event, "Job ID");
    const double end_ms = time_ms(event, "Completion Time");
    const auto result = event.at("Job Result");
    const bool has_failed = result && word_at(*result, "Result") != "JobSucceeded";
    const auto job = id ? job_of_.find(*id) : job_of_.end();
    if (job != job_of_.end() && !has_failed) jobs_[job->second].end_ms = end_ms;
  }

  void read_task(const JsonValue& event) {
    const auto stage_id = whole_at(event, "Stage ID");
    const auto reason = event.needed_at("Task End Reason");
    const auto word = reason ? reason->needed_at("Reason") : std::nullopt;
    const auto why = word ? word->text() : std::nullopt;
    if (!stage_id || !why) return;
    if (*why != "Success") {
      ++failed_;
      return;
    }
    const auto info = event.needed_at("Task Info");
    if (!info || !info->object()) return;
    SparkTask task{.executor = word_at(*info, "Executor ID"),
                   .launch_ms = time_ms(*info, "Launch Time"),
                   .finish_ms = time_ms(*info, "Finish Time")};
    task.index = whole_at(*info, "Index").value_or(0);
    if (const auto attempt = event.at("Stage Attempt ID")) {
      task.attempt = attempt->whole(most_spark_number).value_or(0);
    }
    const double took_s = (task.finish_ms - task.launch_ms) / 1000;
    if (!is_workload_time(took_s)) {
      event.line.also_wrong(path(info->key, "Finish Time"),
                            not_a_time(took_s) + " after Launch Time");
    }
    const auto label = static_cast<std::uint32_t>(*stage_id);
    if (!listed_.contains(label)) {
      ++unknown_;
      if (options_.skip_broken) return;
      event.line.wrong(path("", "Stage ID"),
                       fmt::format("expected a stage of a job that has started, found {}", label),
                       "put the parts of a rolled log one behind the other; if events were lost, "
                       "skip_broken = true leaves such tasks out");
      return;
    }
    stages_[label].tasks.push_back(std::move(task));
  }

  bool is_whole(const SparkJob& job) {
    const bool has_ended = job.end_ms != never_ms;
    std::uint64_t finished = 0;
    std::uint64_t all = 0;
    for (const std::uint32_t label : job.stages) {
      const SparkStage& stage = stages_.at(label);
      if (has_ended && !stage.is_submitted && stage.tasks.empty())
        continue;  // its output was there
      finished += stage.finished();
      all += stage.size;
    }
    if (has_ended && finished == all) return true;
    ++broken_;
    broken_finished_ += finished;
    broken_tasks_ += all;
    if (options_.skip_broken) return false;
    mistakes_.add(job.line, 0, path("", "Job ID"),
                  fmt::format("expected that the job {}, found {} of {} tasks of job {}",
                              has_ended ? "finishes all its tasks" : "ends and succeeds", finished,
                              all, job.number),
                  "skip_broken = true leaves the job out");
    return false;
  }

  /// Stages of which something ran, with the parents that ran, too.
  std::vector<StageSpec> stages_of(const SparkJob& job) {
    std::vector<StageSpec> specs;
    for (const std::uint32_t label : job.stages) {
      const SparkStage& stage = stages_.at(label);
      if (stage.tasks.empty()) continue;  // its output was there
      StageSpec spec{.stage = label};
      for (const std::uint32_t parent : stage.parents) {
        const bool in_job = std::ranges::find(job.stages, parent) != job.stages.end();
        const bool ran = in_job && !stages_.at(parent).tasks.empty();
        if (ran) spec.parents.push_back(parent);
      }
      for (const SparkTask& task : stage.tasks) {
        spec.durations.push_back((task.finish_ms - task.launch_ms) / 1000);
      }
      if (options_.cold) fill_cold(spec, stage, label);
      specs.push_back(std::move(spec));
    }
    return specs;
  }

  // What an executor had run before says which of the three times a task's duration was.
  void fill_cold(StageSpec& spec, const SparkStage& stage, std::uint32_t label) {
    std::vector<Warmth> warmth;
    for (const SparkTask& task : stage.tasks) {
      const bool app_known = first_end_.at(task.executor) <= task.launch_ms;
      const bool stage_known = stage_end_.at({label, task.executor}) <= task.launch_ms;
      const Warmth of_app = app_known ? Warmth::first : Warmth::fresh;
      warmth.push_back(stage_known ? Warmth::rest : of_app);
    }
    complete_times(spec, warmth);
  }

  void find_first_ends() {
    for (const auto& [label, stage] : stages_) {
      for (const SparkTask& task : stage.tasks) {
        double& of_app = first_end_.try_emplace(task.executor, never_ms).first->second;
        double& of_stage = stage_end_.try_emplace({label, task.executor}, never_ms).first->second;
        of_app = std::min(of_app, task.finish_ms);
        of_stage = std::min(of_stage, task.finish_ms);
      }
    }
  }

  std::vector<Made> spark_jobs() {
    for (auto& [label, stage] : stages_) failed_ += stage.put_in_order();
    if (options_.cold) find_first_ends();
    std::vector<Made> made;
    for (const SparkJob& job : jobs_) {
      if (!is_whole(job)) continue;
      std::vector<StageSpec> stages = stages_of(job);
      if (stages.empty()) {
        ++empty_;
        continue;
      }
      made.push_back({.line = {.line = job.line,
                               .column = 1,
                               .job = {.job = fmt::format("job_{}", job.number),
                                       .user = user_.empty() ? "default" : user_,
                                       .queue = job.pool.empty() ? "default" : job.pool,
                                       .app = app_name_.empty() ? application_ : app_name_,
                                       .submit = job.submit_ms / 1000,
                                       .stages = std::move(stages)}},
                      .end_ms = job.end_ms});
    }
    return made;
  }

  // A Spark job's first stages wait for the last stages of the job that ended last before it came.
  static LineJob application_of(std::vector<Made> made, std::string name) {
    LineJob whole{.line = made.front().line.line, .column = 1, .job = made.front().line.job};
    whole.job.job = std::move(name);
    whole.job.stages.clear();
    std::multimap<double, std::vector<std::uint32_t>> last_stages;  // by the end of their job, ms
    for (Made& each : made) {
      const auto later = last_stages.upper_bound(each.line.job.submit * 1000);
      for (StageSpec& stage : each.line.job.stages) {
        if (!stage.parents.empty() || later == last_stages.begin()) continue;
        stage.parents = std::prev(later)->second;
      }
      last_stages.emplace(each.end_ms, last_of(each.line.job.stages));
      std::ranges::move(each.line.job.stages, std::back_inserter(whole.job.stages));
    }
    return whole;
  }

  static std::vector<std::uint32_t> last_of(const std::vector<StageSpec>& stages) {
    std::unordered_set<std::uint32_t> inner;
    for (const StageSpec& stage : stages) inner.insert(stage.parents.begin(), stage.parents.end());
    std::vector<std::uint32_t> last;
    for (const StageSpec& stage : stages) {
      if (!inner.contains(stage.stage)) last.push_back(stage.stage);
    }
    return last;
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    const auto note = [&](std::size_t count, const std::string& what) {
      if (count > 0) notes.push_back(fmt::format("{} left out: {}", what, count));
    };
    note(failed_, "failed or second attempts");
    note(empty_, "jobs without tasks");
    note(broken_, fmt::format("jobs that are not whole, with {} of {} tasks,", broken_finished_,
                              broken_tasks_));
    note(unknown_, "tasks of unknown stages");
    note(unreadable_, "lines that are not JSON");
    if (!has_ended_) notes.emplace_back("the log ends before the application");
    return notes;
  }

  const TextFile& file_;
  SparkOptions options_;
  MistakeCollector mistakes_;
  simdjson::dom::parser parser_;
  bool any_event_ = false;
  bool has_ended_ = false;
  std::string application_;
  std::string app_name_;
  std::string user_;
  std::vector<SparkJob> jobs_;                   // by first event
  std::map<std::uint64_t, std::size_t> job_of_;  // by number
  std::map<std::uint32_t, SparkStage> stages_;
  std::unordered_set<std::uint32_t> listed_;  // stages that some job has
  std::map<std::string, double> first_end_;   // of a task on the executor, ms
  std::map<std::pair<std::uint32_t, std::string>, double> stage_end_;  // of the stage's, ms
  std::size_t failed_ = 0;
  std::size_t empty_ = 0;
  std::size_t broken_ = 0;             // jobs that are not whole
  std::uint64_t broken_finished_ = 0;  // of their tasks
  std::uint64_t broken_tasks_ = 0;
  std::size_t unknown_ = 0;  // tasks of stages that no job lists
  std::size_t unreadable_ = 0;
};

bool looks_like(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with('{') && line.find("\"Event\"") != std::string_view::npos &&
         line.find("\"Spark") != std::string_view::npos;
}

const Registered<Format> row = format<SparkReader, SparkOptions>(
    "spark", "a Spark application's event log: JSON Lines, one event a line", "", looks_like);

}  // namespace
}  // namespace somnus::import_spark
