// A worker rank in real time: it reports that it is there, builds its nodes on rank 0's Hello,
// answers pings, starts tasks when launches come, really sleeps until the next deadline or the next
// look at the network, reports what ended, and stays until rank 0 sends Leave.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/backoff.hpp"
#include "transport/command_check.hpp"
#include "transport/packets.hpp"
#include "transport/scaled_clock.hpp"
#include "transport/silence.hpp"
#include "workers/node_set.hpp"
#include "workers/slot_threads.hpp"

namespace somnus {

struct WorkerParts {
  std::unique_ptr<NodeSet> nodes;
  bool thread_executor = false;  // the nodes' model says external_sleep then
  bool spin = false;
  RealDuration poll{std::chrono::microseconds(100)};
};

class WorkerRank {
 public:
  /// Who it is: worker w of n (from 0), one of so many ranks on its host.
  struct Identity {
    int worker = 0;
    int workers = 1;
    int ranks_here = 1;
  };
  /// Makes its nodes out of rank 0's settings.
  using Build = std::function<WorkerParts(std::string_view settings, const Identity& place)>;

  /// stop: not 0 when this process has been asked to end; may be null. silence: until rank 0 has
  /// said how long it may be silent.
  WorkerRank(Wire& wire, Build build, const std::atomic<int>* stop,
             RealDuration silence = std::chrono::seconds(20));

  /// Until rank 0 says that all is over. Throws WorldError if rank 0 falls silent for too long; for
  /// longer than a tenth of that once this process has been asked to end. What goes wrong here is
  /// sent to rank 0 and thrown.
  void run();

 private:
  bool make_progress();  // false if there was nothing to do
  bool receive();        // takes one packet, if one has come; sets over_ at the last
  void give_up(const std::exception& why);
  void on(std::span<const SilenceRules> rules);
  void on(const Hello& settings);
  void on(std::span<const Ping> ping);
  void on(std::span<const Start> start);
  void on(std::span<const JobUpdate> updates);
  template <CommandMessage Command>
  void on(std::span<const Command> commands);
  void on(std::span<const Stop>);
  void on(std::span<const Leave>) { over_ = true; }
  template <class Command>
  void expect_sound(const Command& command) const;
  [[noreturn]] static void refuse(const std::string& what);
  void work(Time now);
  void report();
  void post(Bytes packet);
  void watch_rank_0();
  [[nodiscard]] RealTime next_wake() const;
  [[nodiscard]] WorkerTotals totals() const;

  Wire& wire_;
  Build build_;
  const std::atomic<int>* stop_;
  RealDuration silence_limit_;
  bool waits_ = false;  // for a silent rank 0
  int ranks_here_ = 1;
  Backoff backoff_;
  WorkerParts parts_;
  std::unique_ptr<SlotThreads> threads_;
  std::unique_ptr<ScaledClock> clock_;  // from the start on
  std::optional<CommandCheck> check_;   // from then on, too
  Time goes_on_;                        // that start, of a run that is resumed not its first
  Reports reports_;
  RealTime heard_;
  Silence silence_;  // rank 0's
  WorkerTotals counts_;
  std::size_t commands_ = 0;  // that came since the last work()
  bool sent_totals_ = false;
  bool over_ = false;
};

}  // namespace somnus
