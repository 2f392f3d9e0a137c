// The events of a run that was cut off, as far as its log has them whole.
//
// Tables are flushed one after the other, so those of a killed run end at different places. The
// history ends before the first event that is missing, or that is an end whose row in /tasks is
// missing. Any first part of the events is a history that could have been: what was decided
// follows from it, and attempts whose end is not among it are lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "log/backups.hpp"
#include "log/in_order.hpp"
#include "log/instants.hpp"
#include "log/log.hpp"
#include "model/workload.hpp"

namespace somnus {

/// Who reports the loss of an attempt: its node, with a row in /tasks; or nobody, as it was given
/// up with its node, and there may be no row.
enum class LossReporter : std::uint8_t { by_nodes, by_nobody };

class RunHistory {
 public:
  /// Rows of /tasks must point at stages and tasks that exist, the catalogue is the log's. until:
  /// where the run ends at the latest.
  RunHistory(Log log, const Catalogue& catalogue, LossReporter reporter, Time until);
  RunHistory(const RunHistory&) = delete;
  RunHistory& operator=(const RunHistory&) = delete;

  [[nodiscard]] const Log& log() const { return log_; }
  /// How many events it has; they have numbers from 0.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// visit(row of /events, its place in its table).
  template <class Visit>
  void visit(std::size_t number, Visit&& visit) const {
    events_.visit(number, std::forward<Visit>(visit));
  }
  [[nodiscard]] std::uint32_t rounds() const { return rounds_; }
  /// When a round of it was, whose rows say that time.
  [[nodiscard]] Time instant_of(std::uint32_t round, double time_s) const {
    return instants_.of(round, time_s).value();
  }
  /// Rows of /samples that are part of it.
  [[nodiscard]] std::size_t samples() const { return samples_; }
  /// Where its clock had stopped: later than all of it, but for the end of the run.
  [[nodiscard]] Time at() const { return at_; }

  /// How that attempt ended; nullptr: the log does not say.
  [[nodiscard]] const TaskRow* end_of(TaskId task, std::uint16_t attempt) const;
  /// Since when the attempt that followed that one, and was not its backup, could have been placed;
  /// `otherwise` if the log does not say.
  [[nodiscard]] Time ready_again(TaskId task, std::uint16_t attempt, Time otherwise) const;

 private:
  static std::uint64_t key(TaskId task, std::uint16_t attempt) {
    return (std::uint64_t{task.value()} << 16) | attempt;
  }
  [[nodiscard]] std::size_t whole_events(LossReporter reporter) const;
  [[nodiscard]] Time time_of(std::size_t number) const;

  Log log_;
  InOrder<EventRows> events_;
  Instants instants_;
  Backups backups_;
  std::unordered_map<std::uint64_t, std::uint32_t> rows_;  // of /tasks, by attempt
  std::size_t size_ = 0;
  std::size_t samples_ = 0;
  std::uint32_t rounds_ = 0;
  Time at_;
};

}  // namespace somnus
