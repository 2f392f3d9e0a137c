// The input of YARN's Scheduler Load Simulator: JSON objects one behind the other, each a job with
// job.tasks, and job.id, job.user, job.queue.name, job.start.ms and job.count where it has them. A
// task is `count` containers of duration.ms, or container.end.ms - container.start.ms, that demand
// container.vcores of cpu (else 1) and container.memory / 1024 of mem_gb (else 1, as there).
// Containers of one container.type and demand are a stage; where am.type is mapreduce or not
// given, those of type reduce wait for all of type map.
#include <algorithm>
#include <map>

#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "model/limits.hpp"
#include "text/json_documents.hpp"
#include "text/json_line.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "workload/check.hpp"

namespace somnus::import_sls {
namespace {

constexpr double mb_of_gb = 1024;

class SlsReader {
 public:
  explicit SlsReader(const TextFile& file) : file_(file), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_document(file_.text(), [&](std::string_view text, int line, int column) {
      JsonLine document(text, line, mistakes_, column);
      if (const auto root = document.parse_value(parser_)) read_job(*root, line);
    });
    if (jobs_.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    }
    return workload_of(std::move(jobs_),
                       {.name = workload_name(file_.name()), .resources = {"cpu", "mem_gb"}},
                       std::move(mistakes_));
  }

 private:
  struct Containers {
    std::string type;
    std::uint64_t count = 1;
    double duration_s = 0;
    double cores = 1;
    double memory_gb = 1;
  };

  // Files that scripts wrote have numbers in quotes, which the simulator reads as well.
  static double number_in(const std::optional<JsonValue>& at, double otherwise) {
    if (!at) return otherwise;
    std::string_view text;
    if (at->value.get(text) != simdjson::SUCCESS) return at->number().value_or(otherwise);
    const auto number = parse_number<double>(text);
    if (!number) at->line.wrong(at->key, fmt::format("expected a number, found '{}'", text));
    return number.value_or(otherwise);
  }

  static double not_negative_in(const std::optional<JsonValue>& at, double otherwise) {
    const double found = number_in(at, otherwise);
    if (at && found < 0) {
      at->line.wrong(at->key, fmt::format("expected 0 or more, found {}", found));
    }
    return found;
  }

  static std::uint64_t count_in(const std::optional<JsonValue>& at) {
    const double found = number_in(at, 1);
    const bool is_count = found >= 1 && found <= double(most_tasks) &&
                          found == static_cast<double>(static_cast<std::uint64_t>(found));
    if (at && !is_count) {
      at->line.wrong(at->key, fmt::format("expected a whole number from 1 to {}, found {}",
                                          most_tasks, found));
    }
    return is_count ? static_cast<std::uint64_t>(found) : 1;
  }

  static std::string text_in(const std::optional<JsonValue>& at, std::string_view otherwise) {
    std::string text = at ? at->text().value_or("") : "";
    return text.empty() ? std::string(otherwise) : text;
  }

  // Some keys have two names, by the version of Hadoop.
  static std::optional<JsonValue> either(const JsonValue& at, std::string_view one,
                                         std::string_view other) {
    const auto found = at.at(one);
    return found ? found : at.at(other);
  }

  void read_job(const JsonValue& root, int number) {
    JobSpec job{.job = text_in(root.at("job.id"), fmt::format("job {}", jobs_.size())),
                .user = text_in(root.at("job.user"), "default"),
                .queue = text_in(root.at("job.queue.name"), "default")};
    job.submit = not_negative_in(root.at("job.start.ms"), 0) / 1000;
    const std::uint64_t copies = count_in(root.at("job.count"));
    const std::string kind = text_in(either(root, "am.type", "yarn.sls.am.type"), "mapreduce");
    const auto tasks_at = root.needed_at("job.tasks");
    if (!tasks_at) return;
    std::vector<Containers> tasks;
    std::uint64_t count = 0;
    for (const JsonValue& at : tasks_at->elements()) {
      if (!at.object()) continue;
      tasks.push_back(read_containers(at));
      count += tasks.back().count;
    }
    if (tasks.empty()) {
      root.line.also_wrong(tasks_at->key, "expected at least one task, found none");
    }
    const bool are_few = count <= most_tasks / copies;  // else their number may be beyond 64 bits
    tasks_ += are_few ? count * copies : most_tasks + 1;
    if (tasks_ > most_tasks) {
      root.line.also_wrong(tasks_at->key,
                           fmt::format("expected at most {} tasks in a workload", most_tasks));
    }
    if (mistakes_.any()) return;
    job.stages = stages_of(tasks, kind == "mapreduce");
    const std::string name = job.job;
    for (std::uint64_t copy = 1; copy <= copies; ++copy) {
      if (copy > 1) job.job = fmt::format("{}-{}", name, copy);
      jobs_.push_back({.line = number, .column = 1, .job = job});
    }
  }

  static Containers read_containers(const JsonValue& at) {
    Containers containers{.type = text_in(at.at("container.type"), "unknown"),
                          .count = count_in(at.at("count"))};
    const auto given = either(at, "container.duration.ms", "duration.ms");
    const auto start = given ? std::nullopt : at.needed_at("container.start.ms");
    const auto end = given ? given : at.needed_at("container.end.ms");
    containers.duration_s = (number_in(end, 0) - number_in(start, 0)) / 1000;
    const bool is_known = end && (given || start);
    if (is_known && !is_workload_time(containers.duration_s)) {
      at.line.also_wrong(end->key, not_a_time(containers.duration_s) + " of duration");
    }
    containers.memory_gb =
        not_negative_in(either(at, "container.memory", "container.memory-mb"), mb_of_gb) / mb_of_gb;
    containers.cores = not_negative_in(at.at("container.vcores"), 1);
    return containers;
  }

  // One for each kind of container; reduces of a MapReduce job wait for its maps.
  static std::vector<StageSpec> stages_of(const std::vector<Containers>& tasks, bool map_reduce) {
    std::vector<StageSpec> stages;
    std::map<std::tuple<std::string, double, double>, std::size_t> stage_of;
    std::vector<std::uint32_t> maps;
    std::vector<std::size_t> reduces;
    for (const Containers& each : tasks) {
      const auto label = static_cast<std::uint32_t>(stages.size());
      const auto [stage, is_new] =
          stage_of.try_emplace({each.type, each.cores, each.memory_gb}, label);
      if (is_new) {
        stages.push_back({.stage = label, .demand = {each.cores, each.memory_gb}});
        if (each.type == "map") maps.push_back(label);
        if (each.type == "reduce") reduces.push_back(label);
      }
      auto& durations = stages[stage->second].durations;
      durations.insert(durations.end(), each.count, each.duration_s);
    }
    if (!map_reduce) return stages;
    for (const std::size_t reduce : reduces) stages[reduce].parents = maps;
    return stages;
  }

  const TextFile& file_;
  MistakeCollector mistakes_;
  simdjson::dom::parser parser_;
  LineJobs jobs_;
  std::uint64_t tasks_ = 0;
};

bool looks_like(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  return text.substr(0, 100'000).find("\"job.tasks\"") != std::string_view::npos;
}

const Registered<Format> row = format<SlsReader>(
    "sls", "the input of YARN's Scheduler Load Simulator: JSON objects, one a job", "", looks_like);

}  // namespace
}  // namespace somnus::import_sls
