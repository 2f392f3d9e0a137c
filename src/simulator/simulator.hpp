// A simulation inside a program of your own: composed, advanced to a time, asked, and forked there.
// No file is needed, and none is written.
//
//   somnus::Simulator simulator = somnus::Simulator::of_config("laptop.toml");
//   simulator.advance_to(600);
//   somnus::Simulator other = simulator.fork({.losses = {{.node = 3}}});  // what if it died now?
//   simulator.finish();
//   other.finish();
//   other.figure("response_mean_s") - simulator.figure("response_mean_s");
//
// Times are seconds of emulated time since the start. One config and one seed have one result, in
// whatever steps it is simulated. What is wrong with a config or a workload is thrown as UserError,
// a std::runtime_error with a line a mistake; WorldError, another one, says that something outside
// failed, such as an order that is a process. A Simulator belongs to one thread at a time; several
// can be simulated side by side. One that has thrown on its way stays as it was, and throws the
// same again when it is to go on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "model/workload_spec.hpp"

namespace somnus {

/// A key of the config and its value, as `--set` takes them: {"workload.load", "0.8"}.
using KeyValue = std::pair<std::string, std::string>;

/// A job at present. Its start and end are as measured on the nodes, its tasks as the scheduler
/// knows of them. NaN: it has not happened.
struct SimulatedJob {
  enum class State : std::uint8_t { to_come, active, finished, failed };

  std::string name;
  std::string user;
  State state = State::to_come;
  std::uint32_t tasks = 0;
  std::uint32_t running = 0;     // tasks with an attempt at a node
  std::uint32_t unfinished = 0;  // tasks, those that run among them
  double submit_s = 0;
  double first_start_s = 0;
  double finish_s = 0;
  double alone_s = 0;  // response time alone in the idle cluster
};

/// A node as the scheduler knows it.
struct SimulatedNode {
  bool up = true;
  std::uint32_t slots = 0;
  std::uint32_t placed = 0;  // attempts that run or are queued there
};

/// An attempt that is over, or that the end cut off. NaN: it did not happen.
struct SimulatedAttempt {
  std::string job;
  std::uint32_t stage = 0;  // the number that it has in its job
  std::uint32_t task = 0;   // place in the stage, from 0
  std::uint32_t attempt = 0;
  std::uint32_t node = 0;
  std::uint32_t slot = 0;
  std::string outcome;  // "finished", "failed", "lost", ...
  double ready_s = 0;   // when the scheduler could first have placed it
  double placed_s = 0;
  double start_s = 0;
  double finish_s = 0;
};

/// A figure of the closing table.
struct Figure {
  std::string name;  // as in `somnus summary --json`
  std::string unit;
  std::string meaning;
  double value = 0;  // NaN: this simulation has none
};

/// What is different in a fork, from a nanosecond after the present on.
struct WhatIf {
  struct Loss {
    std::uint32_t node = 0;
    double for_s = 0;  // 0: for good
  };
  std::vector<JobSpec> jobs;           // come then, or at their `submit` if that is later
  std::vector<std::string> withdrawn;  // jobs whose `submit` is still to come, and that do not come
  std::vector<Loss> losses;
};

/// A simulation, in <somnus/simulator.hpp>.
class Simulator {
 public:
  /// As `somnus simulate CONFIG` with these settings.
  [[nodiscard]] static Simulator of_config(const std::filesystem::path& config,
                                           const std::vector<KeyValue>& settings = {});
  /// Of a config's text and these jobs, in any order. Its [workload] may shape them (`load` and so
  /// on), but names neither file nor generator. Paths in it are relative to the working directory.
  [[nodiscard]] static Simulator of_workload(std::string_view config, WorkloadSpec workload,
                                             const std::vector<KeyValue>& settings = {});
  Simulator(Simulator&& other) noexcept;
  Simulator& operator=(Simulator&& other) noexcept;
  ~Simulator();

  [[nodiscard]] double now_s() const;
  /// All jobs have ended, nothing can happen any more, or run.until_s has come.
  [[nodiscard]] bool ended() const;
  /// Why, if that is not because all jobs have; else empty.
  [[nodiscard]] std::string note_on_end() const;

  /// All that happens up to that time and at it, as far as the scheduler hears of it by then. A
  /// time that has passed changes nothing. After the end only the time goes on.
  void advance_to(double time_s);
  /// To the next instant at which the scheduler decides; false: it has ended.
  bool step();
  /// To the end.
  void finish();

  [[nodiscard]] std::vector<SimulatedJob> jobs() const;
  /// Throws UserError if no job is called so.
  [[nodiscard]] SimulatedJob job(std::string_view name) const;
  [[nodiscard]] std::vector<SimulatedNode> nodes() const;
  /// Those over by now, as the scheduler heard of them; after the end also those that it cut off,
  /// "unfinished".
  [[nodiscard]] std::vector<SimulatedAttempt> attempts() const;
  /// Of the whole simulation: after the end only, else throws std::logic_error.
  [[nodiscard]] std::vector<Figure> figures() const;
  /// Throws UserError if none is called so.
  [[nodiscard]] double figure(std::string_view name) const;

  /// Another future of the same past. It is simulated again up to the present, which takes as long
  /// as that past did, so that every scheduler can be forked; the fork's past is held against this
  /// one, attempt by attempt. Throws UserError if what is to be different cannot be.
  [[nodiscard]] Simulator fork(const WhatIf& what_if = {}) const;

 private:
  class Running;
  explicit Simulator(std::unique_ptr<Running> running);
  [[nodiscard]] Running& running() const;

  std::unique_ptr<Running> running_;
};

}  // namespace somnus
