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
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "external/order_protocol.hpp"
#include "scheduler/ranking.hpp"

namespace somnus {

class OrderProcess;

class ExternalOrder {
 public:
  std::vector<std::string> command;
  std::string socket;
  double deadline_s = 10;
  bool tiers = false;
  bool trace = false;
  std::map<std::string, double> parameters;

  static constexpr auto fields() {
    using E = ExternalOrder;
    return in_order(
        field("command", &E::command, "", "the program and its arguments, a text each"),
        field("socket", &E::socket, "",
              "instead: a Unix socket, a file, at which the order listens"),
        field("deadline_s", &E::deadline_s, "s", "real time that it has for each answer",
              Range{.low = 0.001, .high = 86400}),
        field("tiers", &E::tiers, "",
              "the first number of a key is a tier, as scheduler.preemption needs them"),
        field("trace", &E::trace, "", "what is said goes to standard error, too"),
        field("parameters", &E::parameters, "", "numbers by name, which it gets at the start"));
  }

  [[nodiscard]] OrderTraits traits() const {
    return {.work_conserving = false, .draws = true, .has_tiers = tiers, .tiers_by = "tiers"};
  }
  [[nodiscard]] std::vector<ConfigError> config_errors(const Environment& environment) const;

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

 private:
  std::shared_ptr<OrderProcess> process_;  // of all copies
};
static_assert(Ranking<ExternalOrder>);

}  // namespace somnus
