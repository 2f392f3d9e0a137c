#include "workers/worker_rank.hpp"

#include <sys/resource.h>

#include <cmath>
#include <exception>
#include <utility>

#include "model/limits.hpp"
#include "runtime/membership.hpp"

namespace somnus {
namespace {

// For a rank 0 that pings every second.
constexpr RealDuration least_timeout = std::chrono::seconds(2);
// So long one that fails lets its last word reach rank 0.
constexpr RealDuration timeout_after_failure = std::chrono::seconds(5);
// So many commands do not wait for what comes behind them: rank 0 is to have something to do soon.
constexpr std::size_t enough_to_begin = 512;
constexpr double longest_wait_s = 86400;  // for the start, or since

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
      silence_limit_(silence),
      backoff_(/*spin=*/false, std::chrono::microseconds(200)) {}

void WorkerRank::run() {
  heard_ = ScaledClock::real_now();
  silence_.begins(heard_);
  post(packet(HostName{this_host()}));
  while (!over_) {
    if (make_progress()) {
      backoff_.refresh();
      continue;
    }
    watch_rank_0();
    backoff_.wait(next_wake());
  }
}

bool WorkerRank::make_progress() {
  try {
    bool busy = false;
    commands_ = 0;
    while (!over_ && commands_ < enough_to_begin && receive()) busy = true;
    if (over_ || sent_totals_) return busy;  // rank 0 takes no messages after a rank's totals
    if (clock_ != nullptr) work(clock_->now());
    if (reports_.empty()) return busy;
    report();
    return true;
  } catch (const std::exception& error) {
    give_up(error);
    throw;
  }
}

// A message leaves only while its sender looks after it.
void WorkerRank::give_up(const std::exception& why) {
  post(packet(Failure{in_words(why)}));
  const RealTime until = ScaledClock::real_now() + timeout_after_failure;
  const auto is_word_to_end = [](const Bytes& packet) {
    if (!error_in(packet).empty()) return false;
    const std::byte kind = kind_of(packet);
    return kind == packet_kind<Stop> || kind == packet_kind<Leave>;
  };
  int from = 0;
  for (Bytes bytes; ScaledClock::real_now() < until;) {
    if (!wire_.receive(from, bytes)) {
      backoff_.wait(until);
    } else if (is_word_to_end(bytes)) {
      return;
    }
  }
}

void WorkerRank::watch_rank_0() {
  const RealTime now = ScaledClock::real_now();
  silence_.listened(now);
  const bool asked_to_end = stop_ != nullptr && stop_->load() != 0;
  if (waits_ && !asked_to_end) return;
  const RealDuration limit =
      asked_to_end ? std::min(silence_limit_, std::max(silence_limit_ / 10, least_timeout))
                   : silence_limit_;
  if (silence_.of(now) <= limit) return;
  throw WorldError(fmt::format("rank 0 is lost: nothing was heard of it for {:.0f} s",
                               std::chrono::duration<double>(silence_.of(now)).count()));
}

bool WorkerRank::receive() {
  int from = 0;
  Bytes bytes;
  if (!wire_.receive(from, bytes)) return false;
  ++counts_.messages_in;
  heard_ = ScaledClock::real_now();
  silence_.heard(heard_);
  if (const std::string error = error_in(bytes); !error.empty()) {
    refuse("what nobody can read: " + error);
  }
  visit_packet(bytes, [this](const auto& contents) {
    if constexpr (requires { this->on(contents); }) {
      this->on(contents);
    } else {
      refuse("what only workers send");
    }
  });
  return true;
}

void WorkerRank::on(std::span<const SilenceRules> rules) {
  silence_limit_ = RealDuration(rules.front().silence_ns);
  waits_ = rules.front().waits != 0;
  ranks_here_ = static_cast<int>(rules.front().ranks_here);
}

void WorkerRank::on(const Hello& settings) {
  parts_ =
      build_(settings.text,
             {.worker = wire_.rank() - 1, .workers = wire_.size() - 1, .ranks_here = ranks_here_});
  backoff_ = Backoff(parts_.spin, parts_.poll);
  if (parts_.thread_executor) {
    threads_ = std::make_unique<SlotThreads>();
  }
  post(packet(
      WorkerReady{.nodes = parts_.nodes->node_count(), .slots = parts_.nodes->slot_count()}));
}

void WorkerRank::on(std::span<const Ping> ping) {
  post(packet(
      Pong{.sent_ns = ping.front().sent_ns, .worker_ns = heard_.time_since_epoch().count()}));
}

void WorkerRank::on(std::span<const Start> start) {
  const Start& all = start.front();
  if (parts_.nodes == nullptr) refuse("a start before the settings");
  const double from_s = in_seconds(all.from);
  const double wait_s =
      (static_cast<double>(all.start_ns) - static_cast<double>(heard_.time_since_epoch().count())) /
          1e9 +
      from_s / all.speed;
  const bool clock_is_sound = all.speed > 0 && all.speed <= most_speed && from_s >= 0 &&
                              from_s <= longest_exact_seconds && std::abs(wait_s) <= longest_wait_s;
  if (!clock_is_sound) {
    refuse(fmt::format("a start that can't be: in {} s, at speed {}, from {} s", wait_s, all.speed,
                       from_s));
  }
  if (all.tasks > most_tasks || all.jobs > all.tasks) {
    refuse(fmt::format("a start that can't be: of {} jobs with {} tasks", all.jobs, all.tasks));
  }
  clock_ = std::make_unique<ScaledClock>(RealTime(RealDuration(all.start_ns)), all.speed);
  check_.emplace(parts_.nodes->first(), parts_.nodes->node_count(), all);
  goes_on_ = all.from;
  parts_.nodes->go_on_from(goes_on_);
}

void WorkerRank::on(std::span<const JobUpdate> updates) {
  for (const JobUpdate& one : updates) {
    expect_sound(one);
    parts_.nodes->announce(one);
  }
}

template <CommandMessage Command>
void WorkerRank::on(std::span<const Command> commands) {
  commands_ += commands.size();
  for (const Command& command : commands) {
    expect_sound(command);
    parts_.nodes->send(clock_->now(), command);
  }
}

template <class Command>
void WorkerRank::expect_sound(const Command& command) const {
  if (!check_) refuse("a command before the start");
  const std::string objection = check_->objection(command);
  if (!objection.empty()) refuse("what can't be: " + objection);
}

void WorkerRank::refuse(const std::string& what) {
  throw WorldError(
      fmt::format("rank 0 sent {}; do all ranks run the same version of somnus?", what));
}

void WorkerRank::on(std::span<const Stop>) {
  sent_totals_ = true;
  if (clock_ != nullptr) {
    parts_.nodes->looked();
    const std::vector<LatenessCount> looks =
        lateness_counts(parts_.nodes->looks(), clock_->speed());
    if (!looks.empty()) post(packet(std::span<const LatenessCount>(looks)));
  }
  post(packet(totals()));
}

void WorkerRank::work(Time now) {
  NodeSet& nodes = *parts_.nodes;
  if (threads_ != nullptr) {
    for (std::uint32_t slot = 0; threads_->woke(slot);) nodes.woke(now, slot);
  }
  nodes.advance(now, reports_);
  for (const Sleep& sleep : nodes.sleeps()) {
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
  if (clock_ == nullptr || sent_totals_) return far;
  return std::min(far, clock_->real(parts_.nodes->next()));
}

WorkerTotals WorkerRank::totals() const {
  WorkerTotals counts = counts_;
  counts.silent_max = std::chrono::duration<double>(silence_.longest(heard_)).count();
  if (clock_ == nullptr) return counts;
  const Histogram& late = parts_.nodes->lateness();
  counts.sleep_error_p50 = in_seconds(late.quantile(0.5)) / clock_->speed();
  counts.sleep_error_p99 = in_seconds(late.quantile(0.99)) / clock_->speed();
  const Histogram& behind = parts_.nodes->behind();
  counts.late_p50 = in_seconds(behind.quantile(0.5));
  counts.late_p99 = in_seconds(behind.quantile(0.99));
  counts.late_max = in_seconds(behind.most());
  const double ran_for = in_seconds(clock_->now() - goes_on_) / clock_->speed();
  if (ran_for > 0) counts.cpu = cpu_seconds() / ran_for;
  return counts;
}

}  // namespace somnus
