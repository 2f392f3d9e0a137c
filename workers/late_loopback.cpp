#include "workers/late_loopback.hpp"

#include <algorithm>

namespace somnus {

LateLoopback::LateLoopback(const Cluster& cluster, const NodeModel& model, const LateRanks& late)
    : lateness_(late.ranks.at(0)), stream_(late.seed, "late rank", 0) {
  const auto workers = static_cast<int>(late.ranks.size()) - 1;
  SOMNUS_CHECK(workers > 0, "nobody emulates the nodes");
  workers_.reserve(static_cast<std::size_t>(workers));
  for (int at = 0; at < workers; ++at) {
    const std::uint32_t first = first_node_of(at, workers, cluster.node_count());
    const std::uint32_t end = first_node_of(at + 1, workers, cluster.node_count());
    const auto rank = static_cast<std::uint32_t>(at) + 1;
    workers_.push_back({.nodes = NodeSet(cluster, NodeId(first), end - first, model),
                        .lateness = late.ranks[rank],
                        .stream = RandomStream(late.seed, "late rank", rank)});
    worker_of_.resize(end, rank - 1);
    plan(workers_.back());
  }
}

// What has been sent or become due since may come before what it meant to look after.
void LateLoopback::plan(Worker& worker) {
  const Time due = worker.first_due();
  if (due >= worker.due) return;
  worker.due = due;
  worker.looks = std::min(worker.looks, due + worker.lateness.draw(worker.stream));
}

void LateLoopback::look(Worker& worker) {
  const Time now = worker.looks;
  while (worker.inbox.next() <= now) {  // those of one instant came in one go
    worker.inbox.take_due(worker.inbox.next(),
                          [&](Time, const auto& command) { worker.nodes.send(now, command); });
  }
  worker.nodes.advance(now, reports_);
  worker.due = worker.looks = never;
  plan(worker);
}

void LateLoopback::go_on(Time until) {
  for (;;) {
    Worker& first = *std::ranges::min_element(workers_, {}, &Worker::looks);
    if (first.looks > until) return;
    look(first);
  }
}

Time LateLoopback::next() const {
  return std::ranges::min_element(workers_, {}, &Worker::looks)->looks;
}

Time LateLoopback::first_report() const {
  Time first = never;
  reports_.for_each([&](const auto& reports) {
    for (const auto& report : reports) first = std::min(first, report.due);
  });
  return first;
}

void LateLoopback::receive(Time now, Reports& reports) {
  go_on(now);
  reports.append(reports_);
  reports_.clear();
}

Time LateLoopback::wait(Time until) {
  const bool workers_come_first = next() <= until;
  const Time woken = std::min(until, next());
  go_on(woken);
  const bool heard = !reports_.empty();
  if (workers_come_first && !heard) return woken;
  // A report that was late itself has been under way for as long.
  const Time due = heard ? std::min(first_report(), woken) : woken;
  const Time looks = std::max(woken, due + lateness_.draw(stream_));
  go_on(looks);
  return looks;
}

}  // namespace somnus
