// What a run had flushed when it was killed: each table ends somewhere, and no audit may hold that
// against it. The logs are of runs under the virtual clock, cut as the writing thread may have left
// them (record/writer.cpp), and otherwise as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "audit/check.hpp"
#include "cli/simulated.hpp"
#include "log/progress.hpp"
#include "metrics/summary.hpp"
#include "session/replay.hpp"

namespace somnus {
namespace {

/// How far the tables were after a round.
struct Moment {
  std::array<std::size_t, LongRows::size> rows{};
  std::vector<JobRow> jobs;
  std::vector<StageRow> stages;
};

/// The recorder, and what it had written after each round.
class Watched {
 public:
  Watched(Recorder& recorder, const Log& log) : recorder_(recorder), log_(log) { look(); }

  void round_begins() { recorder_.round_begins(); }
  void submitted(JobId job, Time due) { recorder_.submitted(job, due); }
  template <class Kind>
  void happened(Time now, std::uint32_t round, const Kind& event) {
    recorder_.happened(now, round, event);
  }
  template <class Kind>
  void decided(Time now, std::uint32_t round, const Kind& decision) {
    recorder_.decided(now, round, decision);
  }
  void ended(const CompletionMessage& completion) { recorder_.ended(completion); }
  void given_up(Time now, TaskId task, std::uint16_t attempt, NodeId node) {
    recorder_.given_up(now, task, attempt, node);
  }
  void handled(Duration late) { recorder_.handled(late); }
  void sample(Time now) {
    recorder_.sample(now);
    look();
  }
  void instant(Time now) {
    recorder_.instant(now);
    look();
  }

  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }

 private:
  void look() {
    Moment moment{.jobs = log_.tables.jobs, .stages = log_.tables.stages};
    LongRows::for_each([&]<class Row>(std::type_identity<Row>) {
      moment.rows[LongRows::place<Row>] = rows_of<Row>(log_).size();
    });
    moments_.push_back(std::move(moment));
  }

  Recorder& recorder_;
  const Log& log_;
  std::vector<Moment> moments_;
};

struct RunInMoments {
  Log log;
  std::vector<Moment> moments;
};

RunInMoments watched_run(const Settings& settings, const Workload& work) {
  RunInMoments run;
  run.log.header = log_header(settings, work, "simulate", 1);
  run.log.tables = initial_tables(settings, work, 0);
  const auto engine = engine_of(settings, work.catalogue, work.names);
  const auto estimator = estimator_of(settings, work);
  NodeSet nodes(settings.cluster, NodeId(0U), settings.cluster.node_count(),
                node_model_of(settings));
  Loopback transport(nodes);
  VirtualClock clock;
  Recorder recorder(work, *engine, run.log.tables, {.kept = &run.log});
  Watched watched(recorder, run.log);
  Loop loop(work, *engine, *estimator, clock, transport, watched, every_second(settings));
  loop.run();
  run.moments = watched.moments();
  return run;
}

/// In which order tables were looked at when the run was killed.
enum class Flushed : std::uint8_t {
  in_turn,  // jobs and stages first, the attempts last, as the writer does
  anyhow,   // some were full, and went before
};

/// The log of a killed run whose tables were flushed within `span` rounds of a drawn one.
Log killed(const RunInMoments& run, RandomStream& draw, Flushed flushed, std::size_t span) {
  const auto below = [&](std::size_t count) {
    return std::min(count - 1,
                    static_cast<std::size_t>(draw.uniform() * static_cast<double>(count)));
  };
  const std::size_t last = below(run.moments.size());
  std::array<std::size_t, LongRows::size + 2> at{};  // moments, by table; then jobs and stages
  for (std::size_t& one : at) one = last - std::min(last, below(span + 1));
  if (flushed == Flushed::in_turn) std::ranges::sort(at, std::greater());

  Log log = run.log;
  log.header.complete = false;
  log.tables.scheduler = {};
  LongRows::for_each([&]<class Row>(std::type_identity<Row>) {
    const std::size_t moment = at[LongRows::place<Row>];
    const std::size_t rows = run.moments[moment].rows[LongRows::place<Row>];
    const std::size_t next =
        moment == last ? rows : run.moments[moment + 1].rows[LongRows::place<Row>];
    rows_of<Row>(log).resize(rows + (next > rows ? below(next - rows + 1) : 0));
  });
  log.tables.jobs = run.moments[at[LongRows::size]].jobs;
  log.tables.stages = run.moments[at[LongRows::size + 1]].stages;
  return log;
}

std::string broken(const Log& log) {
  std::string lines;
  for (const Finding& one : check_log(log)) {
    if (one.asserted && one.offences > 0) lines += to_text({&one, 1});
  }
  return lines;
}

void expect_sound(const Log& log) {
  EXPECT_EQ(broken(log), "");
  const auto replayed = replay_log(log);
  if (!log.events.empty()) {
    EXPECT_EQ(value_or_throw(replayed).difference, "");
  }
  const Summary summary = summarise(log, "killed");
  EXPECT_TRUE(summary.conserved());
  EXPECT_FALSE(summary.response_mean_s < 0) << summary.response_mean_s;
}

class KilledRun : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(KilledRun, IsCalledSoundWhereverItsTablesEnd) {
  const auto [policy, more] = GetParam();
  const Settings settings = value_or_throw(parse_settings(config(policy, more), "test.toml", {}));
  for (const Arriving arriving : {Arriving::by_submit, Arriving::some_follow}) {
    const RunInMoments run = watched_run(settings, workload(1, {}, arriving));
    for (const Flushed flushed : {Flushed::in_turn, Flushed::anyhow}) {
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        RandomStream draw(seed, "killed");
        const std::size_t spans[] = {0, 1, 5, run.moments.size()};
        Log log = killed(run, draw, flushed, spans[seed % 4]);
        ASSERT_FALSE(rebuild_progress(log, "run.h5").any());  // as whoever reads it does
        expect_sound(log);
        ASSERT_FALSE(HasFailure()) << "seed " << seed << ", flushed " << static_cast<int>(flushed)
                                   << ", arriving " << static_cast<int>(arriving);
      }
    }
  }
}

constexpr const char* silent_and_backups =
    "[faults]\nnode_mtbf_s = 9\nnode_repair_s = 2\ncut_off_share = 0.4\nmissed_heartbeats = 3\n"
    "heartbeat_loss_probability = 0.1\nstraggler_probability = 0.3\nstraggler_factor = 5\n"
    "task_failure_probability = 0.1\n[heartbeat]\ninterval_s = 0.3\n[network]\ndelay_ms = 20\n"
    "[speculation]\nslowdown = 1.2\nquantile = 0.25\nleast_s = 0\n"
    "[jvm]\nmodel = \"reuse\"\nfactor = 3";

INSTANTIATE_TEST_SUITE_P(Orders, KilledRun,
                         testing::Combine(testing::Values("fair", "uwfq", "cfq"),
                                          testing::Values(warm, reported_faults, silent_faults,
                                                          backups, silent_and_backups)));
INSTANTIATE_TEST_SUITE_P(Wholes, KilledRun,
                         testing::Combine(testing::Values("tetris", "carbyne"),
                                          testing::Values("", reported_faults, silent_faults,
                                                          backups)));
INSTANTIATE_TEST_SUITE_P(
    Queues, KilledRun,
    testing::Combine(testing::Values("yarn", "yaq-c", "mercury", "sparrow", "yaq-d"),
                     testing::Values(warm, reported_faults, silent_faults, silent_and_backups)));

}  // namespace
}  // namespace somnus
