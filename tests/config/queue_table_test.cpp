// [queue] and [job_manager]: presets' defaults, keys that override them, keys that nothing would
// read, parts that do not go together.
#include <limits>

#include "config/check.hpp"

namespace somnus::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A config of that policy: further text starts on line 10.
std::string of_policy(std::string_view policy, std::string_view more = "") {
  std::string text = with(more);
  text.replace(text.find("\"cfq\""), 5, '"' + std::string(policy) + '"');
  return text;
}

TEST(QueueTable, YarnHasNone) {
  const Settings settings = settings_of(of_policy("yarn"));
  EXPECT_EQ(settings.scheduler.queue, "none");
  EXPECT_EQ(settings.scheduler.feedback, "heartbeat");
  EXPECT_EQ(settings.job_manager.poll_s, 1);
  EXPECT_EQ(settings.job_manager.launch_s, 1);
}

TEST(QueueTable, OfYaqCIsShortWithTheShortestRemainingJobFirst) {
  const Settings settings = settings_of(of_policy("yaq-c"));
  EXPECT_EQ(settings.scheduler.placement, "queue-wait");
  EXPECT_EQ(settings.scheduler.feedback, "heartbeat");
  EXPECT_EQ(settings.queue.bound, QueueBound::length);
  EXPECT_EQ(settings.queue.length, 4U);
  EXPECT_STREQ(settings.queue.reorder.name(), "srjf");
  EXPECT_EQ(settings.queue.starvation_s, infinity);
  EXPECT_EQ(settings.queue.starvation_relative, infinity);
  EXPECT_EQ(settings.queue.rebalance, Rebalance::none);
}

TEST(QueueTable, OfYarnWithQueuesIsShortAndFirstComeFirstServed) {
  const Settings settings = settings_of(of_policy("yarn+q"));
  EXPECT_EQ(settings.queue.bound, QueueBound::length);
  EXPECT_EQ(settings.queue.length, 4U);
  EXPECT_STREQ(settings.queue.reorder.name(), "fifo");
}

TEST(QueueTable, OfYaqDIsWithoutBoundReorderedAndRebalanced) {
  const Settings settings = settings_of(of_policy("yaq-d"));
  EXPECT_EQ(settings.scheduler.feedback, "monitor");
  EXPECT_EQ(settings.queue.bound, QueueBound::none);
  EXPECT_STREQ(settings.queue.reorder.name(), "srjf");
  EXPECT_EQ(settings.queue.starvation_s, 10);
  EXPECT_EQ(settings.queue.rebalance, Rebalance::wait);
  EXPECT_EQ(settings.queue.rebalance_interval_s, 1);
  EXPECT_EQ(settings.queue.rebalance_sigma, 1);
  EXPECT_EQ(settings.job_manager.poll_s, 0) << "it decides itself";
}

TEST(QueueTable, OfTheBaselinesIsWithoutBoundOrOrder) {
  for (const char* policy : {"mercury", "sparrow"}) {
    const Settings settings = settings_of(of_policy(policy));
    EXPECT_EQ(settings.scheduler.queue, "worker") << policy;
    EXPECT_EQ(settings.queue.bound, QueueBound::none) << policy;
    EXPECT_STREQ(settings.queue.reorder.name(), "fifo") << policy;
    EXPECT_EQ(settings.queue.rebalance, Rebalance::none) << policy;
  }
}

TEST(QueueTable, AKeyThatIsSetLeavesThePresetsOthers) {
  const Settings settings = settings_of(of_policy("yaq-d", "[queue]\nstarvation_s = 1.5\n"));
  EXPECT_EQ(settings.queue.starvation_s, 1.5);
  EXPECT_STREQ(settings.queue.reorder.name(), "srjf");
  EXPECT_EQ(settings.queue.rebalance, Rebalance::wait);
  const Settings manager = settings_of(of_policy("yaq-c", "[job_manager]\nlaunch_s = 0\n"));
  EXPECT_EQ(manager.job_manager.launch_s, 0);
  EXPECT_EQ(manager.job_manager.poll_s, 1);
}

TEST(QueueTable, IsTheSameFromTheCommandLine) {
  const Settings settings = settings_of(
      of_policy("yaq-c"), {"queue.length=10", "queue.reorder=lrtf", "job_manager.poll_s=0.5"});
  EXPECT_EQ(settings.queue.length, 10U);
  EXPECT_STREQ(settings.queue.reorder.name(), "lrtf");
  EXPECT_EQ(settings.job_manager.poll_s, 0.5);
}

TEST(QueueTable, MayHaveNoLengthAndAnEndlessThreshold) {
  const Settings settings =
      settings_of(of_policy("yaq-d",
                            "[queue]\nbound = 'length'\nlength = 0\nstarvation_s = inf\n"
                            "rebalance_high = inf\n"));
  EXPECT_EQ(settings.queue.length, 0U);
  EXPECT_EQ(settings.queue.starvation_s, infinity);
  EXPECT_EQ(settings.queue.rebalance_high, infinity);
  EXPECT_EQ(settings_of(to_toml(settings)).queue.starvation_s, infinity);
}

TEST(QueueTable, SaysWhatEachKeyMayBe) {
  EXPECT_EQ(mistakes_in(of_policy("yaq-c", "[queue]\nbound = 'size'\n")),
            "a.toml:11:9: queue.bound: expected one of \"none\", \"length\", \"delay\", found "
            "\"size\"");
  EXPECT_EQ(mistakes_in(of_policy("yaq-c", "[queue]\nreorder = 'srjt'\n")),
            "a.toml:11:11: queue.reorder: expected one of \"fifo\", \"srjf\", \"lrtf\", \"stf\", "
            "\"ejf\", found \"srjt\"; did you mean 'srjf'?");
  EXPECT_EQ(mistakes_in(of_policy("yaq-c", "[queue]\nstarvation_s = -1\n")),
            "a.toml:11:16: queue.starvation_s: expected a number of at least 0 s, or inf, found "
            "-1");
  EXPECT_EQ(mistakes_in(of_policy("yaq-d", "[queue]\nrebalance_interval_s = 0\n")),
            "a.toml:11:24: queue.rebalance_interval_s: expected a number above 0 s, found 0");
  EXPECT_EQ(mistakes_in(of_policy("yarn", "[job_manager]\npoll_s = inf\n")),
            "a.toml:11:10: job_manager.poll_s: expected a number of at least 0 s, found inf");
  EXPECT_EQ(mistakes_in(of_policy("yaq-c", "[queue]\nlenght = 4\n")),
            "a.toml:11:1: queue.lenght: unknown key; did you mean 'length'?");
}

TEST(QueueTable, IsIgnoredByNodesWithoutQueues) {
  EXPECT_EQ(mistakes_in(of_policy("yarn", "[queue]\nlength = 4\n")),
            "a.toml:10:1: queue: ignored with scheduler.queue = \"none\"; it needs "
            "scheduler.queue = \"worker\"");
  EXPECT_EQ(mistakes_in(of_policy("yarn", "[queue]\nbound = 'length'\nlength = 4\n"),
                        {"scheduler.queue=worker"}),
            "");
}

struct Ignored {
  const char* table;
  const char* mistake;
};

TEST(QueueTable, BlamesKeysThatItsOthersLeaveUnread) {
  const Ignored cases[] = {
      {"bound = 'delay'\nlength = 4\n",
       "a.toml:12:1: queue.length: ignored with queue.bound = \"delay\"; it needs queue.bound = "
       "\"length\""},
      {"max_wait_s = 4\n",
       "a.toml:11:1: queue.max_wait_s: ignored with queue.bound = \"length\"; it needs "
       "queue.bound = \"delay\""},
      {"reorder = 'fifo'\nstarvation_s = 4\n",
       "a.toml:12:1: queue.starvation_s: ignored with queue.reorder = \"fifo\"; it needs "
       "queue.reorder = \"srjf\", \"lrtf\", \"stf\" or \"ejf\""},
      {"reorder = 'fifo'\nstarvation_relative = 4\n",
       "a.toml:12:1: queue.starvation_relative: ignored with queue.reorder = \"fifo\"; it needs "
       "queue.reorder = \"srjf\", \"lrtf\", \"stf\" or \"ejf\""},
      {"rebalance_sigma = 2\n",
       "a.toml:11:1: queue.rebalance_sigma: ignored with queue.rebalance = \"none\"; it needs "
       "queue.rebalance = \"length\" or \"wait\""},
  };
  for (const Ignored& each : cases) {
    EXPECT_EQ(mistakes_in(of_policy("yaq-c", std::string("[queue]\n") + each.table)), each.mistake);
  }
}

TEST(Composition, OfQueuesAndResourcesIsRefused) {
  const std::string text =
      "[cluster]\nnodes = 2\nresources = { cpu = 4 }\n[scheduler]\npolicy = 'yaq-c'\n"
      "[workload]\nfile = 'f'\n";
  EXPECT_EQ(mistakes_in(text),
            "a.toml:5:10: scheduler.queue: a queue at nodes counts slots, and this cluster has "
            "resources; describe nodes by slots_per_node alone, or choose scheduler.queue = "
            "\"none\"");
}

TEST(Composition, OfAPlacementThatCountsSlotsAndResourcesIsRefused) {
  const std::string text =
      "[cluster]\nnodes = 2\nresources = { cpu = 4 }\n[scheduler]\norder = 'fifo'\n"
      "placement = 'any-free'\n[workload]\nfile = 'f'\n";
  EXPECT_EQ(mistakes_in(text), "");
  for (const char* placement : {"queue-length", "queue-wait", "random", "least-loaded"}) {
    const std::string mistakes =
        mistakes_in(text, {std::string("scheduler.placement=") + placement});
    EXPECT_NE(mistakes.find("scheduler.placement: "), std::string::npos) << placement << mistakes;
    EXPECT_NE(mistakes.find("counts slots"), std::string::npos) << placement << mistakes;
  }
}

TEST(Composition, OfAMonitorWithoutQueuesIsRefused) {
  EXPECT_EQ(mistakes_in(of_policy("cfq", ""), {"scheduler.feedback=monitor"}),
            "--set scheduler.feedback=monitor: scheduler.feedback: with \"monitor\" tasks are "
            "placed on nodes that may be full by then; it needs scheduler.queue = \"worker\"");
  EXPECT_EQ(
      mistakes_in(of_policy("cfq", ""), {"scheduler.feedback=monitor", "scheduler.queue=worker"}),
      "");
}

TEST(Composition, OfBatchSamplingNeedsQueuesWithoutBoundAndNoHeartbeats) {
  EXPECT_EQ(mistakes_in(of_policy("cfq", ""), {"scheduler.placement=batch-sampling"}),
            "--set scheduler.placement=batch-sampling: scheduler.placement: batch-sampling places "
            "tasks on the nodes that it has asked, full or not; it needs scheduler.queue = "
            "\"worker\" and queue.bound = \"none\"");
  EXPECT_NE(mistakes_in(of_policy("sparrow", "[queue]\nbound = 'length'\n")), "");
  for (const char* feedback : {"heartbeat", "any-heartbeat"}) {
    const std::string set = std::string("scheduler.feedback=") + feedback;
    EXPECT_EQ(mistakes_in(of_policy("sparrow"), {set}),
              "--set " + set +
                  ": scheduler.feedback: batch-sampling does not wait for heartbeats, "
                  "as \"" +
                  feedback +
                  "\" would have it; it needs scheduler.feedback = \"at-once\" or "
                  "\"monitor\"");
  }
  EXPECT_EQ(mistakes_in(of_policy("sparrow"), {"scheduler.feedback=monitor"}), "");
}

TEST(Composition, OfAnyOrderWithYaqsQueuesIsOneLine) {
  const Settings settings = settings_of(of_policy("yaq-c"), {"scheduler.order=cfq"});
  EXPECT_EQ(settings.scheduler.order, "cfq");
  EXPECT_EQ(settings.scheduler.placement, "queue-wait");
  EXPECT_STREQ(settings.queue.reorder.name(), "srjf");
}

}  // namespace
}  // namespace somnus::test
