// PAF: performance-aware fair scheduling (policies.md 5; the paper's Algorithm 1).
//
// Idea. On many slots a job's progress hardly grows with one more; on few it grows fast. So jobs
// that lose little give slots of their fair shares to jobs that gain much. Of each job j is known
// its curve p_j(x), the progress on x slots (progress_curve.hpp), and each time jobs have arrived
// or ended:
//
//     f_j  = weighted max-min fair share, of at most as many slots as its widest stage has
//            tasks                                                              (max_min.hpp)
//     x_j  = what it has after the exchange of slots; p_j(x_j) >= alpha p_j(f_j)
//                                                                               (exchange.hpp)
// Each free slot goes to the job with the least
//
//     running_j / x_j        tasks that run, for its target
//
// so no task is preempted, and what a job can't use the others take. A job whose target is 0 comes
// last. A job of which no curve is known keeps its fair share. Ties go to the earlier job.
//
// By that ratio jobs that wait for slots fill at one pace, whatever their weights, and small ones
// end as late as large ones; even with fair shares as targets that is not weighted fairness. fill =
// "weight" is ours: first those below their targets, by running / weight, then the others by
// running / target. Without curves it serves nearly as FAIR does while no job has more than its
// share.
//
// Slots beyond the target are new to the job, and where JVMs have to warm up its tasks take longer
// there than on those that it has. surplus = "leave", ours too, gives it none of them; best with
// placement own-slots, by which a job keeps its warm ones. A job whose target is 0 may still run
// one task.
//
// recompute = "once" leaves targets as they are when jobs end, as the simulator of the authors
// does: they are made when jobs arrive.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/ranking.hpp"

namespace somnus {

enum class Recompute : std::uint8_t { event, once };
template <>
struct EnumNames<Recompute> {
  static constexpr std::pair<Recompute, const char*> names[] = {{Recompute::event, "event"},
                                                                {Recompute::once, "once"}};
};

/// By what jobs are served until they have their targets.
enum class Fill : std::uint8_t { target, weight };
template <>
struct EnumNames<Fill> {
  static constexpr std::pair<Fill, const char*> names[] = {{Fill::target, "target"},
                                                           {Fill::weight, "weight"}};
};

/// What becomes of slots when all jobs have their targets.
enum class Surplus : std::uint8_t { share, leave };
template <>
struct EnumNames<Surplus> {
  static constexpr std::pair<Surplus, const char*> names[] = {{Surplus::share, "share"},
                                                              {Surplus::leave, "leave"}};
};

struct Paf {
  double alpha = 0.9;
  Recompute recompute = Recompute::event;
  Fill fill = Fill::target;
  Surplus surplus = Surplus::share;

  static constexpr auto fields() {
    return in_order(
        field("alpha", &Paf::alpha, "1",
              "of the progress on its fair share, what each job keeps at least",
              Range{.low = 1e-9, .high = 1}),
        field("recompute", &Paf::recompute, "",
              "event: targets change when jobs arrive or end; once: only when jobs arrive"),
        field("fill", &Paf::fill, "",
              "whose slots come first: target: least running / target; weight: those below their "
              "targets, by running / weight"),
        field("surplus", &Paf::surplus, "",
              "slots that are free when all jobs have their targets: share: as before; leave: they "
              "stay free"));
  }

  explicit Paf(double slots) : slots_(static_cast<std::uint64_t>(slots)) {}

  static constexpr Level level = Level::job;
  static constexpr bool resort_per_task = true;
  enum class Turn : std::uint8_t { below_target, by_target, no_target, waits };
  using Key = std::pair<Turn, Ratio<std::int64_t>>;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;

  void on(const Submitted& event);
  void on(const Regrouped& event);
  [[nodiscard]] Key key(const Unit& job) const;
  [[nodiscard]] bool waits(const Key& key) const { return key.first == Turn::waits; }
  [[nodiscard]] std::optional<Target> target_of(const Unit& job) const;
  [[nodiscard]] OrderTraits traits() const {
    return {.work_conserving = surplus == Surplus::share, .by_single_tasks = true};
  }

 private:
  struct Share {
    std::uint32_t most = 0;  // slots that it can use
    std::uint32_t fair = 0;
    std::uint32_t target = 0;
  };

  std::uint64_t slots_;
  std::vector<JobId> active_;  // when shares were made, and those that came since
  std::vector<Share> shares_;  // by job
  bool arrived_ = false;       // somebody, since shares were made
};
static_assert(Ranking<Paf>);

}  // namespace somnus
