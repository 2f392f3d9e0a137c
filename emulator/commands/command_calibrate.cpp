#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "emulator/commands/commands.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/compose/workload_source.hpp"
#include "record/reader.hpp"

namespace somnus {
namespace {

// A folder that goes with its owner.
class Scratch {
 public:
  Scratch() : path_((std::filesystem::temp_directory_path() / "somnus-calibrate-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw WorldError("cannot make a folder " + path_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

struct Probe {
  std::string name;
  std::uint64_t jobs;
  std::uint64_t tasks;  // of each
  double duration_s;
  double interval_s;
};

// Really emulates the probe on the user's cluster, at speed 1, and reads its log.
Log run_probe(const Settings& settings, int ranks, const Scratch& scratch, const Probe& probe) {
  Settings mine = settings;
  mine.workload = {};
  mine.workload.generator = "fixed";
  mine.workload.parameters = {{"jobs", probe.jobs},
                              {"tasks", probe.tasks},
                              {"duration_s", probe.duration_s},
                              {"interval_s", probe.interval_s}};
  mine.run.speed = 1;
  mine.run.until_s = 0;
  mine.faults = {};
  mine.log.file = scratch.file(probe.name + ".h5");
  const std::string config = scratch.file(probe.name + ".toml");
  std::ofstream(config) << to_toml(mine);
  std::vector<std::string> words = {"somnus", "run", config, "--quiet"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  const int code = run_under_mpirun(ranks, static_cast<int>(argv.size()), argv.data(), "");
  if (code != exit_fine) throw WorldError(fmt::format("the probe '{}' failed", probe.name));
  return value_or_throw(read_log(mine.log.file));
}

struct Calibration {
  int ranks = 0;
  double median_task_s = 0;
  double arriving_tasks_per_s = 0;  // emulated
  double burst_tasks = 0;
  double tasks_per_s = 0;
  double sleep_error_p50_s = 0;
  double sleep_error_p99_s = 0;
  double worker_late_p99_s = 0;
  double lag_p50_s = 0;
  double lag_p99_s = 0;
  double clock_uncertainty_s = 0;
  double safe_speed = 0;

  static constexpr auto fields() {
    using C = Calibration;
    return in_order(
        field("ranks", &C::ranks, "1", "ranks"),
        field("median_task_s", &C::median_task_s, "s", "median task of the workload"),
        field("arriving_tasks_per_s", &C::arriving_tasks_per_s, "1/s",
              "its tasks, in an emulated second"),
        field("burst_tasks", &C::burst_tasks, "1", "its jobs' tasks, as a task sees them"),
        field("tasks_per_s", &C::tasks_per_s, "1/s", "zero-length tasks through this machine"),
        field("sleep_error_p50_s", &C::sleep_error_p50_s, "s",
              "at the safe speed: sleep error, median"),
        field("sleep_error_p99_s", &C::sleep_error_p99_s, "s", "  p99"),
        field("worker_late_p99_s", &C::worker_late_p99_s, "s",
              "  launches and ends at workers, late, p99"),
        field("lag_p50_s", &C::lag_p50_s, "s", "  message latency and lag of rank 0, median"),
        field("lag_p99_s", &C::lag_p99_s, "s", "  p99"),
        field("clock_uncertainty_s", &C::clock_uncertainty_s, "s", "  clock uncertainty, largest"),
        field("safe_speed", &C::safe_speed, "x", "safe speed"));
  }
};

void read_latency(const Log& log, Calibration& result) {
  result.sleep_error_p50_s = result.sleep_error_p99_s = result.clock_uncertainty_s = 0;
  result.worker_late_p99_s = 0;
  for (const RankRow& rank : log.tables.ranks) {
    result.sleep_error_p50_s = std::max(result.sleep_error_p50_s, rank.sleep_error_p50);
    result.sleep_error_p99_s = std::max(result.sleep_error_p99_s, rank.sleep_error_p99);
    if (rank.rank > 0) {
      result.worker_late_p99_s = std::max(result.worker_late_p99_s, rank.late_p99);
    }
    result.clock_uncertainty_s = std::max(result.clock_uncertainty_s, rank.clock_uncertainty);
  }
  result.lag_p50_s = log.tables.scheduler.lag_p50;
  result.lag_p99_s = log.tables.scheduler.lag_p99;
}

double throughput(const Log& log) {
  double last = 0;
  for (const JobRow& job : log.tables.jobs) last = std::max(last, job.finish);
  return static_cast<double>(log.tasks.size()) / last;
}

void read_workload(const Workload& workload, Calibration& result) {
  std::vector<Duration> durations;
  for (const TrueDuration task : workload.truth.tasks) durations.push_back(task.value);
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::ranges::nth_element(durations, middle);
  result.median_task_s = in_seconds(*middle);
  const auto tasks = static_cast<double>(durations.size());
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

// An end is late by what its worker is, a launch or a sleep, and by rank 0's lag; both together may
// be 1 % of the median task.
double speed_by_latency(const Calibration& c) {
  return two_digits_down(0.01 * c.median_task_s / (c.worker_late_p99_s + c.lag_p99_s));
}

// Three real seconds as the workload would be at that speed: as many tasks a second, in jobs as
// wide as most tasks see, asleep for a second or as long as there are slots; 0 slots: no limit.
Probe at_speed(const Calibration& c, std::uint64_t slots, double speed) {
  constexpr double seconds_of_probe = 3;
  const double tasks_per_s = c.arriving_tasks_per_s * speed;
  const double width = std::clamp(c.burst_tasks, 1.0, std::max(1.0, tasks_per_s / 4));
  const double jobs = std::max(1.0, tasks_per_s * seconds_of_probe / width);
  const double longest_s = slots > 0 ? 0.7 * static_cast<double>(slots) / tasks_per_s : 1;
  return {.name = fmt::format("at-{}", speed),
          .jobs = static_cast<std::uint64_t>(jobs),
          .tasks = static_cast<std::uint64_t>(width),
          .duration_s = std::min(1.0, longest_s),
          .interval_s = seconds_of_probe / jobs};
}

void print(const Calibration& result, bool json) {
  nlohmann::json object;
  for_each_field<Calibration>([&](const auto& each) {
    const double value = result.*each.member;
    if (json) {
      object[each.name] = value;
      return;
    }
    const bool short_time = std::string_view(each.unit) == "s" && value < 1;
    fmt::print("{:<46} {:>12.4g} {}\n", each.meaning, short_time ? value * 1e3 : value,
               short_time                           ? "ms"
               : std::string_view(each.unit) == "1" ? ""
                                                    : each.unit);
  });
  if (json) fmt::print("{}\n", object.dump(2));
}

}  // namespace

int calibrate(const CalibrateOptions& options) {
  const Settings settings =
      value_or_throw(load_settings(options.config, overrides_of(options.common)));
  const Workload workload = value_or_throw(workload_of(settings));
  SOMNUS_CHECK(!workload.catalogue.jobs.empty(), "a workload without jobs");
  Calibration result{.ranks = options.ranks > 0 ? options.ranks : ranks_for_this_machine()};
  read_workload(workload, result);
  const std::uint64_t slots = settings.cluster.slot_count();
  const Scratch scratch;
  if (!options.common.quiet) fmt::print(stderr, "up to half a minute: hurrying, then sleeping\n");
  const Probe hurrying{"hurrying", 20, 10000, 0, 0};
  result.tasks_per_s = throughput(run_probe(settings, result.ranks, scratch, hurrying));
  // Slower until the machine keeps up with the load that the speed itself makes.
  double speed = speed_by_rate(result);
  constexpr int most_probes = 8;
  for (int probe = 0; probe < most_probes; ++probe) {
    read_latency(run_probe(settings, result.ranks, scratch, at_speed(result, slots, speed)),
                 result);
    const double kept = speed_by_latency(result);
    if (kept >= speed) break;
    speed = two_digits_down(std::max(kept, speed / 4));
  }
  result.safe_speed = speed;
  print(result, options.common.json);
  return exit_fine;
}

}  // namespace somnus
