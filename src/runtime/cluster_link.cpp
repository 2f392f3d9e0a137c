#include "runtime/cluster_link.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace somnus {
namespace {

constexpr int pings_at_start = 16;
constexpr int most_packets_at_once = 1000;
constexpr RealDuration between_pings = std::chrono::seconds(1);
constexpr RealDuration before_start = std::chrono::milliseconds(20);

std::int64_t ns(RealTime time) { return time.time_since_epoch().count(); }

}  // namespace

std::uint32_t first_node_of(int worker, int workers, std::uint32_t nodes) {
  return static_cast<std::uint32_t>(std::uint64_t{nodes} * static_cast<std::uint64_t>(worker) /
                                    static_cast<std::uint64_t>(workers));
}

ClusterLink::ClusterLink(Wire& wire, const Cluster& cluster, Options options)
    : wire_(wire),
      options_(options),
      patience_(options.spin, options.poll),
      rank_of_node_(cluster.node_count()),
      workers_(static_cast<std::size_t>(wire.size() - 1)),
      outgoing_(workers_.size()) {
  const int workers = wire.size() - 1;
  for (int worker = 0; worker < workers; ++worker) {
    const auto first = first_node_of(worker, workers, cluster.node_count());
    const auto last = first_node_of(worker + 1, workers, cluster.node_count());
    std::fill(rank_of_node_.begin() + first, rank_of_node_.begin() + last, worker + 1);
  }
}

void ClusterLink::meet(std::string_view settings) {
  const RealTime begin = ScaledClock::real_now();
  for (WorkerFacts& facts : workers_) facts.heard = begin;
  for (int rank = 1; rank < wire_.size(); ++rank) {
    post(rank, packet(Hello{settings}));
  }
  const auto wait_for = [&](auto&& all_there) {
    while (!std::ranges::all_of(workers_, all_there)) {
      if (options_.stop != nullptr && options_.stop->load() != 0) {
        throw WorldError("stopped before the emulation began");
      }
      wait(ScaledClock::real_now() + std::chrono::milliseconds(100));
    }
  };
  wait_for([](const WorkerFacts& facts) { return facts.is_ready; });
  for (int round = 0; round < pings_at_start; ++round) {
    for (int rank = 1; rank < wire_.size(); ++rank) {
      const std::size_t before = worker(rank).sync.count();
      post(rank, packet(Ping{ns(ScaledClock::real_now())}));
      wait_for([&](const WorkerFacts& facts) {
        return &facts != &worker(rank) || facts.sync.count() > before;
      });
    }
  }
}

ScaledClock ClusterLink::start(double speed) {
  speed_ = speed;
  const RealTime begin = ScaledClock::real_now() + before_start;
  for (int rank = 1; rank < wire_.size(); ++rank) {
    worker(rank).offset_at_start = worker(rank).sync.offset();
    worker(rank).uncertainty = worker(rank).sync.uncertainty();
    post(rank, packet(Start{.start_ns = ns(begin) + worker(rank).offset_at_start, .speed = speed}));
  }
  next_ping_ = begin + between_pings;
  std::this_thread::sleep_until(begin);
  return {begin, speed};
}

std::vector<int> ClusterLink::stop(RealDuration patience) {
  for (int rank = 1; rank < wire_.size(); ++rank) post(rank, packet(Stop{}));
  const RealTime give_up = ScaledClock::real_now() + patience;
  const auto all_said = [&] { return std::ranges::all_of(workers_, &WorkerFacts::said_farewell); };
  while (!all_said() && ScaledClock::real_now() < give_up) {
    if (!poll()) patience_.wait(give_up);
  }
  std::vector<int> silent;
  for (int rank = 1; rank < wire_.size(); ++rank) {
    if (!worker(rank).said_farewell) silent.push_back(rank);
  }
  return silent;
}

void ClusterLink::announce(const JobNews& news) {
  for (Outgoing& batches : outgoing_) batches.put(news);
}

void ClusterLink::flush() {
  for (std::size_t at = 0; at < outgoing_.size(); ++at) {
    outgoing_[at].for_each([&]<class T>(std::vector<T>& records) {
      if (!records.empty()) post(static_cast<int>(at) + 1, packet(std::span<const T>(records)));
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
  look_after_workers();
  for (;;) {
    if (poll()) {
      patience_.refresh();
      return;
    }
    const RealTime now = ScaledClock::real_now();
    if (now >= deadline) return;
    if (options_.stop != nullptr && options_.stop->load() != 0) return;
    if (now >= next_ping_) look_after_workers();
    patience_.wait(deadline);
  }
}

void ClusterLink::post(int to, Bytes packet) {
  ++messages_out_;
  wire_.send(to, std::move(packet));
}

bool ClusterLink::poll() {
  int from = 0;
  if (!wire_.receive(from, packet_)) return false;
  ++messages_in_;
  worker(from).heard = ScaledClock::real_now();
  visit_packet(packet_, [&](const auto& contents) {
    if constexpr (requires { on(from, contents); }) {
      on(from, contents);
    } else {
      throw Bug(fmt::format("rank {} sent rank 0 a packet that only rank 0 sends", from));
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
  facts.sync.add(pong.front().sent_ns, pong.front().worker_ns, ns(facts.heard));
  facts.uncertainty = std::max(facts.uncertainty, facts.sync.uncertainty());
}

template <ReportMessage Report>
void ClusterLink::on(int from, std::span<const Report> reports) {
  const Duration back = ahead(worker(from));
  for (Report report : reports) {
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

void ClusterLink::on(int from, const Failure& failure) {
  throw WorldError(fmt::format("rank {}: {}", from, failure.text));
}

Duration ClusterLink::ahead(const WorkerFacts& facts) const {
  const std::int64_t drift = facts.sync.offset() - facts.offset_at_start;
  if (std::abs(drift) / 2 <= facts.sync.uncertainty()) return {};
  return Duration(static_cast<std::int64_t>(static_cast<double>(drift) * speed_));
}

void ClusterLink::look_after_workers() {
  const RealTime now = ScaledClock::real_now();
  if (next_ping_ != RealTime{} && now >= next_ping_) {
    next_ping_ = now + between_pings;
    for (int rank = 1; rank < wire_.size(); ++rank) {
      post(rank, packet(Ping{ns(now)}));
    }
  }
  for (int rank = 1; rank < wire_.size(); ++rank) {
    if (now - worker(rank).heard <= options_.silence) continue;
    throw WorldError(fmt::format("rank {} is lost: nothing was heard of it for {:.0f} s", rank,
                                 std::chrono::duration<double>(now - worker(rank).heard).count()));
  }
}

}  // namespace somnus
