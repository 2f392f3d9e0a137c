// Worker ranks in virtual time, any number of them, behind the wire on which rank 0's own link
// speaks: what rank 0 would send and receive with thousands of ranks is seen without a machine of
// so many. A rank looks at the wire every so often, as a real one that sleeps does, and wakes up by
// itself when a task of its nodes ends.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "runtime/cluster_link.hpp"
#include "workers/node_set.hpp"

namespace somnus {

class VirtualRanks final : public Wire {
 public:
  /// As many nodes to each as there can be. poll: between two looks at the wire.
  VirtualRanks(const Cluster& cluster, int workers, const NodeModel& model, Duration poll);

  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return static_cast<int>(workers_.size()) + 1; }
  void send(int to, Bytes bytes) override;
  bool receive(int& from, Bytes& bytes) override;

  /// Until then, or until rank 0 looks at the wire and something has come; when that is.
  Time live(Time until);

 private:
  struct Worker {
    NodeSet nodes;
    std::vector<Bytes> inbox{};  // since its last look
    Time looks = never;
  };

  /// When a rank that sleeps looks at the wire, for what has come by then.
  [[nodiscard]] Time poll_after(Time time) const;
  [[nodiscard]] Worker& worker(int rank) { return workers_[static_cast<std::size_t>(rank) - 1]; }
  void plan(int rank);
  void look(int rank);
  void answer(int rank, Bytes bytes) { answers_.emplace_back(rank, std::move(bytes)); }

  Time now_;  // at rank 0
  Duration poll_;
  std::vector<Worker> workers_;            // rank 1 first
  std::set<std::pair<Time, int>> agenda_;  // when ranks look next
  std::deque<std::pair<int, Bytes>> answers_;
  Time answered_;  // when the first of them was sent
};

/// The clock of a rank 0 among them.
class VirtualRanksClock {
 public:
  static constexpr bool foresees = false;

  explicit VirtualRanksClock(VirtualRanks& ranks) : ranks_(ranks) {}
  [[nodiscard]] Time now() const { return now_; }
  Time wait(Time until, ClusterLink&) { return now_ = std::max(now_, ranks_.live(until)); }

 private:
  VirtualRanks& ranks_;
  Time now_;
};

}  // namespace somnus
