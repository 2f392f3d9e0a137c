// Which worker ranks rank 0 has, on which hosts, and when each last sent something. While rank 0
// does something long, such as loading a workload, a thread does that and the membership goes on: a
// silent worker is noticed at any time, and no worker takes a busy rank 0 for a lost one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "transport/packets.hpp"
#include "transport/silence.hpp"

namespace somnus {

/// This process was asked to end; the stop flag says why.
class Stopped : public WorldError {
 public:
  using WorldError::WorldError;
};

struct MembershipRules {
  RealDuration silence{std::chrono::seconds(20)};  // a worker is lost after that
  bool waits = false;                              // for a silent worker, and warns of it
  const std::atomic<int>* stop = nullptr;          // gives up a wait when not 0
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

class Membership {
 public:
  Membership(Wire& wire, MembershipRules rules);

  /// Waits until every worker has announced itself, and sends each the rules. Throws WorldError
  /// naming a rank that does not come.
  void gather();

  /// A thread does the work; returns, or throws, as that does. If a worker is lost meanwhile, or we
  /// are to stop, throws that instead and leaves the work alone: then given_up() says so, and the
  /// process has to end without waiting for that thread, which may use what the work refers to.
  void run_while_monitoring(std::function<void()> work);
  /// The same for what has to come to its end, such as closing a log: lost workers do not matter.
  void run_to_completion(std::function<void()> work);
  [[nodiscard]] bool given_up() const { return given_up_; }
  /// A worker has failed or fallen silent; the ranks can't end together then.
  [[nodiscard]] bool has_lost_a_rank() const { return lost_; }

  /// Lets all workers end; nothing is sent to them after that.
  void dismiss();

  // What the link needs.
  [[nodiscard]] Wire& wire() { return wire_; }
  [[nodiscard]] const MembershipRules& rules() const { return rules_; }
  void post(int to, Bytes packet);
  /// Takes one readable packet, if any has come; its sender is not silent. Throws WorldError for
  /// one that can't be read, or says why its sender gives up.
  bool receive(int& from, Bytes& packet);
  void ping_when_due();
  /// Pings that are due, and throws WorldError for a worker that is lost. To be called often.
  void look();
  /// It has sent word that it gives up.
  [[nodiscard]] bool has_failed(int rank) const { return entry(rank).failed; }
  /// Throws if this process was asked to stop.
  void obey_stop() const;

  /// "rank 7 (host n3)".
  [[nodiscard]] std::string name_of(int rank) const;
  // After gather():
  /// Number of its host, from 0 in order of ranks; rank 0 is one of them.
  [[nodiscard]] std::uint32_t host_of(int rank) const { return entry(rank).host_number; }
  [[nodiscard]] int ranks_on_host_of(int rank) const { return ranks_on_host_[host_of(rank)]; }

  /// Of a worker, until now.
  [[nodiscard]] RealDuration silence(int rank) const;
  /// The longest so far.
  [[nodiscard]] RealDuration longest_silence(int rank) const;
  [[nodiscard]] std::uint64_t messages_in() const { return messages_in_; }
  [[nodiscard]] std::uint64_t messages_out() const { return messages_out_; }

 private:
  struct Entry {
    std::string host;  // empty: it has not said yet that it is there
    Silence silence;
    RealTime warned;
    std::uint32_t host_number = 0;
    bool failed = false;
  };
  [[nodiscard]] Entry& entry(int rank) { return entries_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Entry& entry(int rank) const {
    return entries_[static_cast<std::size_t>(rank)];
  }
  void on_silence_of(int rank, RealTime now);
  void discard_packets();
  void number_hosts();

  Wire& wire_;
  MembershipRules rules_;
  std::vector<Entry> entries_;      // by rank
  int missing_;                     // workers that have not said yet that they are there
  std::vector<int> ranks_on_host_;  // by number
  RealTime next_ping_;
  bool called_ = false;
  bool given_up_ = false;
  bool lost_ = false;
  std::uint64_t messages_in_ = 0;
  std::uint64_t messages_out_ = 0;
};

/// The name of the host that this process runs on.
[[nodiscard]] std::string this_host();

}  // namespace somnus
