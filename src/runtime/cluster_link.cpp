#include "runtime/cluster_link.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

namespace somnus {
namespace {

constexpr int pings_at_start = 16;
// Few enough that hardly any pong waits for another's, enough to hide their ways.
constexpr int compared_at_once = 8;
constexpr int most_packets_at_once = 1000;
constexpr RealDuration between_looks = std::chrono::milliseconds(100);
constexpr RealDuration before_start = std::chrono::milliseconds(20);

constexpr std::int64_t longest_uptime_ns = std::int64_t{1} << 61;  // 73 years
constexpr std::int64_t most_drift_ns = 3'600'000'000'000;

std::int64_t ns(RealTime time) { return time.time_since_epoch().count(); }

}  // namespace

ClusterLink::ClusterLink(Membership& membership, const Cluster& cluster, const Catalogue& catalogue,
                         Options options)
    : membership_(membership),
      options_(options),
      backoff_(options.spin, options.poll),
      jobs_(static_cast<std::uint32_t>(catalogue.jobs.size())),
      tasks_(static_cast<std::uint32_t>(catalogue.tasks)),
      check_(cluster, membership.wire().size() - 1, catalogue),
      workers_(static_cast<std::size_t>(membership.wire().size() - 1)),
      outgoing_(workers_.size()) {}

void ClusterLink::meet(std::string_view settings) {
  const int workers = membership_.wire().size() - 1;
  for (int rank = 1; rank <= workers; ++rank) membership_.post(rank, packet(Hello{settings}));
  const auto wait_until_all = [&](const int& are) {
    while (are < workers) {
      membership_.obey_stop();
      wait(ScaledClock::real_now() + std::chrono::milliseconds(100));
    }
  };
  wait_until_all(ready_);
  for (int begun = 0; begun < compared_at_once; ++begun) compare_next();
  wait_until_all(compared_);
}

void ClusterLink::compare_next() {
  if (comparing_ == membership_.wire().size() - 1) return;
  const int rank = ++comparing_;
  worker(rank).pings_left = pings_at_start;
  ping(rank);
}

void ClusterLink::ping(int rank) {
  membership_.post(rank, packet(Ping{ns(ScaledClock::real_now())}));
}

ScaledClock ClusterLink::start(double speed, Time from) {
  speed_ = speed;
  const RealTime goes_on = ScaledClock::real_now() + before_start;
  const RealTime begin = goes_on - (ScaledClock(goes_on, speed).real(from) - goes_on);
  for (int rank = 1; rank < membership_.wire().size(); ++rank) {
    worker(rank).offset_at_start = worker(rank).sync.offset();
    worker(rank).uncertainty = worker(rank).sync.uncertainty();
    membership_.post(rank, packet(Start{.start_ns = ns(begin) + worker(rank).offset_at_start,
                                        .speed = speed,
                                        .jobs = jobs_,
                                        .tasks = tasks_,
                                        .from = from}));
  }
  std::this_thread::sleep_until(goes_on);
  return {begin, speed};
}

std::vector<int> ClusterLink::stop(RealDuration timeout) {
  const int ranks = membership_.wire().size();
  for (int rank = 1; rank < ranks; ++rank) membership_.post(rank, packet(Stop{}));
  const RealTime give_up = ScaledClock::real_now() + timeout;
  while (!all_have_left() && ScaledClock::real_now() < give_up) {
    membership_.ping_when_due();
    try {
      if (!poll_all()) backoff_.wait(give_up);
    } catch (const WorldError&) {
      // Who fails now is among the silent.
    }
  }
  std::vector<int> silent;
  for (int rank = 1; rank < ranks; ++rank) {
    if (!worker(rank).sent_totals) silent.push_back(rank);
  }
  return silent;
}

bool ClusterLink::all_have_left() const {
  for (std::size_t at = 0; at < workers_.size(); ++at) {
    if (!workers_[at].sent_totals && !membership_.has_failed(static_cast<int>(at) + 1))
      return false;
  }
  return true;
}

ClusterLink::Outgoing& ClusterLink::to(int rank) {
  Outgoing& outgoing = outgoing_[static_cast<std::size_t>(rank) - 1];
  if (outgoing.empty()) posted_to_.push_back(rank);
  return outgoing;
}

void ClusterLink::announce(const JobUpdate& update) {
  subscribers_.publish(update, [&](int rank) { to(rank).put(update); });
}

void ClusterLink::post(int rank) {
  outgoing_[static_cast<std::size_t>(rank) - 1].for_each([&]<class T>(std::vector<T>& records) {
    if (!records.empty()) membership_.post(rank, packet(std::span<const T>(records)));
    records.clear();
  });
}

void ClusterLink::flush() {
  for (const int rank : posted_to_) post(rank);
  posted_to_.clear();
}

void ClusterLink::receive(Time, Reports& reports) {
  poll_all();
  reports.take(arrived_);
}

void ClusterLink::wait(RealTime deadline) {
  for (;;) {
    const RealTime now = ScaledClock::real_now();
    if (now >= next_look_) {
      membership_.look();
      next_look_ = now + between_looks;
    }
    if (poll()) {
      backoff_.refresh();
      return;
    }
    const auto* stop = membership_.rules().stop;
    if (now >= deadline || (stop != nullptr && stop->load() != 0)) return;
    backoff_.wait(deadline);
  }
}

// Not all there is: where more comes than can be dealt with, that would never end.
bool ClusterLink::poll_all() {
  int taken = 0;
  while (taken < most_packets_at_once && poll()) ++taken;
  return taken > 0;
}

bool ClusterLink::poll() {
  int from = 0;
  if (!membership_.receive(from, packet_)) return false;
  visit_packet(packet_, [&](const auto& contents) {
    if constexpr (requires { on(from, contents); }) {
      on(from, contents);
    } else {
      throw WorldError(
          fmt::format("{} sent rank 0 what only rank 0 sends", membership_.name_of(from)));
    }
  });
  return true;
}

void ClusterLink::on(int from, std::span<const WorkerReady> ready) {
  worker(from).ready = ready.front();
  if (!std::exchange(worker(from).is_ready, true)) ++ready_;
}

void ClusterLink::on(int from, std::span<const Pong> pong) {
  const std::int64_t now_ns = ns(ScaledClock::real_now());
  const auto [sent_ns, worker_ns] = pong.front();
  if (sent_ns < 0 || sent_ns > now_ns) refuse(from, "the answer to a ping that was not sent");
  if (worker_ns < -longest_uptime_ns || worker_ns > longest_uptime_ns) {
    refuse(from, fmt::format("a clock at {} ns", worker_ns));
  }
  WorkerFacts& facts = worker(from);
  facts.sync.add(sent_ns, worker_ns, now_ns);
  facts.uncertainty = std::max(facts.uncertainty, facts.sync.uncertainty());
  if (facts.pings_left == 0) return;
  if (--facts.pings_left > 0) {
    ping(from);
  } else {
    ++compared_;
    compare_next();
  }
}

template <NodeMessage Report>
void ClusterLink::on(int from, std::span<const Report> reports) {
  const Duration back = ahead(from);
  for (Report report : reports) {
    const std::string objection = check_.objection(from, report);
    if (!objection.empty()) refuse(from, objection);
    const auto correct = [&](Time& stamp) {
      if (stamp != never) stamp -= back;
    };
    std::apply([&](const auto... stamps) { (correct(report.*stamps), ...); }, Report::stamps());
    arrived_.put(report);
  }
}

void ClusterLink::on(int from, std::span<const LatenessCount> looks) {
  if (const std::string error = error_in(looks); !error.empty()) refuse(from, error);
  worker(from).looks.assign(looks.begin(), looks.end());
}

void ClusterLink::on(int from, std::span<const WorkerTotals> totals) {
  const WorkerTotals& last = totals.front();
  const double figures[] = {last.sleep_error_p50, last.sleep_error_p99, last.late_p50,
                            last.late_p99,        last.late_max,        last.cpu,
                            last.silent_max};
  const auto is_finite = [](double figure) { return std::isfinite(figure); };
  if (!std::ranges::all_of(figures, is_finite)) refuse(from, "a figure that is no number");
  worker(from).totals = last;
  worker(from).sent_totals = true;
}

Duration ClusterLink::ahead(int rank) const {
  const WorkerFacts& facts = workers_[static_cast<std::size_t>(rank) - 1];
  const std::int64_t drift = facts.sync.offset() - facts.offset_at_start;
  if (std::abs(drift) / 2 <= facts.sync.uncertainty()) return {};
  if (std::abs(drift) > most_drift_ns) {
    refuse(rank, fmt::format("a clock that went wrong by {} s", drift / 1'000'000'000));
  }
  // At a great speed it might be more than can be taken from a stamp.
  constexpr double most = 2e18;
  return Duration(
      static_cast<std::int64_t>(std::clamp(static_cast<double>(drift) * speed_, -most, most)));
}

void ClusterLink::refuse(int rank, const std::string& what) const {
  throw WorldError(
      fmt::format("{} reported what can't be: {}; do all ranks run the same version of somnus?",
                  membership_.name_of(rank), what));
}

}  // namespace somnus
