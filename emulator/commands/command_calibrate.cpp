#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "emulator/commands/command.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/result.hpp"
#include "emulator/commands/signals.hpp"
#include "fidelity/comparison.hpp"
#include "fidelity/late_simulations.hpp"
#include "log/reader.hpp"
#include "output/folder.hpp"
#include "print/text_table.hpp"
#include "session/workload_source.hpp"

namespace somnus::command_calibrate {
namespace {

struct CalibrateOptions {
  CommonOptions common;
  std::string config;
  int ranks = 0;
};

// At least one a node; where resources alone limit tasks as many as a small node would have.
std::uint64_t slots_of(const Settings& settings) {
  const std::uint64_t nodes = settings.cluster.node_count();
  const std::uint64_t slots = settings.cluster.slot_count();
  return slots == 0 ? 8 * nodes : std::max(slots, nodes);
}

struct Probe {
  std::string name;
  std::uint64_t jobs;
  std::uint64_t tasks;  // of each
  double duration_s;
  double interval_s;
};

// Really emulates the probe, at speed 1, and reads its log. It measures the machine: there are as
// many nodes as the user's cluster has, and nothing is emulated but tasks that sleep.
Log run_probe(const Settings& settings, int ranks, const ScratchFolder& scratch,
              const Probe& probe) {
  const std::string log = scratch.file(probe.name + ".h5").string();
  const std::string config = scratch.file(probe.name + ".toml").string();
  const std::uint32_t nodes = settings.cluster.node_count();
  const auto& run = settings.run;
  std::ofstream(config) << fmt::format(
      "[cluster]\nnodes = {}\nslots_per_node = {}\n[scheduler]\npolicy = \"fifo\"\n"
      "[workload]\ngenerator = \"fixed\"\njobs = {}\ntasks = {}\nduration_s = {}\n"
      "interval_s = {}\n[run]\nexecutor = \"{}\"\npoll = \"{}\"\npoll_us = {}\n[log]\n"
      "file = \"{}\"\n",
      nodes, slots_of(settings) / nodes, probe.jobs, probe.tasks, probe.duration_s,
      probe.interval_s, name_of(run.executor), name_of(run.poll), run.poll_us, log);
  std::vector<std::string> words = {"somnus", "run", config, "--quiet"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  const int code = run_under_mpirun(ranks, static_cast<int>(argv.size()), argv.data(), "");
  if (code != exit_fine) throw WorldError(fmt::format("the probe '{}' failed", probe.name));
  return value_or_throw(read_log(log));
}

struct Calibration {
  int ranks = 0;
  double median_task_s = 0;
  double arriving_tasks_per_s = 0;  // emulated
  double burst_tasks = 0;
  double tasks_per_s = 0;
  double rank_0_late_p50_s = 0;
  double rank_0_late_p99_s = 0;
  double worker_late_p50_s = 0;
  double worker_late_p99_s = 0;
  double clock_uncertainty_s = 0;
  double jobs_simulated = 0;
  double safe_speed = NAN;

  static constexpr auto fields() {
    using C = Calibration;
    return in_order(
        field("ranks", &C::ranks, "1", "ranks"),
        field("median_task_s", &C::median_task_s, "s", "median task of the workload"),
        field("arriving_tasks_per_s", &C::arriving_tasks_per_s, "1/s",
              "its tasks, in an emulated second"),
        field("burst_tasks", &C::burst_tasks, "1", "its jobs' tasks, as a task sees them"),
        field("tasks_per_s", &C::tasks_per_s, "1/s", "zero-length tasks through this machine"),
        field("rank_0_late_p50_s", &C::rank_0_late_p50_s, "s",
              "at the safe speed's load: rank 0 looks late, median"),
        field("rank_0_late_p99_s", &C::rank_0_late_p99_s, "s", "  p99"),
        field("worker_late_p50_s", &C::worker_late_p50_s, "s", "  the latest worker, median"),
        field("worker_late_p99_s", &C::worker_late_p99_s, "s", "  p99"),
        field("clock_uncertainty_s", &C::clock_uncertainty_s, "s", "  clock uncertainty, largest"),
        field("jobs_simulated", &C::jobs_simulated, "1",
              "jobs simulated, the first of the workload"),
        field("safe_speed", &C::safe_speed, "x", "safe speed"));
  }
};

void read_lateness(const Log& log, Calibration& result) {
  result.clock_uncertainty_s = result.worker_late_p50_s = result.worker_late_p99_s = 0;
  for (const RankRow& rank : log.tables.ranks) {
    result.clock_uncertainty_s = std::max(result.clock_uncertainty_s, rank.clock_uncertainty);
    if (rank.rank == 0) continue;
    result.worker_late_p50_s = std::max(result.worker_late_p50_s, rank.late_p50);
    result.worker_late_p99_s = std::max(result.worker_late_p99_s, rank.late_p99);
  }
  result.rank_0_late_p50_s = log.tables.scheduler.lag_p50;
  result.rank_0_late_p99_s = log.tables.scheduler.lag_p99;
}

double throughput(const Log& log) {
  double last = 0;
  for (const JobRow& job : log.tables.jobs) last = std::max(last, job.finish);
  return static_cast<double>(log.tasks.size()) / last;
}

void read_workload(const Workload& workload, Calibration& result) {
  const auto tasks = static_cast<double>(workload.truth.tasks.size());
  result.median_task_s = median_task_s(workload);
  const double span_s = in_seconds(workload.catalogue.jobs.back().submit);
  result.arriving_tasks_per_s = tasks / std::max(span_s, result.median_task_s);
  for (const Job& job : workload.catalogue.jobs) {
    result.burst_tasks += static_cast<double>(job.tasks) * static_cast<double>(job.tasks) / tasks;
  }
}

double two_digits_down(double speed) {
  const double step = std::pow(10, std::floor(std::log10(speed)) - 1);
  return std::floor(speed / step * (1 + 1e-12)) * step;
}

// Rank 0 should be busy for no more than a tenth of the time.
double speed_by_rate(const Calibration& c) {
  return two_digits_down(0.1 * c.tasks_per_s / c.arriving_tasks_per_s);
}

// Three real seconds as the workload would be at that speed: as many tasks a second, in jobs as
// wide as most tasks see, asleep for a second or as long as there are slots.
Probe at_speed(const Calibration& c, std::uint64_t slots, double speed) {
  constexpr double seconds_of_probe = 3;
  const double tasks_per_s = c.arriving_tasks_per_s * speed;
  const double width = std::clamp(c.burst_tasks, 1.0, std::max(1.0, tasks_per_s / 4));
  const double jobs = std::max(1.0, tasks_per_s * seconds_of_probe / width);
  const double longest_s = 0.7 * static_cast<double>(slots) / tasks_per_s;
  return {.name = fmt::format("at-{}", speed),
          .jobs = static_cast<std::uint64_t>(jobs),
          .tasks = static_cast<std::uint64_t>(width),
          .duration_s = std::min(1.0, longest_s),
          .interval_s = seconds_of_probe / jobs};
}

struct AtSpeed {
  double speed = 0;
  std::vector<FigureCompared> figures;  // their lateness and sensitivity

  [[nodiscard]] bool is_safe() const {
    return std::ranges::all_of(
        figures, [](const auto& one) { return std::abs(one.lateness) <= one.allowed(); });
  }
};

// What part of the workload is simulated, and what comes of it.
struct FirstJobs {
  Workload workload;
  std::vector<JobRow> exact;
};

// The first jobs, as many as take a moment to simulate: results at many speeds shall not take
// longer than half a minute, whatever the policy.
FirstJobs part_of(const Settings& settings, WorkloadSpec spec) {
  constexpr double a_moment_s = 0.15;
  std::ranges::stable_sort(spec.jobs, {}, &JobSpec::submit);
  const std::size_t all = spec.jobs.size();
  for (std::size_t jobs = std::min<std::size_t>(all, 32);; jobs = std::min(all, 2 * jobs)) {
    WorkloadSpec first = spec;
    first.jobs.resize(jobs);
    FirstJobs part{.workload = value_or_throw(workload_of(settings, std::move(first))),
                   .exact = {}};
    const auto began = std::chrono::steady_clock::now();
    part.exact = simulated_jobs(settings, part.workload, &stop_flag());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (jobs == all || took.count() > a_moment_s) return part;
  }
}

// From that speed downwards until results move no more than they do by themselves.
std::vector<AtSpeed> results_at(double speed, const Settings& settings, const FirstJobs& part,
                                const LateMachine& machine) {
  constexpr int most_speeds = 10;
  constexpr std::uint32_t simulations = 4;
  const auto simulated = [&](const LateMachine& ranks, double at) {
    return late_simulations(settings, part.workload, ranks, at, simulations, &stop_flag());
  };
  const auto disturbed = simulated(barely_late_machine(part.workload, machine.size()), 1);
  std::vector<AtSpeed> results;
  for (; results.size() < most_speeds; speed = two_digits_down(speed / 2)) {
    const auto late = simulated(machine, speed);
    results.push_back(
        {speed, compare_figures(part.exact, Pace::exact,
                                {.exact = part.exact, .late = late, .disturbed = disturbed})});
    if (results.back().is_safe()) break;
  }
  return results;
}

nlohmann::json to_json(const AtSpeed& at, double FigureCompared::* share) {
  nlohmann::json object;
  for (const FigureCompared& one : at.figures) object[one.name] = std::abs(one.*share);
  return object;
}

nlohmann::json as_json(const Calibration& result, const std::vector<AtSpeed>& results) {
  nlohmann::json object;
  for_each_field<Calibration>([&](const auto& each) { object[each.name] = result.*each.member; });
  object["sensitivity"] = to_json(results.back(), &FigureCompared::sensitivity);
  object["speeds"] = nlohmann::json::array();
  for (const AtSpeed& one : results) {
    object["speeds"].push_back({{"speed", one.speed},
                                {"moved", to_json(one, &FigureCompared::lateness)},
                                {"is_safe", one.is_safe()}});
  }
  return object;
}

// Some of the figures by which a speed is safe.
TextRow row_of(std::string title, const AtSpeed& at, double FigureCompared::* share) {
  constexpr std::array shown = {"response_mean_s", "response_p50_s", "response_p95_s",
                                "slowdown_p95", "job_deviation_p95"};
  TextRow row{.title = std::move(title), .cells = {}};
  for (const char* const name : shown) {
    const auto found = std::ranges::find(at.figures, name, &FigureCompared::name);
    row.cells.push_back(
        found == at.figures.end() ? "-" : fmt::format("{:.2f}", 100 * std::abs((*found).*share)));
  }
  return row;
}

std::string text_of(const Calibration& result, const std::vector<AtSpeed>& results) {
  std::string text;
  for_each_field<Calibration>([&](const auto& each) {
    const double value = result.*each.member;
    const bool short_time = std::string_view(each.unit) == "s" && value < 1;
    text += fmt::format("{:<54} {:>12.4g} {}\n", each.meaning, short_time ? value * 1e3 : value,
                        short_time                           ? "ms"
                        : std::string_view(each.unit) == "1" ? ""
                                                             : each.unit);
  });
  std::vector<TextRow> rows{
      {.title = "results move by [%]",
       .cells = {"response", "median", "p95", "slowdown p95", "job p95", ""}}};
  for (const AtSpeed& one : results) {
    rows.push_back(
        row_of(fmt::format("  at speed {:g}", one.speed), one, &FigureCompared::lateness));
    rows.back().cells.emplace_back(one.is_safe() ? "safe" : "");
  }
  rows.push_back(row_of("  by themselves", results.back(), &FigureCompared::sensitivity));
  rows.back().cells.emplace_back();
  return text + "\n" + aligned(rows);
}

int calibrate(const CalibrateOptions& options) {
  const Settings settings =
      value_or_throw(load_settings(options.config, overrides_of(options.common)));
  WorkloadSpec spec = value_or_throw(workload_spec_of(settings));
  const Workload workload = value_or_throw(workload_of(settings, spec));
  SOMNUS_CHECK(!workload.catalogue.jobs.empty(), "a workload without jobs");
  refuse_tasks_without_pmi();
  Calibration result{.ranks = options.ranks > 0 ? options.ranks : ranks_for_this_machine()};
  read_workload(workload, result);
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  if (!options.common.quiet) fmt::print(stderr, "up to half a minute: hurrying, then sleeping\n");
  const Probe hurrying{"hurrying", 20, 10000, 0, 0};
  result.tasks_per_s = throughput(run_probe(settings, result.ranks, scratch, hurrying));
  const FirstJobs part = part_of(settings, std::move(spec));
  result.jobs_simulated = static_cast<double>(part.workload.catalogue.jobs.size());
  // A machine is less late with the lighter load that a slower speed makes.
  constexpr int most_probes = 3;
  double speed = speed_by_rate(result);
  std::vector<AtSpeed> results;
  for (int probe = 1; probe <= most_probes; ++probe) {
    const Log log =
        run_probe(settings, result.ranks, scratch, at_speed(result, slots_of(settings), speed));
    read_lateness(log, result);
    results = results_at(speed, settings, part, late_machine_of(log.tables));
    if (results.size() <= 2) break;
    if (probe < most_probes) speed = two_digits_down(2 * results.back().speed);
  }
  if (results.back().is_safe()) result.safe_speed = results.back().speed;
  print_result(
      options.common, [&] { return as_json(result, results); },
      [&] { return text_of(result, results); });
  return exit_fine;
}

void describe(CLI::App& app, CalibrateOptions& options) {
  app.add_option("config", options.config, "the run to find a safe speed for")
      ->required()
      ->type_name("CONFIG");
  app.add_option("--ranks", options.ranks, "as of run")->check(CLI::Range(0, 4096));
  add_set(app, options.common, "cluster.nodes=100");
  add_output(app, options.common);
}

const Registered<Command> row = command("calibrate", CommandGroup::runs,
                                        "measure how late this machine's ranks are, and find the "
                                        "highest speed at which that moves no result",
                                        describe, calibrate);

}  // namespace
}  // namespace somnus::command_calibrate
