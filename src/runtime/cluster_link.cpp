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
      batches_(workers_.size()) {
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
    send(rank, text_packet(PacketKind::hello, settings));
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
      send(rank, packet(PacketKind::ping, Ping{ns(ScaledClock::real_now())}));
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
    send(rank, packet(PacketKind::start,
                      Start{.start_ns = ns(begin) + worker(rank).offset_at_start, .speed = speed}));
  }
  next_ping_ = begin + between_pings;
  std::this_thread::sleep_until(begin);
  return {begin, speed};
}

std::vector<int> ClusterLink::stop(RealDuration patience) {
  for (int rank = 1; rank < wire_.size(); ++rank) send(rank, packet(PacketKind::stop));
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

void ClusterLink::tell(const JobNews& news) {
  for (Batch& batch : batches_) batch.news.push_back(news);
}

void ClusterLink::flush() {
  for (std::size_t at = 0; at < batches_.size(); ++at) {
    const int rank = static_cast<int>(at) + 1;
    send(rank, PacketKind::news, batches_[at].news);
    send(rank, PacketKind::launches, batches_[at].launches);
    send(rank, PacketKind::asks, batches_[at].asks);
    send(rank, PacketKind::revokes, batches_[at].revokes);
  }
}

void ClusterLink::receive(Time, Reports& reports) {
  // Not all there is: where more comes than can be dealt with, that would never end.
  for (int taken = 0; taken < most_packets_at_once && poll(); ++taken) {
  }
  reports.completions.insert(reports.completions.end(), arrived_.completions.begin(),
                             arrived_.completions.end());
  reports.offers.insert(reports.offers.end(), arrived_.offers.begin(), arrived_.offers.end());
  reports.answers.insert(reports.answers.end(), arrived_.answers.begin(), arrived_.answers.end());
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

void ClusterLink::send(int to, Bytes bytes) {
  ++messages_out_;
  wire_.send(to, std::move(bytes));
}

template <Message Record>
void ClusterLink::send(int to, PacketKind kind, std::vector<Record>& records) {
  if (records.empty()) return;
  send(to, packet(kind, std::span<const Record>(records)));
  records.clear();
}

bool ClusterLink::poll() {
  int from = 0;
  if (!wire_.receive(from, packet_)) return false;
  ++messages_in_;
  worker(from).heard = ScaledClock::real_now();
  take(from);
  return true;
}

// Stamps of a worker whose clock has drifted since the start are brought back to rank 0's time.
template <class Message, class... Stamps>
void ClusterLink::translate(int from, Message& message, Stamps... stamps) const {
  const WorkerFacts& facts = workers_[static_cast<std::size_t>(from) - 1];
  const std::int64_t drift = facts.sync.offset() - facts.offset_at_start;
  if (std::abs(drift) / 2 <= facts.sync.uncertainty()) return;
  const Duration back(static_cast<std::int64_t>(static_cast<double>(drift) * speed_));
  const auto correct = [&](Time& stamp) {
    if (stamp != never) stamp -= back;
  };
  (correct(message.*stamps), ...);
}

void ClusterLink::take(int from) {
  WorkerFacts& facts = worker(from);
  switch (kind_of(packet_)) {
    case PacketKind::ready:
      facts.ready = records_in<WorkerReady>(packet_).front();
      facts.is_ready = true;
      return;
    case PacketKind::pong: {
      const Pong pong = records_in<Pong>(packet_).front();
      facts.sync.add(pong.sent_ns, pong.worker_ns, ns(facts.heard));
      facts.uncertainty = std::max(facts.uncertainty, facts.sync.uncertainty());
      return;
    }
    case PacketKind::ends:
      for (CompletionMessage message : records_in<CompletionMessage>(packet_)) {
        translate(from, message, &CompletionMessage::queued, &CompletionMessage::started,
                  &CompletionMessage::finished, &CompletionMessage::due);
        arrived_.completions.push_back(message);
      }
      return;
    case PacketKind::offers:
      for (OfferMessage message : records_in<OfferMessage>(packet_)) {
        translate(from, message, &OfferMessage::due);
        arrived_.offers.push_back(message);
      }
      return;
    case PacketKind::answers:
      for (AnswerMessage message : records_in<AnswerMessage>(packet_)) {
        translate(from, message, &AnswerMessage::due);
        arrived_.answers.push_back(message);
      }
      return;
    case PacketKind::farewell:
      facts.farewell = records_in<Farewell>(packet_).front();
      facts.said_farewell = true;
      return;
    case PacketKind::failure:
      throw WorldError(fmt::format("rank {}: {}", from, text_in(packet_)));
    case PacketKind::hello:
    case PacketKind::ping:
    case PacketKind::start:
    case PacketKind::news:
    case PacketKind::launches:
    case PacketKind::asks:
    case PacketKind::revokes:
    case PacketKind::stop:
      break;
  }
  throw Bug(fmt::format("rank {} sent rank 0 a packet that only rank 0 sends", from));
}

void ClusterLink::look_after_workers() {
  const RealTime now = ScaledClock::real_now();
  if (next_ping_ != RealTime{} && now >= next_ping_) {
    next_ping_ = now + between_pings;
    for (int rank = 1; rank < wire_.size(); ++rank) {
      send(rank, packet(PacketKind::ping, Ping{ns(now)}));
    }
  }
  for (int rank = 1; rank < wire_.size(); ++rank) {
    if (now - worker(rank).heard <= options_.silence) continue;
    throw WorldError(fmt::format("rank {} is lost: nothing was heard of it for {:.0f} s", rank,
                                 std::chrono::duration<double>(now - worker(rank).heard).count()));
  }
}

}  // namespace somnus
