#include "harness/virtual_ranks.hpp"

#include <algorithm>

namespace somnus {

VirtualRanks::VirtualRanks(const Cluster& cluster, int workers, const NodeModel& model,
                           Duration poll)
    : poll_(poll) {
  workers_.reserve(static_cast<std::size_t>(workers));
  for (int at = 0; at < workers; ++at) {
    const std::uint32_t first = first_node_of(at, workers, cluster.node_count());
    const std::uint32_t end = first_node_of(at + 1, workers, cluster.node_count());
    workers_.push_back({.nodes = NodeSet(cluster, NodeId(first), end - first, model)});
    answer(at + 1, packet(HostName{"virtual"}));
    plan(at + 1);
  }
}

void VirtualRanks::send(int to, Bytes bytes) {
  const std::byte kind = kind_of(bytes);
  if (kind == packet_kind<Hello>) {
    answer(to, packet(WorkerReady{worker(to).nodes.node_count(), worker(to).nodes.slot_count()}));
  } else if (kind == packet_kind<Ping>) {
    const std::int64_t real_now = ScaledClock::real_now().time_since_epoch().count();
    answer(to, packet(Pong{contents<Ping>(bytes).front().sent_ns, real_now}));
  } else if (kind == packet_kind<Stop>) {
    answer(to, packet(WorkerTotals{}));
  } else if (kind != packet_kind<SilenceRules> && kind != packet_kind<Start>) {
    worker(to).inbox.push_back(std::move(bytes));
    plan(to);
  }
}

bool VirtualRanks::receive(int& from, Bytes& bytes) {
  if (answers_.empty()) return false;
  from = answers_.front().first;
  bytes = std::move(answers_.front().second);
  answers_.pop_front();
  return true;
}

Time VirtualRanks::live(Time until) {
  for (;;) {
    const Time heard = answers_.empty() ? never : poll_after(answered_);
    const Time end = std::min(until, heard);
    if (agenda_.empty() || agenda_.begin()->first > end) {
      SOMNUS_CHECK(end != never, "nothing can happen any more");
      return now_ = std::max(now_, end);
    }
    look(agenda_.begin()->second);
  }
}

Time VirtualRanks::poll_after(Time time) const {
  const Duration since = time - start_of_time;
  return start_of_time + (since / poll_ + 1) * poll_;
}

void VirtualRanks::plan(int rank) {
  Worker& planned = worker(rank);
  agenda_.erase({planned.looks, rank});
  planned.looks = planned.nodes.next();
  if (!planned.inbox.empty()) planned.looks = std::min(planned.looks, poll_after(now_));
  if (planned.looks != never) agenda_.insert({planned.looks, rank});
}

void VirtualRanks::look(int rank) {
  Worker& looking = worker(rank);
  const Time now = looking.looks;
  for (const Bytes& bytes : looking.inbox) {
    visit_packet(bytes, [&]<class T>(const T& records) {
      if constexpr (requires { looking.nodes.send(now, records.front()); }) {
        for (const auto& command : records) looking.nodes.send(now, command);
      } else if constexpr (requires { looking.nodes.announce(records.front()); }) {
        for (const JobUpdate& update : records) looking.nodes.announce(update);
      }
    });
  }
  looking.inbox.clear();
  Reports reports;
  looking.nodes.advance(now, reports);
  if (answers_.empty()) answered_ = now;
  reports.for_each([&]<class T>(const std::vector<T>& records) {
    if (!records.empty()) answer(rank, packet(std::span<const T>(records)));
  });
  plan(rank);
}

}  // namespace somnus
