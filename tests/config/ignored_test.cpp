// A key that the chosen parts would ignore is a mistake: the user expects an effect.
#include "config/check.hpp"

namespace somnus::test {
namespace {

TEST(IgnoredKey, HeartbeatWithFeedbackAtOnce) {
  EXPECT_EQ(mistakes_in(with("[heartbeat]\ninterval_s = 1\n")),
            "a.toml:10:1: heartbeat: ignored with scheduler.feedback = \"at-once\"; it needs "
            "scheduler.feedback = \"any-heartbeat\", \"heartbeat\" or \"monitor\", or "
            "scheduler.queue = \"worker\", or faults.missed_heartbeats = 2 or more");
  for (const char* needed : {"scheduler.feedback=heartbeat", "faults.missed_heartbeats=2"}) {
    EXPECT_EQ(mistakes_in(with("[heartbeat]\ninterval_s = 1\n"), {needed}), "");
  }
}

TEST(IgnoredKey, WhatAFaultIsLikeThatNeverHappens) {
  EXPECT_EQ(mistakes_in(with("[faults]\nnode_repair_s = 5\nstraggler_factor = 2\n")),
            "a.toml:11:1: faults.node_repair_s: ignored with faults.node_mtbf_s = 0; it needs "
            "faults.node_mtbf_s = more than 0\n"
            "a.toml:12:1: faults.straggler_factor: ignored with faults.straggler_probability = 0; "
            "it needs faults.straggler_probability = more than 0");
  EXPECT_EQ(mistakes_in(with("[faults]\nnode_repair_s = 5\nnode_mtbf_s = 100\n")), "");
}

TEST(IgnoredKey, WhenBackupsAreDueThatNeverAre) {
  EXPECT_EQ(mistakes_in(with("[speculation]\nquantile = 0.5\n")),
            "a.toml:11:1: speculation.quantile: ignored with speculation.slowdown = 0; it needs "
            "speculation.slowdown = 1 or more");
  EXPECT_EQ(mistakes_in(with("[speculation]\nquantile = 0.5\nslowdown = 1.5\n")), "");
  EXPECT_NE(mistakes_in(with("[speculation]\nslowdown = 0.5\n"))
                .find("speculation.slowdown: expected 0 or at least 1, found 0.5"),
            std::string::npos);
}

TEST(IgnoredKey, LostHeartbeatsWhereThereAreNone) {
  const std::string lost = with("[faults]\nheartbeat_loss_probability = 0.1\n");
  EXPECT_NE(mistakes_in(lost).find("faults.heartbeat_loss_probability: ignored with "
                                   "scheduler.feedback = \"at-once\""),
            std::string::npos);
  EXPECT_EQ(mistakes_in(lost, {"scheduler.feedback=heartbeat"}), "");
}

TEST(IgnoredKey, ErrorOfAnEstimateThatHasNone) {
  EXPECT_EQ(mistakes_in(with("[estimate]\nerror = 0.1\n")),
            "a.toml:11:1: estimate.error: ignored with estimate.model = \"exact\"; it needs "
            "estimate.model = \"uniform\"");
  EXPECT_EQ(mistakes_in(with("[estimate]\nmodel = 'uniform'\nerror = 0.1\n")), "");
}

TEST(IgnoredKey, DefaultTaskOfAnEstimateThatIsNotNaive) {
  EXPECT_EQ(mistakes_in(with("[estimate]\ndefault_task_s = 2\nmodel = 'uniform'\n")),
            "a.toml:11:1: estimate.default_task_s: ignored with estimate.model = \"uniform\"; it "
            "needs estimate.model = \"naive\"");
  EXPECT_EQ(mistakes_in(with("[estimate]\nmodel = 'naive'\ndefault_task_s = 2\n")), "");
}

TEST(IgnoredKey, JvmFactorWithoutAModel) {
  EXPECT_EQ(mistakes_in(with("[jvm]\nfactor = 2\n")),
            "a.toml:11:1: jvm.factor: ignored with jvm.model = \"none\"; it needs jvm.model = "
            "\"executor\" or \"reuse\"");
  EXPECT_EQ(mistakes_in(with("[jvm]\nmodel = 'reuse'\nfactor = 2\n")), "");
}

TEST(IgnoredKey, JvmKeysThatAnotherModelReads) {
  EXPECT_EQ(mistakes_in(with("[jvm]\nmodel = 'reuse'\nstart_s = 2\ndecay_tasks = 3\n")),
            "a.toml:12:1: jvm.start_s: ignored with jvm.model = \"reuse\"; it needs jvm.model = "
            "\"executor\"\n"
            "a.toml:13:1: jvm.decay_tasks: ignored with jvm.model = \"reuse\"; it needs jvm.model "
            "= \"executor\"");
  EXPECT_EQ(mistakes_in(with("[jvm]\nmodel = 'measured'\nfactor = 2\n")),
            "a.toml:12:1: jvm.factor: ignored with jvm.model = \"measured\"; it needs jvm.model = "
            "\"executor\" or \"reuse\"");
  EXPECT_EQ(
      mistakes_in(with("[jvm]\nmodel = 'executor'\nstart_s = 2\nfactor = 3\ndecay_tasks = 3\n")),
      "");
}

TEST(IgnoredKey, OfAJvmModelThatThereIsNotIsNotBlamed) {
  EXPECT_EQ(mistakes_in(with("[jvm]\nmodel = 'reus'\nstart_s = 2\n")),
            "a.toml:11:9: jvm.model: expected one of \"executor\", \"measured\", \"none\", "
            "\"reuse\", found \"reus\"; did you mean 'reuse'?");
}

TEST(IgnoredKey, LongestSleepOfARankThatSpins) {
  EXPECT_EQ(mistakes_in(with("[run]\npoll = 'spin'\npoll_us = 50\n")),
            "a.toml:12:1: run.poll_us: ignored with run.poll = \"spin\"; it needs run.poll = "
            "\"auto\" or \"sleep\"");
}

TEST(IgnoredKey, ParametersOfAnotherOrder) {
  EXPECT_EQ(mistakes_in(with("[scheduler.srpt]\nlevel = 'stage'\n")),
            "a.toml:10:12: scheduler.srpt: ignored with scheduler.order = \"cfq\"; it needs "
            "scheduler.order = \"srpt\"");
  EXPECT_EQ(mistakes_in(with("[scheduler.srpt]\nlevel = 'stage'\n"), {"scheduler.order=srpt"}), "");
}

TEST(IgnoredKey, FormatOfAGeneratedWorkload) {
  const std::string text = mistakes_in(
      "[cluster]\nnodes = 1\nslots_per_node = 1\n[scheduler]\npolicy = 'fifo'\n"
      "[workload]\ngenerator = 'google'\nformat = 'tr'\n");
  EXPECT_EQ(text,
            "a.toml:8:1: workload.format: ignored with workload.generator; it needs workload.file");
}

TEST(IgnoredKey, IsNotBlamedWhereTheDecidingKeyIsWrongItself) {
  EXPECT_EQ(mistakes_in(with("[estimate]\nmodel = 'unifrm'\nerror = 0.1\n")),
            "a.toml:11:9: estimate.model: expected one of \"exact\", \"uniform\", \"naive\", "
            "\"stage-mean\", \"given\", found \"unifrm\"; did you mean 'uniform'?");
  EXPECT_EQ(mistakes_in(with("[heartbeat]\ninterval_s = 1\n"), {"scheduler.feedback=hartbeat"}),
            "--set scheduler.feedback=hartbeat: scheduler.feedback: unknown feedback 'hartbeat'; "
            "did you mean 'heartbeat'?");
  EXPECT_EQ(mistakes_in(with("[scheduler.srpt]\nlevel = 'stage'\n"), {"scheduler.order=spt"}),
            "--set scheduler.order=spt: scheduler.order: unknown order 'spt'; did you mean "
            "'srpt'?");
}

}  // namespace
}  // namespace somnus::test
