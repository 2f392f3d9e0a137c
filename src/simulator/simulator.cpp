#include "simulator/simulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <ranges>
#include <stdexcept>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "config/config.hpp"
#include "metrics/summary.hpp"
#include "runtime/virtual_clock.hpp"
#include "session/compose.hpp"
#include "session/session.hpp"
#include "session/simulation.hpp"
#include "session/tables.hpp"
#include "session/workload_source.hpp"
#include "simulator/what_if.hpp"
#include "workers/loopback.hpp"
#include "workload/shape.hpp"

namespace somnus {
namespace {

std::vector<Override> overrides_of(const std::vector<KeyValue>& settings) {
  std::vector<Override> overrides;
  for (const auto& [key, value] : settings) overrides.push_back({.key = key, .value = value});
  return overrides;
}

SimulatedJob::State state_of(const JobRow& row) {
  if (row.state == static_cast<std::uint8_t>(JobState::pending))
    return SimulatedJob::State::to_come;
  if (is_failure(row.state)) return SimulatedJob::State::failed;
  return row.state == static_cast<std::uint8_t>(JobState::finished) ? SimulatedJob::State::finished
                                                                    : SimulatedJob::State::active;
}

/// Text by text, number by number; two numbers that are none are equal.
template <Described Row>
bool equal(const Row& one, const Row& other) {
  bool same = true;
  for_each_field<Row>([&](const auto& field) {
    const auto& mine = one.*field.member;
    const auto& its = other.*field.member;
    same = same && (mine == its || (mine != mine && its != its));
  });
  return same;
}

/// But for those that the end cut off.
constexpr auto ended_attempts = std::views::filter([](const TaskRow& row) {
  return row.outcome != static_cast<std::uint8_t>(Outcome::unfinished);
});

std::vector<SimulatedJob> come_by(const Simulator& simulator) {
  std::vector<SimulatedJob> jobs = simulator.jobs();
  std::erase_if(jobs,
                [](const SimulatedJob& job) { return job.state == SimulatedJob::State::to_come; });
  return jobs;
}
bool stands_as(const SimulatedJob& one, const SimulatedJob& other) {
  return one.name == other.name && one.state == other.state && one.running == other.running &&
         one.unfinished == other.unfinished;
}

UserError unknown(const char* what, std::string_view name, const std::vector<std::string>& all) {
  Mistakes mistakes;
  mistakes.add(
      {.what = fmt::format("expected a {}, found '{}'", what, name), .hint = suggest(name, all)});
  return UserError(std::move(mistakes));
}

}  // namespace

/// The parts point to each other: it stays where it is.
class Simulator::Running {
 public:
  explicit Running(SimulatorInput given)
      : input(std::move(given)),
        workload(value_or_throw(workload_of(input.settings, input.spec))),
        log(initial_log(input.settings, workload)),
        session_(input.settings, workload, log, {}),
        nodes_(input.settings.cluster, NodeId(0U), input.settings.cluster.node_count(),
               node_model_of(input.settings)),
        transport_(nodes_),
        loop_(session_.loop(clock_, transport_)),
        next_look_(loop_.begin()) {}

  const SimulatorInput input;
  const Workload workload;
  Log log;
  Time now = start_of_time;
  std::optional<Ending> ending;

  [[nodiscard]] const Engine& engine() { return session_.engine(); }
  /// Throws what it failed with, if it did.
  void require_sound() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  void advance_to(Time time) {
    require_sound();
    while (!ending && next_look_ <= time) look();
    now = std::max(now, time);
  }
  bool step() {
    require_sound();
    const std::uint32_t rounds = loop_.rounds();
    while (!ending && loop_.rounds() == rounds) look();
    return !ending;
  }

 private:
  static Log initial_log(const Settings& settings, const Workload& workload) {
    Log log;
    log.header = log_header(settings, workload, "simulate", 1);
    log.tables = initial_tables(settings, workload, 0, Fluids::leave_out);
    return log;
  }

  void look() try {
    now = std::max(now, next_look_);
    ending = loop_.look(next_look_);
    if (!ending) return;
    session_.finish();
    log.header.complete = true;
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }

  Session session_;
  NodeSet nodes_;
  Loopback transport_;
  VirtualClock clock_;
  Loop<VirtualClock, Loopback, Recorder> loop_;
  Time next_look_;
  std::exception_ptr failure_;
};

Simulator::Simulator(std::unique_ptr<Running> running) : running_(std::move(running)) {}
Simulator::Simulator(Simulator&& other) noexcept = default;
Simulator& Simulator::operator=(Simulator&& other) noexcept = default;
Simulator::~Simulator() = default;

Simulator::Running& Simulator::running() const {
  if (!running_) throw std::logic_error("this Simulator has been moved from");
  return *running_;
}

Simulator Simulator::of_config(const std::filesystem::path& config,
                               const std::vector<KeyValue>& settings) {
  SimulatorInput input;
  input.settings = value_or_throw(load_settings(config, overrides_of(settings)));
  input.settings.log.file.clear();
  input.spec = value_or_throw(workload_spec_of(input.settings));
  return Simulator(std::make_unique<Running>(std::move(input)));
}

Simulator Simulator::of_workload(std::string_view config, WorkloadSpec workload,
                                 const std::vector<KeyValue>& settings) {
  std::vector<Override> overrides = overrides_of(settings);
  if (parse_settings(config, "config", overrides)) {
    throw UserError(mistake({.location = {.file = "config"},
                             .key = "workload",
                             .what = "expected neither file nor generator, as the jobs are given"})
                        .value());
  }
  overrides.push_back(text_override("workload.file", "the program's jobs"));
  SimulatorInput input;
  input.settings = value_or_throw(parse_settings(config, "config", overrides));
  input.settings.log.file.clear();
  input.settings.workload.location = {.file = "config"};
  input.spec = value_or_throw(shaped(value_or_throw(checked_in_order(std::move(workload))),
                                     input.settings.workload, input.settings.cluster,
                                     input.settings.run.seed, input.settings.workload.location));
  return Simulator(std::make_unique<Running>(std::move(input)));
}

double Simulator::now_s() const { return in_seconds(running().now); }
bool Simulator::ended() const { return running().ending.has_value(); }

std::string Simulator::note_on_end() const {
  if (!ended()) return {};
  return somnus::note_on_end(*running().ending, running().input.settings, running().engine());
}

void Simulator::advance_to(double time_s) {
  if (!(time_s >= 0 && time_s <= last_seconds)) {
    throw UserError(mistake({.what = fmt::format("expected a time of 0 to {} s, found {}",
                                                 last_seconds, time_s)})
                        .value());
  }
  running().advance_to(at_seconds(time_s));
}

bool Simulator::step() { return running().step(); }

void Simulator::finish() {
  while (step()) {
  }
}

std::vector<SimulatedJob> Simulator::jobs() const {
  const JobTable& known = running().engine().jobs();
  const Names& names = running().workload.names;
  std::vector<SimulatedJob> jobs;
  for (const JobRow& row : running().log.tables.jobs) {
    SimulatedJob job{.name = names.jobs[row.job],
                     .user = names.users[row.user],
                     .state = state_of(row),
                     .tasks = row.tasks,
                     .unfinished = row.tasks,
                     .submit_s = row.submit,
                     .first_start_s = row.first_start,
                     .finish_s = row.finish,
                     .alone_s = row.alone};
    if (known.known(JobId(row.job))) {
      job.running = known.running(JobId(row.job));
      job.unfinished = known.unfinished(JobId(row.job));
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

SimulatedJob Simulator::job(std::string_view name) const {
  std::vector<SimulatedJob> all = jobs();
  const auto found = std::ranges::find(all, name, &SimulatedJob::name);
  if (found == all.end()) throw unknown("job", name, running().workload.names.jobs);
  return std::move(*found);
}

std::vector<SimulatedNode> Simulator::nodes() const {
  const NodeTable& known = running().engine().nodes();
  std::vector<SimulatedNode> nodes;
  for (std::uint32_t at = 0; at < known.count(); ++at) {
    const NodeId node(at);
    nodes.push_back(
        {.up = known.up(node), .slots = known.slots(node), .placed = known.placed(node)});
  }
  return nodes;
}

std::vector<SimulatedAttempt> Simulator::attempts() const {
  const std::vector<StageRow>& stages = running().log.tables.stages;
  std::vector<SimulatedAttempt> attempts;
  for (const TaskRow& row : running().log.tasks) {
    attempts.push_back({.job = running().workload.names.jobs[row.job],
                        .stage = stages[row.stage].stage,
                        .task = row.index,
                        .attempt = row.attempt,
                        .node = row.node,
                        .slot = row.slot,
                        .outcome = name_of(static_cast<Outcome>(row.outcome)),
                        .ready_s = row.ready,
                        .placed_s = row.placed,
                        .start_s = row.start,
                        .finish_s = row.finish});
  }
  return attempts;
}

std::vector<Figure> Simulator::figures() const {
  if (!ended()) throw std::logic_error("figures are of a simulation that has ended: finish() it");
  const Summary summary = summarise(running().log, "", running().input.settings);
  std::vector<Figure> figures;
  for_each_field<Summary>([&](const auto& field) {
    figures.push_back({.name = field.name,
                       .unit = field.unit,
                       .meaning = field.meaning,
                       .value = summary.*field.member});
  });
  return figures;
}

double Simulator::figure(std::string_view name) const {
  std::vector<std::string> names;
  for (const Figure& each : figures()) {
    if (each.name == name) return each.value;
    names.push_back(each.name);
  }
  throw unknown("figure of the summary", name, names);
}

Simulator Simulator::fork(const WhatIf& what_if) const {
  running().require_sound();
  SimulatorInput input =
      value_or_throw(changed(running().input, what_if, running().now, running().engine().nodes()));
  input.spec = value_or_throw(checked_in_order(std::move(input.spec)));
  Simulator other(std::make_unique<Running>(std::move(input)));
  other.running().advance_to(running().now);
  SOMNUS_CHECK(std::ranges::equal(running().log.tasks | ended_attempts,
                                  other.running().log.tasks | ended_attempts, equal<TaskRow>),
               "attempts that a fork has seen end are others");
  SOMNUS_CHECK(std::ranges::equal(come_by(*this), come_by(other), stands_as),
               "jobs of a fork stand otherwise at the present");
  return other;
}

}  // namespace somnus
