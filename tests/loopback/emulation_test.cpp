// A whole emulation in real time, its ranks being threads: rank 0 with its log writer, two worker
// ranks, both executors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "audit/check.hpp"
#include "config/config.hpp"
#include "log/reader.hpp"
#include "session/emulation.hpp"
#include "session/replay.hpp"
#include "session/workload_source.hpp"
#include "transport/mailboxes.hpp"
#include "transport/packets.hpp"
#include "workers/worker_rank.hpp"

namespace somnus {
namespace {

constexpr const char* small_run = R"(
[cluster]
nodes = 6
slots_per_node = 2
[scheduler]
policy = "cfq"
[workload]
generator = "fixed"
jobs = 12
tasks = 9
duration_s = 1
interval_s = 0.5
stages = 2
[run]
speed = 50
)";

class StoppingWire final : public Wire {
 public:
  StoppingWire(Wire& wire, std::atomic<int>& stop) : wire_(wire), stop_(stop) {}

  [[nodiscard]] int rank() const override { return wire_.rank(); }
  [[nodiscard]] int size() const override { return wire_.size(); }
  void send(int to, Bytes bytes) override {
    if (kind_of(bytes) == packet_kind<LaunchMessage>) stop_ = SIGTERM;
    wire_.send(to, std::move(bytes));
  }
  bool receive(int& from, Bytes& bytes) override { return wire_.receive(from, bytes); }

 private:
  Wire& wire_;
  std::atomic<int>& stop_;
};

std::shared_ptr<const Settings> settings_of(const std::vector<Override>& overrides,
                                            const std::filesystem::path& log) {
  Settings settings = value_or_throw(parse_settings(small_run, "small.toml", overrides));
  settings.log.file = log.string();
  return std::make_shared<const Settings>(settings);
}

Emulation emulate_on(Wire& wire, const std::shared_ptr<const Settings>& settings,
                     std::atomic<int>& stop) {
  Membership membership(wire, membership_rules_of(*settings, &stop));
  membership.gather();
  const auto workload = std::make_shared<const Workload>(value_or_throw(workload_of(*settings)));
  Emulation done = emulate(settings, workload, membership, {.stop = &stop});
  membership.dismiss();
  return done;
}

// Rank 0 in this thread, workers in others.
class World {
 public:
  World(int workers, std::vector<Override> overrides)
      : settings_(settings_of(overrides, path())), mailboxes_(workers + 1) {
    for (int rank = 1; rank <= workers; ++rank) {
      threads_.emplace_back([this, rank] {
        const auto wire = mailboxes_.wire(rank);
        work(*wire, MaySpin::no, nullptr);
      });
    }
  }
  ~World() {
    for (std::thread& thread : threads_) thread.join();
    std::filesystem::remove(path());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Emulation run(std::atomic<int>& stop) { return run(*mailboxes_.wire(0), stop); }
  /// Is asked to stop as soon as a worker has got a task.
  Emulation run_until_the_first_launch() {
    std::atomic<int> stop{0};
    const auto wire = mailboxes_.wire(0);
    StoppingWire stopping(*wire, stop);
    return run(stopping, stop);
  }
  [[nodiscard]] Log log() const { return value_or_throw(read_log(path())); }

 private:
  [[nodiscard]] std::filesystem::path path() const {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return std::filesystem::temp_directory_path() /
           fmt::format("somnus-{}-{}.h5", test->name(), getpid());
  }

  Emulation run(Wire& wire, std::atomic<int>& stop) { return emulate_on(wire, settings_, stop); }

  std::shared_ptr<const Settings> settings_;
  Mailboxes mailboxes_;
  std::vector<std::thread> threads_;
};

void expect_sound(const Log& log) {
  // ThreadSanitizer does not see how TBB hands work over, since Debian's TBB is built without it.
  const tbb::global_control one_core(tbb::global_control::max_allowed_parallelism, 1);
  for (const Finding& finding : check_log(log)) {
    EXPECT_TRUE(!finding.asserted || finding.offences == 0) << finding.invariant << finding.first;
  }
  EXPECT_EQ(value_or_throw(replay_log(log)).difference, "");
}

/// Of a run to its end on two worker ranks.
Log log_of(std::vector<Override> overrides) {
  World world(2, std::move(overrides));
  std::atomic<int> stop{0};
  const Emulation done = world.run(stop);
  EXPECT_TRUE(done.complete) << done.why;
  Log log = world.log();
  expect_sound(log);
  return log;
}

TEST(Emulation, WithTheTimerExecutorEveryTaskSleepsAndTheLogIsSound) {
  const Log log = log_of({});
  EXPECT_EQ(log.tasks.size(), 12U * 9U * 2U);
  for (const TaskRow& task : log.tasks) EXPECT_GE(task.finish - task.start, task.intended - 1e-4);
}

TEST(Emulation, RunsAPolicyThatIsNoOrderAndPlacementAndAThreadForEveryTask) {
  for (const auto& [key, value] :
       {std::pair("scheduler.policy", "tetris"), std::pair("run.executor", "thread")}) {
    EXPECT_EQ(log_of({{key, value}}).tasks.size(), 12U * 9U * 2U) << value;
  }
}

TEST(Emulation, RecoversTheTasksOfALostNodeUnderBothExecutors) {
  for (const char* executor : {"timer", "thread"}) {
    const Log log = log_of({{"run.executor", executor},
                            {"faults.event",
                             "[{at_s=0.7, node=4, kind=\"node-lost\"},"
                             " {at_s=4, node=4, kind=\"node-returned\"}]"}});
    const auto lost = static_cast<std::uint8_t>(Outcome::lost);
    EXPECT_THAT(log.tasks, testing::Contains(testing::Field(&TaskRow::outcome, lost)));
  }
}

TEST(Emulation, AsksOnlyAtHeartbeatsWhenFeedbackIsByHeartbeat) {
  log_of({{"scheduler.feedback", "heartbeat"}, {"heartbeat.interval_s", "0.5"}});
}

const std::vector<Override> yaq_d = {
    {"scheduler.policy", "yaq-d"},         {"heartbeat.interval_s", "0.5"},
    {"queue.rebalance_interval_s", "0.5"}, {"queue.rebalance_low", "0.1"},
    {"job_manager.launch_s", "0.1"},       {"network.delay_ms", "20"}};

TEST(Emulation, QueuesReordersAndRebalancesTasksAtNodesUnderBothExecutors) {
  for (const char* executor : {"timer", "thread"}) {
    std::vector<Override> overrides = yaq_d;
    overrides.push_back({"run.executor", executor});
    EXPECT_THAT(log_of(overrides).tasks, testing::Contains(testing::Truly([](const TaskRow& task) {
                  return task.start > task.queued;
                })));
  }
}

TEST(Emulation, ProbesNodesAndBindsTasksEarlyOrLate) {
  for (const char* late : {"false", "true"}) {
    log_of({{"scheduler.policy", "sparrow"},
            {"scheduler.batch-sampling.late_binding", late},
            {"heartbeat.interval_s", "0.5"},
            {"job_manager.launch_s", "0.05"}});
  }
}

TEST(Emulation, EndsEarlyWithALogThatOpensWhenAskedToStop) {
  World world(2, {{"run.speed", "1"}});
  const Emulation done = world.run_until_the_first_launch();
  EXPECT_FALSE(done.complete);
  EXPECT_EQ(done.why, "stopped by Terminated");
  EXPECT_FALSE(world.log().header.complete);
  EXPECT_EQ(world.log().tables.jobs.size(), 12U);
}

TEST(Emulation, SaysWhatWentWrongInAWorkerRank) {
  Mailboxes mailboxes(2);
  std::thread worker([&] {
    const auto wire = mailboxes.wire(1);
    const auto build = [](std::string_view, const WorkerRank::Identity&) -> WorkerParts {
      throw WorldError("no memory for the nodes");
    };
    EXPECT_THROW(WorkerRank(*wire, build, nullptr).run(), WorldError);
  });
  std::atomic<int> stop{0};
  const auto wire = mailboxes.wire(0);
  const Emulation done = emulate_on(*wire, settings_of({}, ""), stop);
  worker.join();
  EXPECT_FALSE(done.complete);
  EXPECT_THAT(done.why, testing::MatchesRegex("rank 1 \\(host .*\\): no memory for the nodes"));
}

}  // namespace
}  // namespace somnus
