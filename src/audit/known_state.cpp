#include "audit/known_state.hpp"

#include <algorithm>

#include "base/grid.hpp"
#include "log/in_order.hpp"

namespace somnus::audit {
namespace {

Duration longest_way_of_heartbeat(const Settings& settings) {
  const FaultSettings& faults = settings.faults;
  const double late_s = faults.heartbeat_late_probability > 0 ? faults.heartbeat_late_s : 0;
  const double network_ms = settings.network.delay_ms * (1 + settings.network.jitter);
  return seconds((network_ms + settings.heartbeat.delay_ms) / 1000 + late_s);
}

template <class... Visits>
struct Overloaded : Visits... {
  using Visits::operator()...;
};

}  // namespace

KnownState::KnownState(const Facts& facts)
    : reorder_(facts.settings->queue.reorder),
      way_of_heartbeat_(longest_way_of_heartbeat(*facts.settings)),
      may_be_ignored_(facts.settings->faults.missed_heartbeats > 0),
      estimates_(facts.catalogue.stages.size()),
      standing_(facts.catalogue.jobs.size()),
      beats_(facts.log.tables.nodes.size()) {
  const Catalogue& catalogue = facts.catalogue;
  std::vector<FineWork> of_task(estimates_.size());
  std::vector<FineWork> left(standing_.size());
  std::vector<bool> finished(catalogue.tasks);
  const Overloaded handle{
      [&](Time, const StageEstimated& event) {
        if (event.stage.index() >= of_task.size()) return;
        const Stage& stage = catalogue[event.stage];
        FineWork& mean = of_task[event.stage.index()];
        mean = FineWork::mean(seconds(event.slot_time.seconds), stage.tasks);
        estimates_[event.stage.index()] = mean.whole_ns();
        left[stage.job.index()] += stage.tasks * mean;
      },
      [&](Time now, const JobArrived& event) {
        const std::size_t job = event.job.index();
        if (job >= left.size()) return;
        standing_[job] = {{now, left[job].whole_ns(), catalogue.jobs[job].tasks}};
      },
      [&](Time now, const TaskEnded& event) {
        const bool counts = event.outcome == Outcome::finished &&
                            event.task.index() < finished.size() && !finished[event.task.index()];
        if (!counts) return;
        finished[event.task.index()] = true;
        const StageId stage = catalogue.stage_of[event.task.index()];
        const std::size_t job = catalogue[stage].job.index();
        if (standing_[job].empty()) return;
        left[job] -= of_task[stage.index()];
        const std::uint32_t unfinished = standing_[job].back().unfinished - 1;
        standing_[job].push_back({now, left[job].whole_ns(), unfinished});
      },
      [&](Time now, const NodeOffered& event) {
        if (event.node.index() < beats_.size()) beats_[event.node.index()].push_back(now);
      },
      [](Time, const auto&) {}};
  const InOrder<EventRows> events(facts.log.events);
  for (std::size_t at = 0; at < events.size(); ++at) {
    events.visit(at, [&]<class Kind>(const Stamped<Kind>& row, std::size_t) {
      handle(at_seconds(row.time), static_cast<const Kind&>(row));
    });
  }
}

std::optional<Time> KnownState::arrival(std::uint32_t job) const {
  if (standing_[job].empty()) return {};
  return standing_[job].front().time;
}

Time KnownState::last_beat(std::uint32_t node, Time before) const {
  const auto next = std::ranges::lower_bound(beats_[node], before);
  return next == beats_[node].begin() ? start_of_time : next[-1];
}

KnownState::LastUpdate KnownState::last_update(std::uint32_t node, Time now) const {
  // A node that is given up may not know it yet; what it says is not among the events.
  const Time latest =
      may_be_ignored_ ? now : std::min(now, last_beat(node, now + way_of_heartbeat_ + Duration(1)));
  return {.earliest = last_beat(node, now) - way_of_heartbeat_, .latest = latest};
}

std::optional<KnownState::Keys> KnownState::keys(const TaskRow& row, const LastUpdate& look) const {
  const auto key = [&](Time arrival, Duration remaining, std::uint32_t unfinished) {
    return reorder_->key({.estimate = estimates_[row.stage],
                          .arrival = arrival,
                          .remaining = remaining,
                          .unfinished = unfinished});
  };
  if (!reorder_->reorders) return Keys{key({}, {}, 0), key({}, {}, 0)};
  const std::vector<Step>& steps = standing_[row.job];
  if (steps.empty()) return {};
  const Time came = at_seconds(row.queued);
  // An event at the instant of a heartbeat may come after it; what a task's placing knew, its node
  // knows when it comes.
  const Time oldest = std::max(came, look.earliest);
  const Time newest = std::max(came, look.latest);
  const Time placed = at_seconds(row.placed);
  const auto is_old = [&](const Step& step) { return step.time < oldest || step.time <= placed; };
  auto step = std::ranges::partition_point(steps, is_old);
  if (step != steps.begin()) --step;
  Keys keys{key(steps.front().time, step->remaining, step->unfinished), 0};
  keys.most = keys.least;
  for (++step; step != steps.end() && step->time <= newest; ++step) {
    const std::int64_t one = key(steps.front().time, step->remaining, step->unfinished);
    keys = {std::min(keys.least, one), std::max(keys.most, one)};
  }
  return keys;
}

}  // namespace somnus::audit
