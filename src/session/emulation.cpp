#include "session/emulation.hpp"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "config/config.hpp"
#include "log/run_state.hpp"
#include "log/writer.hpp"
#include "runtime/cluster_link.hpp"
#include "session/compose.hpp"
#include "session/resume.hpp"
#include "session/session.hpp"
#include "session/state_recovery.hpp"
#include "session/tables.hpp"
#include "transport/cpus.hpp"
#include "workers/worker_rank.hpp"

namespace somnus {
namespace {

// How long workers may take to say goodbye when mpirun wants us to end, and gives us a second.
constexpr RealDuration timeout_when_stopped = std::chrono::milliseconds(500);

RealDuration poll_of(const Settings& settings) {
  return RealDuration(static_cast<std::int64_t>(settings.run.poll_us * 1000));
}

bool spins(const Settings& settings, bool has_own_core) {
  switch (settings.run.poll) {
    case Poll::spin:
      return true;
    case Poll::sleep:
      return false;
    case Poll::automatic:
      return has_own_core;
  }
  throw Bug("a poll mode that nobody knows");
}

double cpu_share(double real_s) {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  const double cpu_s = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
  return real_s > 0 ? cpu_s / real_s : 0;
}

double real_seconds(RealDuration time) { return std::chrono::duration<double>(time).count(); }

double remarkable(double silent_s) { return silent_s > remarkable_silence_s ? silent_s : 0; }

// Rank 0's own row is filled when the recorder has counted.
std::vector<RankRow> rank_rows(const ClusterLink& link, const Membership& membership) {
  std::vector<RankRow> rows{{.rank = 0,
                             .host = membership.host_of(0),
                             .messages_in = membership.messages_in(),
                             .messages_out = membership.messages_out()}};
  for (const WorkerFacts& facts : link.workers()) {
    const int rank = static_cast<int>(rows.size());
    rows.push_back({.rank = static_cast<std::uint32_t>(rank),
                    .host = membership.host_of(rank),
                    .nodes = facts.ready.nodes,
                    .slots = facts.ready.slots,
                    .clock_offset = static_cast<double>(facts.sync.offset()) / 1e9,
                    .clock_uncertainty = static_cast<double>(facts.uncertainty) / 1e9,
                    .sleep_error_p50 = facts.totals.sleep_error_p50,
                    .sleep_error_p99 = facts.totals.sleep_error_p99,
                    .late_p50 = facts.totals.late_p50,
                    .late_p99 = facts.totals.late_p99,
                    .late_max = facts.totals.late_max,
                    .messages_in = facts.totals.messages_in,
                    .messages_out = facts.totals.messages_out,
                    .cpu = facts.totals.cpu,
                    .silent_max = real_seconds(membership.longest_silence(rank)),
                    .silent = remarkable(real_seconds(membership.silence(rank)))});
    rows.front().silent_max = std::max(rows.front().silent_max, facts.totals.silent_max);
  }
  return rows;
}

/// /ranks as far as it is known while the run goes on: which rank is silent, and the uncertainty of
/// clocks, which shows what the stamps in the log of a killed run are worth.
class LiveRanks {
 public:
  LiveRanks(const ClusterLink& link, const Membership& membership, LogWriter* log)
      : link_(link), membership_(membership), log_(log) {}

  /// Once the clocks have been compared, whenever they may be less certain than before, and while
  /// a rank is silent.
  void write() {
    if (log_ == nullptr) return;
    std::int64_t most = 0;
    for (const WorkerFacts& facts : link_.workers()) most = std::max(most, facts.uncertainty);
    const std::string silence = this->silence();
    if (most <= most_uncertain_ && silence == silence_) return;
    most_uncertain_ = most;
    silence_ = silence;
    for (const RankRow& row : rank_rows(link_, membership_)) log_->set(row);
  }
  [[nodiscard]] std::string silence() const {
    return words_for_silence(rank_rows(link_, membership_));
  }

 private:
  const ClusterLink& link_;
  const Membership& membership_;
  LogWriter* log_;
  std::int64_t most_uncertain_ = 0;
  std::string silence_;  // as in the log
};

void add_lateness(std::uint32_t rank, std::span<const LatenessCount> looks, LogTables& tables) {
  for (const LatenessCount& one : looks) {
    tables.lateness.push_back({.rank = rank, .up_to = one.up_to_s, .looks = one.looks});
  }
}

void add_lateness(const Recorder& recorder, const ClusterLink& link, double speed,
                  LogTables& tables) {
  add_lateness(0, lateness_counts(recorder.looks(), speed), tables);
  std::uint32_t rank = 0;
  for (const WorkerFacts& facts : link.workers()) add_lateness(++rank, facts.looks, tables);
}

void fill_rank_0(double real_s, LogTables& tables) {
  const SchedulerRow& scheduler = tables.scheduler;
  RankRow& rank_0 = tables.ranks.front();
  rank_0.late_p50 = scheduler.lag_p50;
  rank_0.late_p99 = scheduler.lag_p99;
  rank_0.late_max = scheduler.lag_max;
  rank_0.cpu = cpu_share(real_s);
}

std::string words_for_stop(int stop, const LogWriter* writer) {
  if (stop == stop_for_log && writer != nullptr) return writer->failure();
  return somnus::words_for_stop(stop);
}

void end_early(Emulation& emulation, std::string why) {
  emulation.complete = false;
  emulation.why = std::move(why);
}

void part_with_workers(ClusterLink& link, const Membership& membership, Emulation& emulation) {
  emulation.lost_ranks =
      link.stop(emulation.complete ? membership.rules().silence : timeout_when_stopped);
  if (emulation.lost_ranks.empty()) return;
  if (!emulation.why.empty() && membership.has_lost_a_rank()) return;  // it says who
  std::vector<std::string> names;
  for (const int rank : emulation.lost_ranks) names.push_back(membership.name_of(rank));
  const std::string also = emulation.why.empty() ? "" : fmt::format(" ({})", emulation.why);
  end_early(emulation, fmt::format("{} {} lost: no answer to the end of the run{}",
                                   fmt::join(names, ", "), names.size() > 1 ? "are" : "is", also));
}

void close_log(LogWriter& log, Emulation& emulation) {
  try {
    if (!log.failed()) log.close(emulation.log.tables, emulation.complete);
  } catch (const WorldError&) {
    // It has failed now.
  }
  if (!log.failed()) return;
  end_early(emulation, emulation.why.empty() ? log.failure() : emulation.why);
}

}  // namespace

MembershipRules membership_rules_of(const Settings& settings, const std::atomic<int>* stop) {
  return {.silence = RealDuration(static_cast<std::int64_t>(settings.run.silence_s * 1e9)),
          .waits = settings.run.on_silence == OnSilence::wait,
          .stop = stop,
          .warn = [](const std::string& what) { spdlog::warn("{}", what); }};
}

Emulation emulate(const std::shared_ptr<const Settings>& all_settings,
                  const std::shared_ptr<const Workload>& all_jobs, Membership& membership,
                  const EmulationOptions& options) {
  const Settings& settings = *all_settings;
  const Workload& workload = *all_jobs;
  const int ranks = membership.wire().size();
  const auto initial = std::make_shared<LogTables>();
  // It may be given up while it works, so it owns what it uses.
  membership.run_while_monitoring([all_settings, all_jobs, initial, ranks] {
    *initial = initial_tables(*all_settings, *all_jobs, ranks - 1);
  });
  membership.obey_stop();

  Emulation result{.log = {.header = log_header(settings, workload, "run", ranks),
                           .tables = std::move(*initial)}};
  LogTables& tables = result.log.tables;
  OutputOptions output_options = options.outputs;
  if (options.history != nullptr) {
    tables.resumes = resumes_of(*options.history, ranks);
    output_options.appears_on_request = true;
  }
  std::optional<Session> session;
  std::optional<Resumption> resumption;
  ClusterLink link(membership, settings.cluster, workload.catalogue,
                   {.spin = spins(settings, options.spin), .poll = poll_of(settings)});
  std::optional<LiveRanks> live_ranks;
  output_options.silence = [&live_ranks] { return live_ranks ? live_ranks->silence() : ""; };
  membership.run_to_completion([&] {
    session.emplace(settings, workload, result.log,
                    SessionOptions{.outputs = output_options,
                                   .keep_rows = options.keep_rows,
                                   .measure_latency = true,
                                   .at_samples =
                                       [&live_ranks] {
                                         if (live_ranks) live_ranks->write();
                                       },
                                   .stop = options.stop});
    if (options.history == nullptr) return;
    resumption.emplace(recover_state(*options.history, settings, workload, session->engine(),
                                     session->estimator(), session->recorder()));
    session->outputs().go_on_from(resumption->at);
  });
  result.has_log = session->writer() != nullptr;
  RealTime began = ScaledClock::real_now();
  try {
    link.meet(to_toml(settings));
    LinkedClock clock(link.start(settings.run.speed, resumption ? resumption->at : start_of_time));
    began = ScaledClock::real_now();
    live_ranks.emplace(link, membership, session->writer());
    live_ranks->write();
    const Ending ending = session->loop(clock, link, std::move(resumption)).run();
    result.note = note_on_end_of_time(ending, settings, session->engine().jobs());
    if (ending == Ending::stopped)
      end_early(result, words_for_stop(options.stop->load(), session->writer()));
  } catch (const Stopped&) {
    end_early(result, words_for_stop(options.stop->load(), session->writer()) +
                          " before the emulation began");
  } catch (const WorldError& error) {
    end_early(result, error.what());
  } catch (const UserError& error) {
    end_early(result, error.what());
    result.users_mistake = true;
  }
  const double real_s = real_seconds(ScaledClock::real_now() - began);
  session->outputs().end_progress();
  part_with_workers(link, membership, result);
  tables.ranks = rank_rows(link, membership);
  membership.run_to_completion([&] {
    session->finish();
    fill_rank_0(real_s, tables);
    add_lateness(session->recorder(), link, settings.run.speed, tables);
    if (result.has_log) close_log(*session->writer(), result);
    result.log.header.complete = result.complete;
  });
  return result;
}

std::string words_for_stop(int stop) {
  if (stop == stop_for_starter) return "stopped, as who started the ranks is gone,";
  return stop == SIGUSR1 ? "stopped" : fmt::format("stopped by {}", strsignal(stop));
}

void work(Wire& wire, MaySpin may_spin, const std::atomic<int>* stop) {
  const int cores = usable_cpus();
  const auto build = [may_spin, cores](std::string_view text, const WorkerRank::Identity& place) {
    const bool own_core = may_spin == MaySpin::yes && place.ranks_here < cores;
    const Settings settings = value_or_throw(parse_settings(text, "rank 0's settings", {}));
    const std::uint32_t nodes = settings.cluster.node_count();
    const std::uint32_t first = first_node_of(place.worker, place.workers, nodes);
    const std::uint32_t end = first_node_of(place.worker + 1, place.workers, nodes);
    NodeModel model = node_model_of(settings);
    model.external_sleep = settings.run.executor == ExecutorKind::thread;
    return WorkerParts{
        .nodes = std::make_unique<NodeSet>(settings.cluster, NodeId(first), end - first, model),
        .thread_executor = model.external_sleep,
        .spin = spins(settings, own_core),
        .poll = poll_of(settings)};
  };
  WorkerRank(wire, build, stop).run();
}

}  // namespace somnus
