// Any number of worker ranks that cost nothing: whatever rank 0 sends is answered at once. What
// rank 0 does about its ranks is seen, and timed, without a machine of so many.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "transport/packets.hpp"
#include "transport/scaled_clock.hpp"
#include "transport/wire.hpp"

namespace somnus {

class PromptRanks final : public Wire {
 public:
  /// Rank 0 among them. `ranks_a_host` neighbours share a host.
  explicit PromptRanks(int ranks, int ranks_a_host = 50) : ranks_(ranks) {
    for (int rank = 1; rank < ranks; ++rank) {
      const std::string host = "n" + std::to_string(rank / ranks_a_host);
      answers_.emplace_back(rank, packet(HostName{host}));
    }
  }

  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return ranks_; }

  void send(int to, Bytes bytes) override {
    ++sent_[static_cast<std::size_t>(kind_of(bytes))];
    last_to_ = to;
    if (kind_of(bytes) == packet_kind<Hello>) answer(to, WorkerReady{.nodes = 1, .slots = 1});
    if (kind_of(bytes) == packet_kind<Stop>) answer(to, WorkerTotals{});
    if (kind_of(bytes) != packet_kind<Ping>) return;
    const std::int64_t now = ScaledClock::real_now().time_since_epoch().count();
    answer(to, Pong{.sent_ns = contents<Ping>(bytes).front().sent_ns, .worker_ns = now});
  }

  bool receive(int& from, Bytes& bytes) override {
    if (answers_.empty()) return false;
    from = answers_.front().first;
    bytes = std::move(answers_.front().second);
    answers_.pop_front();
    return true;
  }

  /// How many packets of that kind rank 0 has sent.
  template <class Packet>
  [[nodiscard]] std::uint64_t sent() const {
    return sent_[static_cast<std::size_t>(packet_kind<Packet>)];
  }
  /// Whom it has sent its last packet.
  [[nodiscard]] int last_to() const { return last_to_; }

 private:
  void answer(int from, const auto& record) { answers_.emplace_back(from, packet(record)); }

  int ranks_;
  int last_to_ = 0;
  std::deque<std::pair<int, Bytes>> answers_;
  std::array<std::uint64_t, Packets::size> sent_{};
};

}  // namespace somnus
