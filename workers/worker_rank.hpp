// A worker rank's life in real time: it builds its nodes when rank 0 says hello, answers pings,
// starts tasks when launches come, really sleeps until the next deadline or the next look at the
// network, and reports what ended.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/packets.hpp"
#include "runtime/patience.hpp"
#include "runtime/scaled_clock.hpp"
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
  /// Makes the nodes of worker w of n (from 0) out of rank 0's settings.
  using Build = std::function<WorkerParts(std::string_view settings, int worker, int workers)>;

  /// stop: not 0 when this process has been asked to end; may be null.
  WorkerRank(Wire& wire, Build build, const std::atomic<int>* stop,
             RealDuration silence = std::chrono::seconds(20));

  /// Until rank 0 says stop. Throws WorldError if rank 0 falls silent for longer than `silence`;
  /// for longer than a tenth of it once this process has been asked to end. What goes wrong here
  /// is told to rank 0 and thrown.
  void live();

 private:
  bool do_what_there_is();  // false if there was nothing
  bool hear();              // takes one packet, if one has come; sets over_ at stop
  void on(const Hello& settings);
  void on(std::span<const Ping> ping);
  void on(std::span<const Start> start);
  void on(std::span<const JobNews> news);
  template <CommandMessage Command>
  void on(std::span<const Command> commands);
  void on(std::span<const Stop>);
  void work(Time now);
  void report();
  void post(Bytes packet);
  void watch_rank_0() const;
  [[nodiscard]] RealTime next_wake() const;
  [[nodiscard]] Farewell farewell() const;

  Wire& wire_;
  Build build_;
  const std::atomic<int>* stop_;
  RealDuration silence_;
  Patience patience_;
  WorkerParts parts_;
  std::unique_ptr<SlotThreads> threads_;
  std::unique_ptr<ScaledClock> clock_;  // from the start on
  Reports reports_;
  RealTime heard_;
  Farewell counts_;
  bool over_ = false;
};

}  // namespace somnus
