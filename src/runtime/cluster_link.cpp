#include "runtime/cluster_link.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>

namespace somnus {
namespace {

constexpr int pings_at_start = 16;
constexpr int most_packets_at_once = 1000;
constexpr RealDuration between_looks = std::chrono::milliseconds(100);
constexpr RealDuration before_start = std::chrono::milliseconds(20);

std::int64_t ns(RealTime time) { return time.time_since_epoch().count(); }

}  // namespace

ClusterLink::ClusterLink(Roll& roll, const Cluster& cluster, const Catalogue& catalogue,
                         Options options)
    : roll_(roll),
      options_(options),
      patience_(options.spin, options.poll),
      check_(cluster, roll.wire().size() - 1, catalogue),
      workers_(static_cast<std::size_t>(roll.wire().size() - 1)),
      outgoing_(workers_.size()) {}

void ClusterLink::meet(std::string_view settings) {
  const int ranks = roll_.wire().size();
  for (int rank = 1; rank < ranks; ++rank) roll_.post(rank, packet(Hello{settings}));
  const auto wait_for = [&](auto&& all_there) {
    while (!std::ranges::all_of(workers_, all_there)) {
      roll_.obey_stop();
      wait(ScaledClock::real_now() + std::chrono::milliseconds(100));
    }
  };
  wait_for([](const WorkerFacts& facts) { return facts.is_ready; });
  for (int round = 0; round < pings_at_start; ++round) {
    for (int rank = 1; rank < ranks; ++rank) {
      const std::size_t before = worker(rank).sync.count();
      roll_.post(rank, packet(Ping{ns(ScaledClock::real_now())}));
      wait_for([&](const WorkerFacts& facts) {
        return &facts != &worker(rank) || facts.sync.count() > before;
      });
    }
  }
}

ScaledClock ClusterLink::start(double speed, Time from) {
  speed_ = speed;
  const RealTime goes_on = ScaledClock::real_now() + before_start;
  const RealTime begin = goes_on - (ScaledClock(goes_on, speed).real(from) - goes_on);
  for (int rank = 1; rank < roll_.wire().size(); ++rank) {
    worker(rank).offset_at_start = worker(rank).sync.offset();
    worker(rank).uncertainty = worker(rank).sync.uncertainty();
    roll_.post(rank, packet(Start{.start_ns = ns(begin) + worker(rank).offset_at_start,
                                  .speed = speed,
                                  .from = from}));
  }
  std::this_thread::sleep_until(goes_on);
  return {begin, speed};
}

std::vector<int> ClusterLink::stop(RealDuration patience) {
  const int ranks = roll_.wire().size();
  for (int rank = 1; rank < ranks; ++rank) roll_.post(rank, packet(Stop{}));
  const RealTime give_up = ScaledClock::real_now() + patience;
  std::vector<int> silent;
  for (;;) {
    silent.clear();
    bool waiting = false;
    for (int rank = 1; rank < ranks; ++rank) {
      if (worker(rank).said_farewell) continue;
      silent.push_back(rank);
      waiting = waiting || !roll_.has_failed(rank);
    }
    if (!waiting || ScaledClock::real_now() >= give_up) return silent;
    roll_.ping_when_due();
    try {
      if (!poll()) patience_.wait(give_up);
    } catch (const WorldError&) {
      // Who fails now is among the silent.
    }
  }
}

void ClusterLink::announce(const JobNews& news) {
  for (Outgoing& batches : outgoing_) batches.put(news);
}

void ClusterLink::flush() {
  for (std::size_t at = 0; at < outgoing_.size(); ++at) {
    outgoing_[at].for_each([&]<class T>(std::vector<T>& records) {
      if (!records.empty())
        roll_.post(static_cast<int>(at) + 1, packet(std::span<const T>(records)));
      records.clear();
    });
  }
}

void ClusterLink::receive(Time, Reports& reports) {
  // Not all there is: where more comes than can be dealt with, that would never end.
  for (int taken = 0; taken < most_packets_at_once && poll(); ++taken) {
  }
  reports.append(arrived_);
  arrived_.clear();
}

void ClusterLink::wait(RealTime deadline) {
  for (;;) {
    const RealTime now = ScaledClock::real_now();
    if (now >= next_look_) {
      roll_.look();
      next_look_ = now + between_looks;
    }
    if (poll()) {
      patience_.refresh();
      return;
    }
    const auto* stop = roll_.rules().stop;
    if (now >= deadline || (stop != nullptr && stop->load() != 0)) return;
    patience_.wait(deadline);
  }
}

bool ClusterLink::poll() {
  int from = 0;
  if (!roll_.receive(from, packet_)) return false;
  visit_packet(packet_, [&](const auto& contents) {
    if constexpr (requires { on(from, contents); }) {
      on(from, contents);
    } else {
      throw WorldError(fmt::format("{} sent rank 0 what only rank 0 sends", roll_.name_of(from)));
    }
  });
  return true;
}

void ClusterLink::on(int from, std::span<const WorkerReady> ready) {
  worker(from).ready = ready.front();
  worker(from).is_ready = true;
}

void ClusterLink::on(int from, std::span<const Pong> pong) {
  WorkerFacts& facts = worker(from);
  facts.sync.add(pong.front().sent_ns, pong.front().worker_ns, ns(ScaledClock::real_now()));
  facts.uncertainty = std::max(facts.uncertainty, facts.sync.uncertainty());
}

template <ReportMessage Report>
void ClusterLink::on(int from, std::span<const Report> reports) {
  const Duration back = ahead(worker(from));
  for (Report report : reports) {
    if (const std::string objection = check_.objection(from, report); !objection.empty()) {
      throw WorldError(
          fmt::format("{} reported what can't be: {}; do all ranks run the same "
                      "version of somnus?",
                      roll_.name_of(from), objection));
    }
    const auto correct = [&](Time& stamp) {
      if (stamp != never) stamp -= back;
    };
    std::apply([&](const auto... stamps) { (correct(report.*stamps), ...); }, Report::stamps());
    arrived_.put(report);
  }
}

void ClusterLink::on(int from, std::span<const Farewell> farewell) {
  worker(from).farewell = farewell.front();
  worker(from).said_farewell = true;
}

Duration ClusterLink::ahead(const WorkerFacts& facts) const {
  const std::int64_t drift = facts.sync.offset() - facts.offset_at_start;
  if (std::abs(drift) / 2 <= facts.sync.uncertainty()) return {};
  return Duration(static_cast<std::int64_t>(static_cast<double>(drift) * speed_));
}

}  // namespace somnus
