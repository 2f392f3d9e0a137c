// Which task leaves a node's queue next is audited by the rule that the config names, whatever it
// is; and where tasks were sent, by the wait that was known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "audit/check.hpp"
#include "cli/simulated.hpp"

namespace somnus {
namespace {

using testing::HasSubstr;

std::string with_queues(const std::string& rules, const std::string& more = {}) {
  return config("yaq-c", more + "\n[queue]\n" + rules);
}

std::string reordered(const std::string& name, const std::string& more = {}) {
  return with_queues("reorder = \"" + name + "\"\nlength = 6\n" + more);
}

Finding finding_about(const Log& log, std::string_view invariant) {
  for (const Finding& one : check_log(log)) {
    if (one.invariant.find(invariant) != std::string::npos) return one;
  }
  ADD_FAILURE() << "not asked: " << invariant;
  return {};
}
Finding order_of(const Log& log) {
  return finding_about(log, "in a node's queue the next to start");
}
Finding wait_of(const Log& log) { return finding_about(log, "no task is sent into a queue"); }

/// The log of one config that says that it is of another.
Log said_to_be(Log log, const std::string& config) {
  log.header.config = config;
  return log;
}

bool same_starts(const Log& a, const Log& b) {
  return std::ranges::equal(a.tasks, b.tasks, [](const TaskRow& one, const TaskRow& other) {
    return one.stage == other.stage && one.index == other.index && one.start == other.start &&
           one.node == other.node;
  });
}

TEST(CheckReordering, HoldsWhatEachReorderingDoes) {
  for (const std::string& name : Reordering::choices()) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Log log = simulated(reordered(name), seed);
      EXPECT_EQ(order_of(log).first, "") << name;
      EXPECT_GT(order_of(log).checked, 30U) << name;
      EXPECT_TRUE(order_of(log).asserted) << name;
    }
  }
}

TEST(CheckReordering, FailsALogWhoseTasksWereReorderedInAnotherWay) {
  for (const std::string& done : Reordering::choices()) {
    const Log log = simulated(reordered(done));
    for (const std::string& said : Reordering::choices()) {
      if (said == done) continue;
      ASSERT_FALSE(same_starts(log, simulated(reordered(said)))) << done << ", " << said;
      const Log forged = said_to_be(log, reordered(said));
      EXPECT_GT(order_of(forged).offences, 0U) << said << " it says, " << done << " it was";
      EXPECT_FALSE(passed(check_log(forged)));
    }
  }
}

TEST(CheckReordering, HoldsUnderDelaysFaultsAndStarvation) {
  for (const std::string& name : Reordering::choices()) {
    const std::string threshold =
        Reordering::named(name)->reorders ? "starvation_s = 4\nstarvation_relative = 3\n" : "";
    for (const char* more :
         {"feedback = \"at-once\"\n", "placement = \"any-free\"\nfeedback = \"any-heartbeat\"\n"}) {
      const std::string toml =
          with_queues("reorder = \"" + name + "\"\nlength = 6\n" + threshold, more) +
          "[network]\ndelay_ms = 300\njitter = 0.5\n[heartbeat]\ninterval_s = 1\ndelay_ms = 200\n"
          "[faults]\ntask_failure_probability = 0.2\n"
          "event = [{ at_s = 20, node = 1 }, { at_s = 26, node = 1, kind = \"node-returned\" }]\n";
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const auto findings = check_log(simulated(toml, seed));
        EXPECT_TRUE(passed(findings)) << name << more << to_text(findings);
      }
    }
  }
}

TEST(CheckReordering, FindsAStarvedTaskThatIsOvertakenThoughThresholdsAreRelative) {
  const std::string patient = reordered("stf");
  const std::string hasty = reordered("stf", "starvation_relative = 2\n");
  EXPECT_EQ(order_of(simulated(hasty)).first, "");
  EXPECT_GT(order_of(said_to_be(simulated(patient), hasty)).offences, 0U);
  EXPECT_GT(order_of(said_to_be(simulated(hasty), patient)).offences, 0U);
}

TEST(CheckReordering, NotesOfARunWhatItCannotKnowAndAssertsTheRest) {
  for (const std::string& name : Reordering::choices()) {
    Log log = simulated(reordered(name));
    log.header.mode = "run";
    EXPECT_NE(order_of(log).asserted, Reordering::named(name)->follows_jobs) << name;
  }
}

TEST(CheckReordering, AsksNothingOfALogWithoutEventsButTheOrderOfComing) {
  const auto asked = [](const std::string& name) {
    Log log = simulated(reordered(name));
    log.events.clear();
    return std::ranges::any_of(check_log(log), [](const Finding& one) {
      return one.invariant.find("the next to start") != std::string::npos;
    });
  };
  EXPECT_TRUE(asked("fifo"));
  EXPECT_FALSE(asked("stf"));
}

TEST(CheckReordering, SaysWhichTaskOvertookWhichAndByWhatKey) {
  const Log forged = said_to_be(simulated(reordered("fifo")), reordered("lrtf"));
  EXPECT_THAT(order_of(forged).first, HasSubstr("before row "));
  EXPECT_THAT(order_of(forged).first, HasSubstr("its key was at least "));
  EXPECT_EQ(order_of(forged).invariant,
            "of the tasks in a node's queue the next to start is by lrtf: least remaining tasks: "
            "fewest unfinished tasks of its job");
}

TEST(CheckWait, HoldsWhereTheDelayBoundWasKeptUnderEachFeedback) {
  for (const char* feedback : {"at-once", "heartbeat", "any-heartbeat", "monitor"}) {
    for (const char* placement : {"any-free", "queue-wait", "queue-length", "random"}) {
      const std::string toml = with_queues(
          "bound = \"delay\"\nmax_wait_s = 2\n",
          std::string("feedback = \"") + feedback + "\"\nplacement = \"" + placement + "\"\n");
      const Log log = simulated(toml);
      EXPECT_EQ(wait_of(log).first, "") << feedback << ' ' << placement;
      EXPECT_GT(wait_of(log).checked, 100U);
    }
  }
}

TEST(CheckWait, FailsALogWhoseQueuesWereAllowedLongerWaits) {
  for (const char* feedback : {"at-once", "heartbeat", "any-heartbeat", "monitor"}) {
    const auto toml = [&](const std::string& most) {
      return with_queues("bound = \"delay\"\nmax_wait_s = " + most + "\n",
                         std::string("feedback = \"") + feedback + "\"\n");
    };
    const Log forged = said_to_be(simulated(toml("6")), toml("2"));
    EXPECT_GT(wait_of(forged).offences, 0U) << feedback;
    EXPECT_FALSE(passed(check_log(forged))) << feedback;
    EXPECT_THAT(wait_of(forged).first, HasSubstr("/decisions/launch row "));
  }
}

}  // namespace
}  // namespace somnus
