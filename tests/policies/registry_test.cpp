#include "scheduler/registry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "harness/builders.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

TEST(Registry, NamesEachPartOfAKindOnce) {
  std::set<std::pair<PartKind, std::string>> names;
  for (const Part& part : parts()) {
    EXPECT_TRUE(names.emplace(part.kind, part.name).second) << part.name;
  }
}

TEST(Registry, ExplainsEveryPartAndParameterAndGivesItsSource) {
  for (const Part& part : parts()) {
    EXPECT_FALSE(part.summary.empty()) << part.name;
    for (const ParameterInfo& parameter : part.parameters) {
      EXPECT_FALSE(parameter.meaning.empty()) << part.name << "." << parameter.name;
    }
  }
  for (const Preset& preset : presets()) {
    EXPECT_FALSE(preset.summary.empty()) << preset.name;
    EXPECT_FALSE(preset.source.empty()) << preset.name;
  }
}

TEST(Registry, BuildsEveryPresetFromPartsThatExist) {
  const Cluster nodes = harness::cluster(2);
  for (const Preset& preset : presets()) {
    if (preset.whole.empty()) {
      EXPECT_NE(find_part(PartKind::order, preset.order), nullptr) << preset.name;
      EXPECT_NE(find_part(PartKind::placement, preset.placement), nullptr) << preset.name;
    } else {
      EXPECT_NE(find_part(PartKind::policy, preset.whole), nullptr) << preset.name;
      EXPECT_EQ(preset.order + preset.placement, "") << preset.name;
    }
    EXPECT_NE(find_part(PartKind::feedback, preset.feedback), nullptr) << preset.name;
    EXPECT_NE(find_part(PartKind::queue, preset.queue), nullptr) << preset.name;
    Composition composition{.whole = preset.whole,
                            .order = preset.order,
                            .placement = preset.placement,
                            .feedback = preset.feedback};
    if (queue_part(preset.queue).make != nullptr) composition.queue = preset.queue_rules;
    EXPECT_NE(make_scheduler(composition, {.cluster = nodes, .queues = {}}).policy, nullptr);
  }
}

struct QuotaRules {
  double quota = 0;
  static constexpr auto fields() {
    return in_order(field("quota", &QuotaRules::quota, "1", "slots of each queue", not_negative));
  }
  [[nodiscard]] static PolicyTraits traits() { return {}; }
  [[nodiscard]] std::vector<ConfigError> config_errors(const Environment& environment) const {
    const auto asked = quota * static_cast<double>(environment.queues.size());
    if (asked <= static_cast<double>(environment.cluster.slot_count())) return {};
    return {{.parameter = "quota", .what = fmt::format("{} slots in all", asked)}};
  }
};
struct Quota final : Policy {
  using Rules = QuotaRules;
  Quota(const QuotaRules&, const Environment&) {}
  void job_arrived(Time, JobId, const SchedulerView&) override {}
  void stage_runnable(Time, StageId, const SchedulerView&) override {}
  void stage_withdrawn(StageId, const SchedulerView&) override {}
  void task_ended(const TaskEnded&, StageId, const SchedulerView&) override {}
  void job_ended(JobId, const SchedulerView&) override {}
  void plan(Time, SchedulerContext&) override {}
};

TEST(Registry, AWholePolicyMaySayWhatOfItsParametersDoesNotFit) {
  const auto quota = std::get<PolicyPart>(rows::policy<Quota>("quota", "", "").as);
  const Cluster slots = harness::cluster(4);
  const std::vector<std::string> queues = {"A", "B"};
  EXPECT_TRUE(quota.config_errors({{"quota", 2.0}}, {.cluster = slots, .queues = queues}).empty());
  const auto config_errors =
      quota.config_errors({{"quota", 3.0}}, {.cluster = slots, .queues = queues});
  ASSERT_EQ(config_errors.size(), 1U);
  EXPECT_EQ(config_errors[0].parameter + ": " + config_errors[0].what, "quota: 6 slots in all");
}

TEST(Registry, ListsEveryReorderingOfQueuesThatThereIs) {
  for (const std::string& name : Reordering::choices()) {
    const Part* const part = find_part(PartKind::reorder, name);
    ASSERT_NE(part, nullptr) << name;
    EXPECT_EQ(std::get<Reordering>(part->as), Reordering::named(name));
    EXPECT_EQ(Reordering::parse(name)->name(), name);
  }
  EXPECT_EQ(Reordering(), Reordering::named("fifo"));
  EXPECT_FALSE(Reordering::parse("fofi").has_value());
}

TEST(Registry, NamesDefaultsThatThereAre) {
  for (const auto& [kind, name] : EnumNames<PartKind>::names) {
    const char* const part = default_part(kind);
    if (part == nullptr) continue;
    EXPECT_NE(find_part(kind, part), nullptr) << name;
  }
  EXPECT_EQ(default_part(PartKind::order), nullptr);
}

TEST(Registry, GivesExamplesThatEachPartWouldTake) {
  for (const Part& part : parts()) {
    for (const Parameters& example : part.examples) {
      ValueReader reader;
      const Parameters whole = part.parameters.read(reader, example, part.name);
      EXPECT_EQ(whole.size(), part.parameters.defaults().size());
      for (const ValueError& fault : reader.errors()) ADD_FAILURE() << fault.text();
    }
  }
}

TEST(Registry, GivesEveryParameterADefaultThatItWouldTake) {
  for (const Part& part : parts()) {
    for (const ParameterInfo& parameter : part.parameters) {
      EXPECT_TRUE(parameter.fallback.has_value()) << part.name << "." << parameter.name;
    }
    ValueReader reader;
    const Parameters defaults = part.parameters.defaults();
    EXPECT_EQ(part.parameters.read(reader, defaults, part.name), defaults);
    for (const ValueError& error : reader.errors()) ADD_FAILURE() << error.text();
  }
}

}  // namespace
}  // namespace somnus
