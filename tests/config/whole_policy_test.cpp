// A policy that is no order x placement: its preset says it, and leaves nothing of the two to
// choose.
#include "config/check.hpp"
#include "config/help.hpp"

namespace somnus::test {
namespace {

std::string on_vectors(const std::string& policy, const std::string& more = {}) {
  return "[cluster]\nnodes = 4\nresources = { cpu = 4 }\n[scheduler]\npolicy = '" + policy + "'\n" +
         more + "[workload]\nfile = 'f'\n";
}

TEST(WholePolicy, IsSaidByItsPresetAndHasParametersOfItsOwn) {
  const SchedulerSettings scheduler =
      settings_of(on_vectors("tetris", "tetris.fairness = 0.5\n")).scheduler;
  EXPECT_EQ(scheduler.whole, "tetris");
  EXPECT_EQ(scheduler.order + scheduler.placement, "");
  EXPECT_EQ(scheduler.feedback, "at-once");
  EXPECT_EQ(scheduler.whole_parameters.at("fairness"), Value(0.5));
  EXPECT_EQ(scheduler.whole_parameters.at("barrier"), Value(0.9));
  EXPECT_EQ(mistakes_in(on_vectors("tetris", "tetris.fairness = 1.5\n")),
            "a.toml:6:19: scheduler.tetris.fairness: expected a number from 0 to 1, found 1.5");
  EXPECT_EQ(mistakes_in(on_vectors("tetris", "tetris.fairnes = 0.5\n")),
            "a.toml:6:8: scheduler.tetris.fairnes: unknown key; did you mean 'fairness'?");
  EXPECT_EQ(mistakes_in(on_vectors("tetriss")),
            "a.toml:5:10: scheduler.policy: unknown policy 'tetriss'; did you mean 'tetris'?");
}

TEST(WholePolicy, HasNoOrderAndNoPlacementToExchange) {
  EXPECT_EQ(mistakes_in(on_vectors("tetris", "order = 'fifo'\nplacement = 'random'\n")),
            "a.toml:6:1: scheduler.order: ignored with scheduler.policy = \"tetris\", which is a "
            "whole policy and has no order to exchange; leave it out, or choose a policy that is "
            "composed of parts\n"
            "a.toml:7:1: scheduler.placement: ignored with scheduler.policy = \"tetris\", which is "
            "a whole policy and has no placement to exchange; leave it out, or choose a policy "
            "that is composed of parts");
  EXPECT_EQ(mistakes_in(on_vectors("tetris"), {"scheduler.order=cfq"}),
            "--set scheduler.order=cfq: scheduler.order: ignored with scheduler.policy = "
            "\"tetris\", which is a whole policy and has no order to exchange; leave it out, or "
            "choose a policy that is composed of parts");
  EXPECT_EQ(mistakes_in(on_vectors("tetris", "cfq.level = 'stage'\n")),
            "a.toml:6:1: scheduler.cfq: ignored with scheduler.policy = \"tetris\"; leave it out");
}

TEST(WholePolicy, LeavesFeedbackQueueAndPartitionerToChoose) {
  const SchedulerSettings scheduler =
      settings_of(on_vectors("tetris", "feedback = 'heartbeat'\npartitioner = 'by-runtime'\n"))
          .scheduler;
  EXPECT_EQ(scheduler.feedback, "heartbeat");
  EXPECT_EQ(scheduler.partitioner, "by-runtime");
  EXPECT_EQ(
      mistakes_in(on_vectors("tetris", "by-runtime.atr_s = 1\n")),
      "a.toml:6:1: scheduler.by-runtime: ignored with scheduler.partitioner = \"by-size\"; it "
      "needs scheduler.partitioner = \"by-runtime\"");
}

TEST(WholePolicy, NeedsThatAllManagersSeeTheSame) {
  const std::string slots =
      "[cluster]\nnodes = 4\nslots_per_node = 2\n[scheduler]\npolicy = 'tetris'\n"
      "queue = 'worker'\nfeedback = 'monitor'\n[workload]\nfile = 'f'\n";
  EXPECT_EQ(mistakes_in(slots),
            "a.toml:7:12: scheduler.feedback: with \"monitor\" each job's manager sees something "
            "else, and \"tetris\" decides for all jobs at once; it needs scheduler.feedback = "
            "\"any-heartbeat\", \"at-once\" or \"heartbeat\"");
  EXPECT_EQ(mistakes_in(slots, {"scheduler.feedback=any-heartbeat"}), "");
}

TEST(WholePolicy, HasItsParametersReadWithItsPolicyOnly) {
  EXPECT_EQ(mistakes_in(on_vectors("fair", "tetris.fairness = 0.5\n")),
            "a.toml:6:1: scheduler.tetris: ignored with scheduler.policy = \"fair\"; it needs "
            "scheduler.policy = \"dagps\", \"tetris\" or \"tetris-fair\"");
  EXPECT_EQ(mistakes_in("[cluster]\nnodes = 4\nslots_per_node = 2\n[scheduler]\norder = 'fifo'\n"
                        "placement = 'any-free'\ntetris.fairness = 0.5\n[workload]\nfile = 'f'\n"),
            "a.toml:7:1: scheduler.tetris: ignored with scheduler.order = \"fifo\"; it needs "
            "scheduler.policy = \"dagps\", \"tetris\" or \"tetris-fair\"");
}

TEST(WholePolicy, IsCalledByItsPresetAndWhatIsNoDefault) {
  EXPECT_EQ(label_of(settings_of(on_vectors("tetris"))), "tetris");
  EXPECT_EQ(label_of(settings_of(on_vectors("tetris", "tetris.fairness = 0.5\n"))),
            "tetris+tetris.fairness=0.5");
}

TEST(WholePolicy, HasWhatItsPresetSetsWhereTheConfigSaysNothing) {
  const auto fairness = [](const std::string& more) {
    return settings_of(on_vectors("tetris-fair", more)).scheduler.whole_parameters.at("fairness");
  };
  EXPECT_EQ(fairness(""), Value(1.0));
  EXPECT_EQ(fairness("tetris.barrier = 0.5\n"), Value(1.0));
  EXPECT_EQ(fairness("tetris.fairness = 0.5\n"), Value(0.5));
  EXPECT_EQ(label_of(settings_of(on_vectors("tetris-fair"))), "tetris-fair");
  EXPECT_EQ(label_of(settings_of(on_vectors("tetris-fair", "tetris.fairness = 0.5\n"))),
            "tetris-fair+tetris.fairness=0.5");
}

TEST(WholePolicy, IsInTheHelpWithItsParameters) {
  const std::string help = whole_help();
  EXPECT_NE(help.find("[scheduler.tetris] (only with scheduler.policy = \"dagps\", "
                      "\"tetris\" or \"tetris-fair\")"),
            std::string::npos);
  EXPECT_NE(help.find("\"dagps\" | \"drf\""), std::string::npos);
}

}  // namespace
}  // namespace somnus::test
