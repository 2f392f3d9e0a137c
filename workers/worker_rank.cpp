#include "workers/worker_rank.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <utility>

#include "base/hash.hpp"

namespace somnus {
namespace {

std::uint64_t this_host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return hash64(name.data());
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto in_s = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return in_s(usage.ru_utime) + in_s(usage.ru_stime);
}

}  // namespace

WorkerRank::WorkerRank(Wire& wire, Build build, const std::atomic<int>* stop, RealDuration silence)
    : wire_(wire),
      build_(std::move(build)),
      stop_(stop),
      silence_(silence),
      patience_(/*spin=*/false, std::chrono::microseconds(200)) {}

void WorkerRank::live() {
  heard_ = ScaledClock::real_now();
  while (!over_) {
    if (do_what_there_is()) {
      patience_.refresh();
      continue;
    }
    watch_rank_0();
    patience_.wait(next_wake());
  }
}

bool WorkerRank::do_what_there_is() {
  try {
    bool busy = false;
    while (!over_ && hear()) busy = true;
    if (over_) return true;  // rank 0 listens to nothing after a farewell
    if (clock_ != nullptr) work(clock_->now());
    if (reports_.empty()) return busy;
    report();
    return true;
  } catch (const std::exception& error) {
    post(packet(Failure{error.what()}));
    throw;
  }
}

void WorkerRank::watch_rank_0() const {
  const bool asked_to_end = stop_ != nullptr && stop_->load() != 0;
  const RealDuration limit = asked_to_end ? silence_ / 10 : silence_;
  const RealDuration silent = ScaledClock::real_now() - heard_;
  if (silent <= limit) return;
  throw WorldError(fmt::format("rank 0 is lost: nothing was heard of it for {:.0f} s",
                               std::chrono::duration<double>(silent).count()));
}

bool WorkerRank::hear() {
  int from = 0;
  Bytes bytes;
  if (!wire_.receive(from, bytes)) return false;
  ++counts_.messages_in;
  heard_ = ScaledClock::real_now();
  visit_packet(bytes, [this](const auto& contents) {
    if constexpr (requires { this->on(contents); }) {
      this->on(contents);
    } else {
      throw Bug("rank 0 sent a packet that only workers send");
    }
  });
  return true;
}

void WorkerRank::on(const Hello& settings) {
  parts_ = build_(settings.text, wire_.rank() - 1, wire_.size() - 1);
  patience_ = Patience(parts_.spin, parts_.poll);
  if (parts_.thread_executor) {
    threads_ = std::make_unique<SlotThreads>();
  }
  post(packet(WorkerReady{.nodes = parts_.nodes->node_count(),
                          .slots = parts_.nodes->slot_count(),
                          .host = this_host()}));
}

void WorkerRank::on(std::span<const Ping> ping) {
  post(packet(
      Pong{.sent_ns = ping.front().sent_ns, .worker_ns = heard_.time_since_epoch().count()}));
}

void WorkerRank::on(std::span<const Start> start) {
  const RealTime begin{RealDuration(start.front().start_ns)};
  clock_ = std::make_unique<ScaledClock>(begin, start.front().speed);
}

void WorkerRank::on(std::span<const JobNews> news) {
  for (const JobNews& one : news) parts_.nodes->announce(one);
}

template <CommandMessage Command>
void WorkerRank::on(std::span<const Command> commands) {
  const Time now = clock_->now();
  for (const Command& command : commands) parts_.nodes->send(now, command);
}

void WorkerRank::on(std::span<const Stop>) {
  over_ = true;
  post(packet(farewell()));
}

void WorkerRank::work(Time now) {
  NodeSet& nodes = *parts_.nodes;
  if (threads_ != nullptr) {
    for (std::uint32_t slot = 0; threads_->woke(slot);) nodes.woke(now, slot);
  }
  nodes.advance(now, reports_);
  for (const NodeSet::Sleep& sleep : nodes.sleeps()) {
    threads_->sleep(sleep.slot, clock_->real(sleep.until));
  }
  nodes.forget_sleeps();
}

void WorkerRank::report() {
  reports_.for_each([this]<class Report>(const std::vector<Report>& reports) {
    if (!reports.empty()) post(packet(std::span<const Report>(reports)));
  });
  reports_.clear();
}

void WorkerRank::post(Bytes packet) {
  ++counts_.messages_out;
  wire_.send(0, std::move(packet));
}

RealTime WorkerRank::next_wake() const {
  const RealTime far = ScaledClock::real_now() + std::chrono::seconds(1);
  if (clock_ == nullptr) return far;
  return std::min(far, clock_->real(parts_.nodes->next()));
}

Farewell WorkerRank::farewell() const {
  Farewell counts = counts_;
  if (clock_ == nullptr) return counts;
  const Histogram& late = parts_.nodes->lateness();
  counts.sleep_error_p50 = in_seconds(late.quantile(0.5)) / clock_->speed();
  counts.sleep_error_p99 = in_seconds(late.quantile(0.99)) / clock_->speed();
  const Histogram& behind = parts_.nodes->behind();
  counts.late_p50 = in_seconds(behind.quantile(0.5));
  counts.late_p99 = in_seconds(behind.quantile(0.99));
  counts.late_max = in_seconds(behind.most());
  const double lived = in_seconds(Duration(clock_->now().time_since_epoch())) / clock_->speed();
  if (lived > 0) counts.cpu = cpu_seconds() / lived;
  return counts;
}

}  // namespace somnus
