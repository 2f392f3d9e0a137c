// external: an order that is a process of its own, in any language (order_protocol.hpp; policies.md
// 10). It hears of what happens to jobs, and is asked for the keys that have moved when a round
// begins, or, if it wants that, after each launch:
//
//     next = the unit with the least key, which the process gave                        [its own]
//
// Between its answers keys rest. A launch moves at most the key of its own unit in the same round;
// what it moves of others counts from the next round on. Until it gives a unit a key that is 0.
// Ties go to the earlier job, as everywhere. Under the virtual clock its thinking takes no time;
// under the real one decisions wait for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "external/external_process.hpp"
#include "external/order_protocol.hpp"
#include "scheduler/ranking.hpp"

namespace somnus {

class OrderProcess;

class ExternalOrder : public ProcessSettings {
 public:
  bool tiers = false;

  static constexpr auto fields() {
    return together(
        ProcessSettings::fields(),
        in_order(field("tiers", &ExternalOrder::tiers, "",
                       "the first number of a key is a tier, as scheduler.preemption needs them")));
  }

  [[nodiscard]] OrderTraits traits() const {
    return {.work_conserving = false, .draws = true, .has_tiers = tiers, .tiers_by = "tiers"};
  }

  Level level = Level::job;      // as the process says
  bool resort_per_task = false;  // the same
  using Key = order_protocol::Key;
  static constexpr KeyMoves moves = KeyMoves::when_tasks_start_or_end;

  /// Starts it. Throws WorldError, as all below do where it does not answer as it should.
  void on(const Configured& event);
  void on(const Submitted& event);
  void on(const Started& event);
  void on(const Ended& event);
  bool on(const Passed& event);
  void on(const RoundEnded& event);
  void on(const JobEnded& event);

  [[nodiscard]] Key key(const Unit& unit) const;
  [[nodiscard]] static bool waits(const Key& key) { return key.waits; }
  [[nodiscard]] std::uint32_t tier(const Unit& unit) const;
  [[nodiscard]] Time wakes_at() const;
  void blame(const std::string& deed) const;

 private:
  std::shared_ptr<OrderProcess> process_;  // of all copies
};
static_assert(Ranking<ExternalOrder>);

}  // namespace somnus
