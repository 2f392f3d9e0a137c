// Decima's measured TPC-H runs on Spark as JSON Lines, one query at one input size a line:
//     {"query": 7, "size_gb": 50, "num_stages": S, "stages": [{"stage": 0, "num_tasks": n,
//       "parents": [...], "spark_stage_id": [...],
//       "executors": {"20": {"fresh": [ms ...], "first": [ms ...], "rest": [ms ...]}, ...}}, ...]}
// `rest` are durations of tasks after the first wave on that many executors, `first` those of the
// first wave, and `fresh` those of `first` whose executor had run nothing of the query. A line is
// a job, q7-50g. Each of a stage's num_tasks tasks has durations (from rest), first (from first
// without fresh) and fresh: one draw says at which share of each list, in order, they stand. As in
// Decima's simulator an empty first is that of fewer executors, else fresh; an empty rest is
// first; an empty fresh is first and warmup_delay_s more.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "formats/formats.hpp"
#include "text/json_line.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "workload/check.hpp"

namespace somnus::import_decima {
namespace {

struct DecimaOptions {
  std::uint32_t executors = 0;
  std::uint64_t seed = 1;
  double warmup_delay_s = 1;
  double interarrival_s = 0;

  static constexpr auto fields() {
    using O = DecimaOptions;
    return in_order(
        field("executors", &O::executors, "1",
              "durations as measured with that many, or the next fewer that a stage has, or else "
              "its fewest; 0: its fewest",
              Range{.low = 0, .high = 1e9}),
        field("seed", &O::seed, "1", "of the draws of durations"),
        field("warmup_delay_s", &O::warmup_delay_s, "s",
              "what a fresh executor adds where none was measured", Range{.low = 0, .high = 1e5}),
        field("interarrival_s", &O::interarrival_s, "s", "between the submits of two DAGs",
              Range{.low = 0, .high = 1e5}));
  }
};

constexpr std::uint64_t most_measured_tasks = 10'000'000;
constexpr std::uint64_t most_whole = 4'000'000'000;

/// Durations of a stage's tasks as measured with one number of executors, s.
struct Lists {
  std::vector<double> fresh;  // of executors that had run no task of the job
  std::vector<double> first;  // of the first wave; `fresh` are among them
  std::vector<double> rest;   // of later waves
};

struct MeasuredStage {
  StageSpec spec;
  std::uint64_t tasks = 0;
  std::map<std::uint64_t, Lists> by_executors;
};

struct MeasuredDag {
  std::uint64_t query = 0;
  std::uint64_t size_gb = 0;
  std::uint64_t declared = 0;  // stages
  std::vector<MeasuredStage> stages;
};

std::vector<double> milliseconds(const JsonValue& at) {
  std::vector<double> times = at.numbers();
  for (std::size_t index = 0; index < times.size(); ++index) {
    times[index] /= 1000;
    if (is_workload_time(times[index])) continue;
    at.line.also_wrong(path(at.key, index), not_a_time(times[index]));
  }
  return times;
}

constexpr JsonKey<Lists> measured_list_keys[] = {
    {"fresh", [](Lists& lists, const JsonValue& at) { lists.fresh = milliseconds(at); }},
    {"first", [](Lists& lists, const JsonValue& at) { lists.first = milliseconds(at); }},
    {"rest", [](Lists& lists, const JsonValue& at) { lists.rest = milliseconds(at); }},
};

/// Each of the table's keys has to be there.
template <class Target, std::size_t rows>
void read_all(const simdjson::dom::object& object, const JsonKey<Target> (&table)[rows],
              Target& target, JsonLine& line, const std::string& above) {
  const auto given = read_keys(object, table, target, line, above);
  for (std::size_t row = 0; row < rows; ++row) {
    if (!given[row]) {
      line.wrong(path(above, table[row].name), "expected this key, found none");
    }
  }
}
template <class Target, std::size_t rows>
void read_all(const JsonValue& at, const JsonKey<Target> (&table)[rows], Target& target) {
  if (const auto object = at.object()) read_all(*object, table, target, at.line, at.key);
}

void read_executors(MeasuredStage& stage, const JsonValue& at) {
  const auto runs = at.object();
  if (!runs) return;
  for (const auto& [name, value] : *runs) {
    const std::string key = path(at.key, name);
    const auto count = parse_number<std::uint64_t>(name);
    if (!count || *count == 0 || *count > most_whole) {
      at.line.wrong(key, "expected a number of executors as the key, from 1");
      continue;
    }
    Lists& lists = stage.by_executors[*count];
    read_all({value, at.line, key}, measured_list_keys, lists);
    if (lists.fresh.empty() && lists.first.empty() && lists.rest.empty()) {
      at.line.also_wrong(key, "expected durations of some task, found none");
    }
  }
  if (stage.by_executors.empty()) {
    at.line.also_wrong(at.key, "expected durations with some number of executors, found none");
  }
}

constexpr JsonKey<MeasuredStage> measured_stage_keys[] = {
    {"stage",
     [](MeasuredStage& stage, const JsonValue& at) {
       stage.spec.stage = static_cast<std::uint32_t>(at.whole(most_whole).value_or(0));
     }},
    {"num_tasks",
     [](MeasuredStage& stage, const JsonValue& at) {
       stage.tasks = at.whole(most_measured_tasks).value_or(1);
       if (stage.tasks == 0) at.line.wrong(at.key, "expected at least one task, found 0");
     }},
    {"parents",
     [](MeasuredStage& stage, const JsonValue& at) {
       const auto parents = at.array();
       if (!parents) return;
       std::size_t index = 0;
       for (const simdjson::dom::element parent : *parents) {
         const auto label = JsonValue{parent, at.line, path(at.key, index++)}.whole(most_whole);
         if (label) stage.spec.parents.push_back(static_cast<std::uint32_t>(*label));
       }
     }},
    {"spark_stage_id", [](MeasuredStage&, const JsonValue&) {}},
    {"executors", read_executors},
};

void read_stages(MeasuredDag& dag, const JsonValue& at) {
  const auto stages = at.array();
  if (!stages) return;
  for (const simdjson::dom::element element : *stages) {
    MeasuredStage& stage = dag.stages.emplace_back();
    read_all({element, at.line, path(at.key, dag.stages.size() - 1)}, measured_stage_keys, stage);
  }
}

constexpr JsonKey<MeasuredDag> measured_dag_keys[] = {
    {"query",
     [](MeasuredDag& dag, const JsonValue& at) { dag.query = at.whole(most_whole).value_or(0); }},
    {"size_gb",
     [](MeasuredDag& dag, const JsonValue& at) { dag.size_gb = at.whole(most_whole).value_or(0); }},
    {"num_stages", [](MeasuredDag& dag,
                      const JsonValue& at) { dag.declared = at.whole(most_whole).value_or(0); }},
    {"stages", read_stages},
};

// The first wave without the fresh ones, which are measured by themselves.
std::vector<double> without(std::vector<double> first, std::vector<double> fresh) {
  std::ranges::sort(first);
  std::ranges::sort(fresh);
  std::vector<double> left;
  std::ranges::set_difference(first, fresh, std::back_inserter(left));
  return left;
}

/// What a task's durations are drawn from, each in order; none is empty.
Lists choose(const MeasuredStage& stage, const DecimaOptions& options) {
  auto chosen = stage.by_executors.upper_bound(options.executors);
  if (chosen != stage.by_executors.begin()) --chosen;
  Lists lists = chosen->second;
  lists.first = without(lists.first, lists.fresh);
  for (auto fewer = chosen; lists.first.empty() && fewer != stage.by_executors.begin();) {
    --fewer;
    lists.first = without(fewer->second.first, fewer->second.fresh);
  }
  if (lists.first.empty()) lists.first = lists.fresh.empty() ? lists.rest : lists.fresh;
  if (lists.rest.empty()) lists.rest = lists.first;
  if (lists.fresh.empty()) {
    for (const double time : lists.first) lists.fresh.push_back(time + options.warmup_delay_s);
  }
  std::ranges::sort(lists.fresh);
  std::ranges::sort(lists.first);
  std::ranges::sort(lists.rest);
  return lists;
}

double at_share(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size()))];
}

class DecimaReader {
 public:
  DecimaReader(const TextFile& file, const DecimaOptions& options)
      : file_(file), options_(options), mistakes_(file.name()) {
    workload_.name = std::filesystem::path(file.name()).filename().string();
  }

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view text, int number) {
      if (text.find_first_not_of(" \t\r") != std::string_view::npos) read(text, number);
    });
    if (workload_.jobs.empty() && !mistakes_.any()) {
      mistakes_.add(0, 0, "", "expected a workload, found an empty file");
    }
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_).take());
    return std::move(workload_);
  }

 private:
  void read(std::string_view text, int number) {
    JsonLine line(text, number, mistakes_);
    const auto object = line.parse(parser_);
    if (!object) return;
    MeasuredDag dag;
    read_all(*object, measured_dag_keys, dag, line, "");
    if (dag.declared != dag.stages.size()) {
      line.also_wrong("num_stages", fmt::format("expected the number of stages, {}, found {}",
                                                dag.stages.size(), dag.declared));
    }
    JobSpec job{.job = fmt::format("q{}-{}g", dag.query, dag.size_gb),
                .submit = options_.interarrival_s * static_cast<double>(workload_.jobs.size())};
    RandomStream draws(options_.seed, "decima durations", workload_.jobs.size());
    for (MeasuredStage& stage : dag.stages) draw(stage, draws);
    for (MeasuredStage& stage : dag.stages) job.stages.push_back(std::move(stage.spec));
    check_(job, [&](std::string key, std::string what, std::string hint) {
      line.also_wrong(std::move(key), std::move(what), std::move(hint));
    });
    workload_.jobs.push_back(std::move(job));
  }

  /// A task has the same place in each of the three lists: what is slow warm is slow cold.
  void draw(MeasuredStage& stage, RandomStream& draws) const {
    if (mistakes_.any()) {  // lists may be missing, and nobody will see the workload
      stage.spec.durations.assign(1, 0);
      return;
    }
    const Lists lists = choose(stage, options_);
    for (std::uint64_t task = 0; task < stage.tasks; ++task) {
      const double share = draws.uniform();
      stage.spec.durations.push_back(at_share(lists.rest, share));
      stage.spec.first.push_back(at_share(lists.first, share));
      stage.spec.fresh.push_back(at_share(lists.fresh, share));
    }
  }

  const TextFile& file_;
  DecimaOptions options_;
  MistakeCollector mistakes_;
  simdjson::dom::parser parser_;
  WorkloadSpec workload_;
  JobCheck check_{workload_.resources};
};

bool looks_like(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with('{') && line.find("\"spark_stage_id\"") != std::string_view::npos;
}

const Registered<Format> row = format<DecimaReader, DecimaOptions>(
    "decima", "Decima's measured TPC-H runs: JSON Lines, one query's DAG a line", ".jsonl",
    looks_like);

}  // namespace
}  // namespace somnus::import_decima
