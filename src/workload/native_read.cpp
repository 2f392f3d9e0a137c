#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "text/json_line.hpp"
#include "text/text_window.hpp"
#include "workload/check.hpp"
#include "workload/native.hpp"
#include "workload/native_header.hpp"

namespace somnus {
namespace {

namespace dom = simdjson::dom;

constexpr std::uint32_t most_label = std::numeric_limits<std::uint32_t>::max();

// A stage as it is written: its tasks in one of three ways, made one in complete().
struct StageDraft {
  StageSpec spec;
  const std::vector<std::string>& resources;
  std::uint64_t tasks = 0;
  double duration = 0;
};

void read_demand(StageDraft& stage, const JsonValue& at) {
  const auto amounts = at.object();
  if (!amounts) return;
  stage.spec.demand.assign(stage.resources.size(), 0);
  for (const auto& [name, value] : *amounts) {
    const std::string key = path(at.key, name);
    const auto kind = std::ranges::find(stage.resources, name);
    if (kind == stage.resources.end()) {
      at.line.wrong(key, "expected a resource that the first line declares",
                    suggest(name, stage.resources));
      continue;
    }
    const auto amount = JsonValue{value, at.line, key}.number();
    const auto index = static_cast<std::size_t>(kind - stage.resources.begin());
    if (amount) stage.spec.demand[index] = *amount;
  }
}

// An array's whole numbers. Elements that are none have been reported; most_label stands for them,
// so that the others keep their places.
std::vector<std::uint32_t> whole_numbers(const JsonValue& at, std::uint32_t most) {
  std::vector<std::uint32_t> numbers;
  const auto elements = at.array();
  if (!elements) return numbers;
  std::size_t index = 0;
  for (const dom::element element : *elements) {
    const auto number = JsonValue{element, at.line, path(at.key, index++)}.whole(most);
    numbers.push_back(static_cast<std::uint32_t>(number.value_or(most_label)));
  }
  return numbers;
}

// An empty list would pass for none.
std::vector<double> cold_numbers(const JsonValue& at) {
  std::vector<double> numbers = at.numbers();
  if (numbers.empty()) at.line.also_wrong(at.key, "expected as many as durations, found 0");
  return numbers;
}

void read_work(StageDraft& stage, const JsonValue& at) {
  const auto work = at.number();
  if (!work) return;
  if (*work == 0) at.line.wrong(at.key, "expected more than 0 s, found 0");
  stage.spec.work = *work;
}

// The keys that say what a stage does; they may also stand on a job of one stage.
constexpr JsonKey<StageDraft> durations_key = {
    "durations", [](StageDraft& s, const JsonValue& at) { s.spec.durations = at.numbers(); }};
constexpr JsonKey<StageDraft> tasks_key = {"tasks", [](StageDraft& s, const JsonValue& at) {
                                             s.tasks = at.whole(most_tasks).value_or(0);
                                           }};
constexpr JsonKey<StageDraft> duration_key = {
    "duration", [](StageDraft& s, const JsonValue& at) { s.duration = at.number().value_or(0); }};
constexpr JsonKey<StageDraft> work_key = {"work", read_work};
constexpr JsonKey<StageDraft> skew_key = {
    "skew", [](StageDraft& s, const JsonValue& at) { s.spec.skew = at.numbers(); }};
constexpr JsonKey<StageDraft> demand_key = {"demand", read_demand};
constexpr JsonKey<StageDraft> fresh_key = {
    "fresh", [](StageDraft& s, const JsonValue& at) { s.spec.fresh = cold_numbers(at); }};
constexpr JsonKey<StageDraft> first_key = {
    "first", [](StageDraft& s, const JsonValue& at) { s.spec.first = cold_numbers(at); }};

constexpr JsonKey<StageDraft> affinity_key = {"affinity", [](StageDraft& s, const JsonValue& at) {
                                                s.spec.affinity = whole_numbers(at, most_node);
                                              }};

constexpr JsonKey<StageDraft> gang_key = {
    "gang", [](StageDraft& s, const JsonValue& at) { s.spec.gang = at.flag().value_or(false); }};

constexpr JsonKey<StageDraft> exclusive_key = {"exclusive", [](StageDraft& s, const JsonValue& at) {
                                                 s.spec.exclusive = at.flag().value_or(false);
                                               }};

constexpr JsonKey<StageDraft> stage_keys[] = {
    durations_key,
    tasks_key,
    duration_key,
    work_key,
    skew_key,
    demand_key,
    affinity_key,
    gang_key,
    exclusive_key,
    fresh_key,
    first_key,
    {"stage",
     [](StageDraft& s, const JsonValue& at) {
       const auto label = at.whole(most_label);
       if (label) s.spec.stage = static_cast<std::uint32_t>(*label);
     }},
    {"parents",
     [](StageDraft& s, const JsonValue& at) { s.spec.parents = whole_numbers(at, most_label); }},
};

struct JobDraft {
  JobSpec spec;
  StageDraft only_stage;  // of a job without `stages`
  std::uint64_t& tasks_left;
};

struct Given {
  bool durations, tasks, duration, work, skew;
};

// Folds the three ways to write tasks into one.
void complete(StageDraft& stage, const Given& given, std::uint64_t& tasks_left,
              const std::string& key, JsonLine& line) {
  std::vector<std::string_view> ways;
  if (given.durations) ways.emplace_back("durations");
  if (given.tasks || given.duration) ways.emplace_back("tasks with duration");
  if (given.work) ways.emplace_back("work");
  if (ways.size() != 1) {
    line.wrong(key.empty() ? "durations" : key,
               fmt::format("expected one of durations, tasks with duration, and work; found {}",
                           ways.empty() ? "none" : fmt::format("{}", fmt::join(ways, ", "))));
    return;
  }
  if (given.skew && !given.work)
    line.wrong(path(key, "skew"), "expected work beside skew, found none");
  if (given.tasks != given.duration) {
    const std::string_view missing = given.tasks ? "duration" : "tasks";
    line.wrong(path(key, missing),
               fmt::format("expected beside {}, found none", given.tasks ? "tasks" : "duration"));
    return;
  }
  if (!given.tasks) return;
  if (stage.tasks == 0) {
    line.also_wrong(path(key, "tasks"), "expected at least one task, found 0");
  } else if (!is_workload_time(stage.duration)) {
    line.wrong(path(key, "duration"), not_a_time(stage.duration));
  } else if (stage.tasks > tasks_left) {
    line.wrong(path(key, "tasks"),
               fmt::format("expected at most {} tasks in a workload", most_tasks));
  } else {
    tasks_left -= stage.tasks;
    stage.spec.durations.assign(stage.tasks, stage.duration);
  }
}

void read_stages(JobDraft& job, const JsonValue& at) {
  const auto stages = at.array();
  if (!stages) return;
  for (const dom::element element : *stages) {
    const std::size_t index = job.spec.stages.size();
    const JsonValue value{element, at.line, path(at.key, index)};
    StageDraft stage{.spec = {}, .resources = job.only_stage.resources};
    stage.spec.stage = static_cast<std::uint32_t>(index);
    if (const auto object = value.object()) {
      const auto given = read_keys(*object, stage_keys, stage, at.line, value.key);
      complete(stage, {given[0], given[1], given[2], given[3], given[4]}, job.tasks_left, value.key,
               at.line);
    }
    job.spec.stages.push_back(std::move(stage.spec));
  }
}

template <const JsonKey<StageDraft>& key>
constexpr JsonKey<JobDraft> on_the_job = {
    key.name, [](JobDraft& job, const JsonValue& at) { key.read(job.only_stage, at); }};

constexpr JsonKey<JobDraft> job_keys[] = {
    on_the_job<durations_key>,
    on_the_job<tasks_key>,
    on_the_job<duration_key>,
    on_the_job<work_key>,
    on_the_job<skew_key>,
    on_the_job<demand_key>,
    on_the_job<affinity_key>,
    on_the_job<gang_key>,
    on_the_job<exclusive_key>,
    on_the_job<fresh_key>,
    on_the_job<first_key>,
    {"stages", read_stages},
    {"job", [](JobDraft& j, const JsonValue& at) { j.spec.job = at.text().value_or(""); }},
    {"submit", [](JobDraft& j, const JsonValue& at) { j.spec.submit = at.number().value_or(0); }},
    {"after",
     [](JobDraft& j, const JsonValue& at) {
       const auto after = at.text();
       if (after && after->empty()) at.line.wrong(at.key, "expected a job, found an empty name");
       j.spec.after = after.value_or("");
     }},
    {"think", [](JobDraft& j, const JsonValue& at) { j.spec.think = at.number().value_or(0); }},
    {"estimate",
     [](JobDraft& j, const JsonValue& at) {
       const auto estimate = at.number();
       if (estimate && *estimate == 0) at.line.wrong(at.key, "expected more than 0 s, found 0");
       j.spec.estimate = estimate.value_or(0);
     }},
    {"limit_s",
     [](JobDraft& j, const JsonValue& at) {
       const auto limit = at.number();
       if (limit && *limit == 0) at.line.wrong(at.key, "expected more than 0 s, found 0");
       j.spec.limit = limit.value_or(0);
     }},
    {"user", [](JobDraft& j, const JsonValue& at) { j.spec.user = at.text().value_or(""); }},
    {"weight", [](JobDraft& j, const JsonValue& at) { j.spec.weight = at.number().value_or(1); }},
    {"queue", [](JobDraft& j, const JsonValue& at) { j.spec.queue = at.text().value_or(""); }},
    {"account", [](JobDraft& j, const JsonValue& at) { j.spec.account = at.text().value_or(""); }},
    {"qos", [](JobDraft& j, const JsonValue& at) { j.spec.qos = at.text().value_or(""); }},
    {"nice",
     [](JobDraft& j, const JsonValue& at) {
       const double nice = at.number().value_or(0);
       if (!is_nice(nice))
         at.line.wrong(at.key, fmt::format("expected {}, found {}", a_nice, nice));
       j.spec.nice = is_nice(nice) ? static_cast<std::int32_t>(nice) : 0;
     }},
    {"app",
     [](JobDraft& j, const JsonValue& at) {
       const auto app = at.text();
       if (app && app->empty()) at.line.wrong(at.key, "expected a name, found an empty one");
       j.spec.app = app.value_or("");
     }},
    {"warmup",
     [](JobDraft& j, const JsonValue& at) {
       const auto warmup = at.number();
       if (warmup && *warmup == 0)
         at.line.wrong(at.key, fmt::format("expected 1 to {}, found 0", most_warmup));
       j.spec.warmup = warmup.value_or(0);
     }},
    {"curve",
     [](JobDraft& j, const JsonValue& at) {
       j.spec.curve = at.numbers();
       if (j.spec.curve.empty()) at.line.also_wrong(at.key, "expected 4 coefficients, found 0");
     }},
    {"progress",
     [](JobDraft& j, const JsonValue& at) {
       j.spec.progress = at.numbers();
       if (j.spec.progress.empty()) {
         at.line.also_wrong(at.key, "expected its progress on 1, 2, ... slots, found none");
       }
     }},
};
constexpr std::size_t stages_row = 11;
constexpr std::size_t job_row = 12;
constexpr std::size_t submit_row = 13;
constexpr std::size_t after_row = 14;
constexpr std::size_t think_row = 15;
static_assert(job_keys[stages_row].name == "stages" && job_keys[job_row].name == "job" &&
              job_keys[submit_row].name == "submit" && job_keys[after_row].name == "after" &&
              job_keys[think_row].name == "think");

class NativeReader {
 public:
  explicit NativeReader(const TextFile& file) : file_(file), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view text, int number) {
      if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
      read_line(text, number);
    });
    if (every_submitter_is_known_) {
      const TextFile first = value_or_throw(TextFile::decode(file_.name(), header_text_));
      JsonLine header(first.text(), header_number_, mistakes_);
      check_.find_idle(workload_.users, [&](std::string key, std::string what, std::string hint) {
        header.wrong(std::move(key), std::move(what), std::move(hint));
      });
    }
    if (!header_seen_) mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    const bool no_job = workload_.jobs.empty() && !mistakes_.any();
    if (no_job) mistakes_.add(0, 0, "", "expected at least one job, found only the first line");
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    return std::move(workload_);
  }

 private:
  void read_line(std::string_view text, int number) {
    JsonLine line(text, number, mistakes_);
    const auto object = line.parse(parser_);
    if (header_seen_) {
      every_submitter_is_known_ &= object.has_value();
      if (object) read_job(*object, line);
      return;
    }
    header_seen_ = true;
    header_text_ = text;
    header_number_ = number;
    if (!object) return;
    if (object->at_key("somnus_workload").error() == simdjson::SUCCESS) {
      workload_ = read_native_header(*object, line);
      return;
    }
    line.wrong("", "expected {\"somnus_workload\": 1, ...} in the first line");
    if (object->at_key("job").error() == simdjson::SUCCESS) read_job(*object, line);
  }

  void read_job(dom::object object, JsonLine& line) {
    JobDraft draft{.spec = {},
                   .only_stage = {.spec = {}, .resources = workload_.resources},
                   .tasks_left = tasks_left_};
    const auto given = read_keys(object, job_keys, draft, line, "");
    if (!given[job_row]) line.wrong("job", "missing, expected the job's name");
    if (!given[submit_row]) line.wrong("submit", "missing, expected seconds");
    if (given[think_row] && !given[after_row]) {
      line.wrong("think", "expected after beside think, found none");
    }
    every_submitter_is_known_ &= !draft.spec.user.empty();
    const bool stage_on_job =
        std::any_of(given.begin(), given.begin() + stages_row, std::identity{});
    if (given[stages_row] && stage_on_job) {
      line.wrong("stages", "expected either stages or one stage's keys on the job, found both");
    } else if (stage_on_job) {
      complete(draft.only_stage, {given[0], given[1], given[2], given[3], given[4]}, tasks_left_,
               "", line);
      draft.spec.stages.push_back(std::move(draft.only_stage.spec));
    } else if (!given[stages_row]) {
      line.wrong("stages", "missing, expected stages, or durations on the job");
    }
    check_(draft.spec, [&](std::string key, std::string what, std::string hint) {
      line.also_wrong(as_written(std::move(key), stage_on_job), std::move(what), std::move(hint));
    });
    workload_.jobs.push_back(std::move(draft.spec));
  }

  // The check knows stages[0]; the file may have its keys on the job.
  static std::string as_written(std::string key, bool stage_on_job) {
    constexpr std::string_view first = "stages[0]";
    if (!stage_on_job || !key.starts_with(first)) return key;
    key.erase(0, first.size() + 1);
    if (key.empty()) key = "durations";
    return key;
  }

  const TextFile& file_;
  MistakeCollector mistakes_;
  simdjson::dom::parser parser_;
  WorkloadSpec workload_;
  JobCheck check_{workload_.resources};
  std::uint64_t tasks_left_ = most_tasks;
  bool header_seen_ = false;
  std::string header_text_;
  int header_number_ = 0;
  bool every_submitter_is_known_ = true;  // no line, no user that could not be read
};

}  // namespace

Checked<WorkloadSpec> parse_native(const TextFile& file) { return NativeReader(file)(); }

Checked<WorkloadSpec> read_native(const std::filesystem::path& path) {
  return read_text(path, parse_native);
}

}  // namespace somnus
