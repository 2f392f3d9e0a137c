// Compares what the recorder noted of the scheduler while it ran with the results of a replay of
// its events: samples and targets, estimates, when stages became ready, and counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "log/log.hpp"
#include "scheduler/engine.hpp"
#include "session/target_rows.hpp"

namespace somnus {

class ReplayVerifier {
 public:
  /// What the engine's policy means jobs to have: as log.targets says, or nobody asks it.
  enum class Targets { some, none, not_known };
  /// Both must outlive it; the engine is the one that replays.
  ReplayVerifier(const Log& log, const Engine& engine, Targets has_targets)
      : log_(log), engine_(engine), has_targets_(has_targets), targets_(engine) {}

  /// Before the first event of a round is handled.
  void round_begins(Time now);
  /// After an event was handled.
  void happened(Time now, const JobArrived& event);
  void happened(Time /*now*/, const auto& /*event*/) {}
  /// After all events of a round were handled.
  void planning(Time now);
  /// At the end of the events; what it compares then is asked of complete logs only.
  void ends(std::uint64_t events, std::uint32_t rounds);

  /// The first row that differs; empty if there is none.
  [[nodiscard]] const std::string& difference() const { return difference_; }

 private:
  void expect(bool holds, auto&& text) {
    if (!holds && difference_.empty()) difference_ = text();
  }
  [[nodiscard]] bool was_before(const SampleRow& sample, Time now);
  [[nodiscard]] bool shows_now(const SampleRow& sample) const;
  [[nodiscard]] std::span<const TargetRow> targets_sent(const SampleRow& sample) const;
  /// Which of these rows, in words, differs from the replay's; empty if none does.
  [[nodiscard]] std::string other_target(const SampleRow& sample);
  /// All that happened up to it has been handled.
  void compare(const SampleRow& sample);
  void ready_times();

  const Log& log_;
  const Engine& engine_;
  const Targets has_targets_;
  TargetRows targets_;
  std::size_t next_sample_ = 0;
  std::size_t next_target_ = 0;
  std::string difference_;
};

}  // namespace somnus
