// Rank 0's transport in real time: commands go out in batches, one a kind and rank, reports come
// in and are looked at before they are believed, clocks are compared.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/cluster.hpp"
#include "model/message.hpp"
#include "runtime/clock_sync.hpp"
#include "runtime/packets.hpp"
#include "runtime/patience.hpp"
#include "runtime/report_check.hpp"
#include "runtime/roll.hpp"
#include "runtime/scaled_clock.hpp"

namespace somnus {

/// What is known of a worker rank.
struct WorkerFacts {
  WorkerReady ready;
  bool is_ready = false;
  ClockSync sync;
  std::int64_t offset_at_start = 0;  // ns
  std::int64_t uncertainty = 0;      // of the offset, ns; the most since the start
  Farewell farewell;
  bool said_farewell = false;
};

class ClusterLink {
 public:
  struct Options {
    bool spin = false;
    RealDuration poll{std::chrono::microseconds(100)};
  };

  /// The roll has been called; it must outlive the link.
  ClusterLink(Roll& roll, const Cluster& cluster, const Catalogue& catalogue, Options options);

  /// Sends the settings to all workers, waits until they have built their nodes, compares clocks.
  /// Throws WorldError naming the rank that failed or did not answer.
  void meet(std::string_view settings);
  /// Starts the emulation everywhere, a moment from now: at time 0, or where it goes on.
  ScaledClock start(double speed, Time from = start_of_time);
  /// Stops all workers and collects their farewells, for at most that long. Returns the ranks that
  /// did not answer.
  std::vector<int> stop(RealDuration patience);

  // The transport.
  template <CommandMessage Command>
  void send(Time, const Command& command) {
    outgoing_[static_cast<std::size_t>(check_.rank_of(command.node)) - 1].put(command);
  }
  void announce(const JobNews& news);
  void flush();
  void receive(Time now, Reports& reports);
  [[nodiscard]] static Time next() { return never; }
  /// Returns at `deadline`, or as soon as something has come. Throws WorldError for a lost rank.
  void wait(RealTime deadline);

  [[nodiscard]] const std::vector<WorkerFacts>& workers() const { return workers_; }

 private:
  /// To one worker, in this order.
  using Outgoing = Batches<Joined<TypeList<JobNews>, CommandMessages>>;

  bool poll();  // takes one packet, if any has come
  void on(int from, std::span<const WorkerReady> ready);
  void on(int from, std::span<const Pong> pong);
  template <ReportMessage Report>
  void on(int from, std::span<const Report> reports);
  void on(int from, std::span<const Farewell> farewell);
  void on(int, const Present&) {}
  void on(int, const Failure&) {}  // the roll has thrown
  [[nodiscard]] WorkerFacts& worker(int rank) {
    return workers_[static_cast<std::size_t>(rank) - 1];
  }
  /// How far stamps of a worker, whose clock has drifted since the start, are ahead.
  [[nodiscard]] Duration ahead(const WorkerFacts& facts) const;

  Roll& roll_;
  Options options_;
  Patience patience_;
  double speed_ = 1;
  ReportCheck check_;
  std::vector<WorkerFacts> workers_;  // rank 1 first
  std::vector<Outgoing> outgoing_;    // by worker
  Reports arrived_;
  Bytes packet_;
  RealTime next_look_;
};

/// ScaledClock for the loop: waits on a ClusterLink.
class LinkedClock {
 public:
  explicit LinkedClock(ScaledClock clock) : clock_(clock) {}
  [[nodiscard]] Time now() const { return clock_.now(); }
  Time wait(Time until, ClusterLink& link) const {
    link.wait(clock_.real(until));
    return clock_.now();
  }

 private:
  ScaledClock clock_;
};

}  // namespace somnus
