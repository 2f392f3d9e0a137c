// What a config without mistakes means.
#include "config/check.hpp"

namespace somnus::test {
namespace {

std::string with_cluster(std::string_view cluster) {
  return std::string(cluster) + "[scheduler]\npolicy = 'cfq'\n[workload]\nfile = 'f'\n";
}

TEST(ClusterTable, GivesOneGroupOfLikeNodes) {
  const Cluster cluster = settings_of(least).cluster;
  ASSERT_EQ(cluster.groups.size(), 1U);
  EXPECT_EQ(cluster.node_count(), 4U);
  EXPECT_EQ(cluster.slot_count(), 8U);
  EXPECT_TRUE(cluster.resources.empty());
  EXPECT_TRUE(cluster.groups[0].capacity.zero());
}

TEST(ClusterTable, LetsResourcesRuleWhereNoSlotsAreGiven) {
  const Cluster cluster = settings_of(with_cluster("[cluster]\nnodes = 3\n"
                                                   "resources = { mem_gb = 12.5, cpu = 20 }\n"),
                                      {"scheduler.policy=fifo"})
                              .cluster;
  EXPECT_EQ(cluster.resources, (std::vector<std::string>{"mem_gb", "cpu"}));
  EXPECT_EQ(cluster.groups[0].slots, 0U);
  EXPECT_EQ(cluster.groups[0].capacity.amount(0), 12.5);
  EXPECT_EQ(cluster.groups[0].capacity.amount(1), 20);
}

TEST(ClusterTable, KeepsGroupsAndTheFirstOnesOrderOfResources) {
  const Cluster cluster = settings_of(with_cluster("[[cluster.group]]\n"
                                                   "name = 'fast'\n"
                                                   "count = 2\n"
                                                   "slots_per_node = 8\n"
                                                   "resources = { mem_gb = 64, cpu = 8 }\n"
                                                   "[[cluster.group]]\n"
                                                   "count = 3\n"
                                                   "slots_per_node = 4\n"
                                                   "slowdown = 1.5\n"
                                                   "resources = { cpu = 4, mem_gb = 32 }\n"))
                              .cluster;
  ASSERT_EQ(cluster.groups.size(), 2U);
  EXPECT_EQ(cluster.resources, (std::vector<std::string>{"mem_gb", "cpu"}));
  EXPECT_EQ(cluster.groups[0].name, "fast");
  EXPECT_EQ(cluster.groups[1].name, "group-1");
  EXPECT_EQ(cluster.groups[1].count, 3U);
  EXPECT_EQ(cluster.groups[1].slowdown, 1.5);
  EXPECT_EQ(cluster.groups[1].capacity.amount(0), 32);
  EXPECT_EQ(cluster.groups[1].capacity.amount(1), 4);
}

TEST(SchedulerTable, TakesThePartsOfThePreset) {
  for (const Preset& preset : presets()) {
    const std::string set = "scheduler.policy=" + preset.name;
    const SchedulerSettings scheduler = settings_of(least, {set}).scheduler;
    EXPECT_EQ(scheduler.policy, preset.name);
    EXPECT_EQ(scheduler.order, preset.order);
    EXPECT_EQ(scheduler.placement, preset.placement);
    EXPECT_EQ(scheduler.feedback, preset.feedback);
    EXPECT_EQ(scheduler.queue, preset.queue);
  }
}

TEST(SchedulerTable, ExchangesAnyPartOfThePreset) {
  const SchedulerSettings scheduler =
      settings_of(least, {"scheduler.order=fair", "scheduler.feedback=heartbeat"}).scheduler;
  EXPECT_EQ(scheduler.policy, "cfq");
  EXPECT_EQ(scheduler.order, "fair");
  EXPECT_EQ(scheduler.placement, "any-free");
  EXPECT_EQ(scheduler.feedback, "heartbeat");
}

TEST(SchedulerTable, ComposesWithoutAPreset) {
  const SchedulerSettings scheduler =
      settings_of(
          "[cluster]\nnodes = 1\nslots_per_node = 1\n[workload]\nfile = 'f'\n"
          "[scheduler]\norder = 'srpt'\nplacement = 'any-free'\n[scheduler.srpt]\nlevel = "
          "'stage'\n")
          .scheduler;
  EXPECT_EQ(scheduler.policy, "");
  EXPECT_EQ(scheduler.feedback, "at-once");
  EXPECT_EQ(scheduler.queue, "none");
  EXPECT_EQ(scheduler.order_parameters.at("level"), Value("stage"));
}

TEST(SchedulerTable, CompletesParametersByTheirDefaults) {
  const Parameters parameters = settings_of(least).scheduler.order_parameters;
  const Part& part = *find_part(PartKind::order, "cfq");
  ASSERT_EQ(parameters.size(), part.parameters.size());
  for (const ParameterInfo& info : part.parameters) {
    EXPECT_EQ(parameters.at(info.name), info.fallback);
  }
}

TEST(SchedulerTable, ReadsATableOfFreeKeys) {
  const Value shares = Table{{"A", 70}, {"b c", 0.5}};
  const std::string text = with("[scheduler.capacity]\ncapacities = { A = 70, 'b c' = 0.5 }\n");
  EXPECT_EQ(
      settings_of(text, {"scheduler.order=capacity"}).scheduler.order_parameters.at("capacities"),
      shares);
  EXPECT_EQ(settings_of(least, {"scheduler.order=capacity",
                                "scheduler.capacity.capacities={A=70, 'b c'=0.5}"})
                .scheduler.order_parameters.at("capacities"),
            shares);
}

TEST(WorkloadTable, CompletesTheGeneratorsParameters) {
  const WorkloadSettings workload =
      settings_of(
          "[cluster]\nnodes = 1\nslots_per_node = 1\n[scheduler]\npolicy = 'cfq'\n"
          "[workload]\nspan_s = 36.50\ngenerator = 'elephant-and-mice'\n",
          {"workload.mice=1e3"})
          .workload;
  EXPECT_EQ(workload.parameters,
            (Parameters{{"mice", 1000}, {"span_s", 36.5}, {"elephant_at_s", 1}}));
}

TEST(WorkloadTable, KeepsParametersOfTheFilesFormat) {
  const WorkloadSettings workload =
      settings_of(with("filter = 10\nformat = 'google-uwfq'\nchain = false\n"),
                  {"workload.scale=2"})
          .workload;
  EXPECT_EQ(workload.file, "jobs.jsonl");
  EXPECT_EQ(workload.format, "google-uwfq");
  EXPECT_EQ(workload.parameters.at("filter"), Value(10));
  EXPECT_EQ(workload.parameters.at("chain"), Value(false));
  EXPECT_EQ(workload.parameters.at("scale"), Value(2));
  EXPECT_EQ(workload.parameters.at("name_users"), Value(true));
  EXPECT_EQ(workload.location.line, 9) << "where the config names the file";
}

TEST(WholeNumbers, MayHaveAPoint) {
  EXPECT_EQ(settings_of(with("[log]\ncompression = 2.0\n")).log.compression, 2U);
}

TEST(FaultsTable, KeepsEventsInWrittenOrder) {
  const FaultSettings faults =
      settings_of(with("[faults]\ntask_failure_probability = 0.5\n"
                       "[[faults.event]]\nat_s = 9\nnode = 3\n"
                       "[[faults.event]]\nat_s = 1.5\nnode = 0\nkind = 'node-returned'\n"))
          .faults;
  EXPECT_EQ(faults.task_failure_probability, 0.5);
  ASSERT_EQ(faults.events.size(), 2U);
  EXPECT_EQ(faults.events[0].at_s, 9);
  EXPECT_EQ(faults.events[0].node, 3U);
  EXPECT_EQ(faults.events[0].kind, FaultKind::node_lost);
  EXPECT_EQ(faults.events[1].kind, FaultKind::node_returned);
}

TEST(Config, MayHaveWindowsLineEnds) {
  std::string toml;
  for (const char c : least) toml += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(to_toml(settings_of(toml)), to_toml(settings_of(least)));
}

}  // namespace
}  // namespace somnus::test
