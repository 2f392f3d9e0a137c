#include "runtime/membership.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <future>
#include <thread>
#include <unordered_map>
#include <utility>

namespace somnus {
namespace {

constexpr RealDuration most_between_pings = std::chrono::seconds(1);
constexpr RealDuration between_glances = std::chrono::milliseconds(10);

double in_real_seconds(RealDuration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

std::string this_host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

Membership::Membership(Wire& wire, MembershipRules rules)
    : wire_(wire),
      rules_(std::move(rules)),
      entries_(static_cast<std::size_t>(wire.size())),
      missing_(wire.size() - 1) {
  entry(0).host = this_host();
  const RealTime now = ScaledClock::real_now();
  for (Entry& each : entries_) each.silence.begins(now);
}

void Membership::gather() {
  while (missing_ > 0) {
    obey_stop();
    discard_packets();
    look();
    std::this_thread::sleep_for(between_glances / 10);
  }
  called_ = true;
  number_hosts();
  for (int rank = 1; rank < wire_.size(); ++rank) {
    post(rank, packet(SilenceRules{.silence_ns = rules_.silence.count(),
                                   .ranks_here = static_cast<std::uint32_t>(ranks_on_host_of(rank)),
                                   .waits = rules_.waits ? 1U : 0U}));
  }
}

void Membership::run_while_monitoring(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  std::thread worker(std::move(task));
  try {
    while (done.wait_for(between_glances) != std::future_status::ready) {
      obey_stop();
      discard_packets();
      look();
    }
  } catch (...) {
    given_up_ = true;
    worker.detach();
    throw;
  }
  worker.join();
  done.get();
}

void Membership::run_to_completion(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  std::thread worker(std::move(task));
  while (done.wait_for(between_glances) != std::future_status::ready) {
    ping_when_due();
    try {
      discard_packets();
    } catch (const WorldError&) {
      // A worker that gives up now does not change what was gathered.
    }
  }
  worker.join();
  done.get();
}

void Membership::dismiss() {
  for (int rank = 1; rank < wire_.size(); ++rank) post(rank, packet(Leave{}));
}

void Membership::post(int to, Bytes packet) {
  ++messages_out_;
  wire_.send(to, std::move(packet));
}

bool Membership::receive(int& from, Bytes& packet) {
  if (!wire_.receive(from, packet)) return false;
  ++messages_in_;
  entry(from).silence.heard(ScaledClock::real_now());
  if (const std::string error = error_in(packet); !error.empty()) {
    throw WorldError(
        fmt::format("{} sent what nobody can read: {}; do all ranks run the same "
                    "version of somnus?",
                    name_of(from), error));
  }
  if (kind_of(packet) == packet_kind<HostName>) {
    if (entry(from).host.empty()) --missing_;
    const std::string_view host = contents<HostName>(packet).text;
    entry(from).host = host.empty() ? "?" : host;
  }
  if (kind_of(packet) == packet_kind<Failure>) {
    entry(from).failed = lost_ = true;
    throw WorldError(fmt::format("{}: {}", name_of(from), contents<Failure>(packet).text));
  }
  return true;
}

void Membership::ping_when_due() {
  const RealTime now = ScaledClock::real_now();
  if (now < next_ping_) return;
  next_ping_ = now + std::min(most_between_pings, rules_.silence / 4);
  for (int rank = 1; rank < wire_.size(); ++rank) {
    if (!entry(rank).host.empty()) post(rank, packet(Ping{now.time_since_epoch().count()}));
  }
}

void Membership::look() {
  ping_when_due();
  const RealTime now = ScaledClock::real_now();
  for (int rank = 1; rank < wire_.size(); ++rank) {
    entry(rank).silence.listened(now);
    if (entry(rank).silence.of(now) > rules_.silence) on_silence_of(rank, now);
  }
}

void Membership::on_silence_of(int rank, RealTime now) {
  const double silent_s = in_real_seconds(entry(rank).silence.of(now));
  lost_ = !rules_.waits || !called_;
  if (entry(rank).host.empty()) {
    throw WorldError(
        fmt::format("rank {} has not come: nothing was heard of it for {:.0f} s; it "
                    "may be stopped, or its host swaps or is cut off",
                    rank, silent_s));
  }
  if (lost_) {
    throw WorldError(
        fmt::format("{} is lost: nothing was heard of it for {:.0f} s; it may be "
                    "stopped, swapped out or cut off (run.silence_s says how long a "
                    "rank may be silent)",
                    name_of(rank), silent_s));
  }
  if (now - entry(rank).warned < rules_.silence) return;
  entry(rank).warned = now;
  rules_.warn(
      fmt::format("nothing was heard of {} for {:.0f} s; waiting for it, as run.on_silence "
                  "= \"wait\" says",
                  name_of(rank), silent_s));
}

void Membership::obey_stop() const {
  if (rules_.stop != nullptr && rules_.stop->load() != 0) {
    throw Stopped("stopped before the emulation began");
  }
}

void Membership::discard_packets() {
  constexpr int most_at_once = 1000;
  int from = 0;
  Bytes dropped;
  for (int taken = 0; taken < most_at_once && receive(from, dropped); ++taken) {
  }
}

RealDuration Membership::silence(int rank) const {
  return entry(rank).silence.of(ScaledClock::real_now());
}

RealDuration Membership::longest_silence(int rank) const {
  return entry(rank).silence.longest(ScaledClock::real_now());
}

std::string Membership::name_of(int rank) const {
  const std::string& host = entry(rank).host;
  return host.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} (host {})", rank, host);
}

void Membership::number_hosts() {
  std::unordered_map<std::string, std::uint32_t> numbers;
  for (Entry& each : entries_) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [of_host, is_new] = numbers.try_emplace(each.host, next);
    if (is_new) ranks_on_host_.push_back(0);
    each.host_number = of_host->second;
    ++ranks_on_host_[each.host_number];
  }
}

}  // namespace somnus
