// Rank 0's transport in real time: commands go out in batches, one a kind and rank, reports come
// in, clocks are compared, and a worker that falls silent is noticed.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/cluster.hpp"
#include "model/message.hpp"
#include "runtime/clock_sync.hpp"
#include "runtime/packets.hpp"
#include "runtime/patience.hpp"
#include "runtime/scaled_clock.hpp"

namespace somnus {

/// Nodes are dealt to worker ranks in blocks: worker w of n (from 0) emulates
/// [nodes * w / n, nodes * (w + 1) / n).
[[nodiscard]] std::uint32_t first_node_of(int worker, int workers, std::uint32_t nodes);

/// What is known of a worker rank.
struct WorkerFacts {
  WorkerReady ready;
  bool is_ready = false;
  ClockSync sync;
  std::int64_t offset_at_start = 0;  // ns
  std::int64_t uncertainty = 0;      // of the offset, ns; the most since the start
  RealTime heard;
  Farewell farewell;
  bool said_farewell = false;
};

class ClusterLink {
 public:
  struct Options {
    bool spin = false;
    RealDuration poll{std::chrono::microseconds(100)};
    RealDuration silence{std::chrono::seconds(20)};  // a worker is lost after that
    const std::atomic<int>* stop = nullptr;          // gives up a wait when not 0
  };

  ClusterLink(Wire& wire, const Cluster& cluster, Options options);

  /// Sends the settings to all workers, waits until they have built their nodes, compares clocks.
  /// Throws WorldError naming the rank that failed or did not answer.
  void meet(std::string_view settings);
  /// Starts the emulation everywhere; time 0 is a moment from now.
  ScaledClock start(double speed);
  /// Stops all workers and collects their farewells, for at most that long. Returns the ranks that
  /// did not answer.
  std::vector<int> stop(RealDuration patience);

  // The transport.
  template <CommandMessage Command>
  void send(Time, const Command& command) {
    outgoing_[static_cast<std::size_t>(rank_of_node_[command.node.index()]) - 1].put(command);
  }
  void announce(const JobNews& news);
  void flush();
  void receive(Time now, Reports& reports);
  [[nodiscard]] static Time next() { return never; }
  /// Returns at `deadline`, or as soon as something has come. Throws WorldError for a lost rank.
  void wait(RealTime deadline);

  [[nodiscard]] const std::vector<WorkerFacts>& workers() const { return workers_; }
  [[nodiscard]] std::uint64_t messages_in() const { return messages_in_; }
  [[nodiscard]] std::uint64_t messages_out() const { return messages_out_; }

 private:
  /// To one worker, in this order.
  using Outgoing = Batches<Joined<TypeList<JobNews>, CommandMessages>>;

  void post(int to, Bytes packet);
  bool poll();  // takes one packet, if any has come
  void on(int from, std::span<const WorkerReady> ready);
  void on(int from, std::span<const Pong> pong);
  template <ReportMessage Report>
  void on(int from, std::span<const Report> reports);
  void on(int from, std::span<const Farewell> farewell);
  [[noreturn]] void on(int from, const Failure& failure);
  void look_after_workers();
  [[nodiscard]] WorkerFacts& worker(int rank) {
    return workers_[static_cast<std::size_t>(rank) - 1];
  }
  /// How far stamps of a worker, whose clock has drifted since the start, are ahead.
  [[nodiscard]] Duration ahead(const WorkerFacts& facts) const;

  Wire& wire_;
  Options options_;
  Patience patience_;
  double speed_ = 1;
  std::vector<int> rank_of_node_;
  std::vector<WorkerFacts> workers_;  // rank 1 first
  std::vector<Outgoing> outgoing_;    // by worker
  Reports arrived_;
  Bytes packet_;
  RealTime next_ping_;
  std::uint64_t messages_in_ = 0;
  std::uint64_t messages_out_ = 0;
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
