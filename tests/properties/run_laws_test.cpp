// Laws of every run, whatever the policy, judged from its record alone: the schedulers' own books
// are not asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/property.hpp"
#include "harness/scenarios.hpp"

namespace somnus::harness {
namespace {

struct Span {
  Time from;
  Time to;
};

// An attempt that was lost on its way to the node never ran: an empty span, which overlaps nothing.
bool overlap(const Span& a, const Span& b) {
  return std::max(a.from, b.from) < std::min(a.to, b.to);
}

std::uint32_t most_tasks(const Scenario& scenario, NodeId node) {
  constexpr std::uint32_t no_limit = 1'000'000;
  const std::uint32_t slots = scenario.cluster.node(node).slots;
  return slots > 0 ? slots : no_limit;
}

Duration away(const Scenario& scenario) { return scenario.conditions.nodes.network.mean; }

TEST(RunLaws, EveryTaskFinishesExactlyOnceAndItsAttemptsAreCountedFromZero) {
  std::size_t zombies = 0;  // attempts that went on after the scheduler had given them up
  std::size_t killed = 0;
  std::size_t backups = 0;  // that won against an attempt that took long
  check_law({.cases = 1000}, [&] {
    const Scenario scenario = any_scenario({.within = true, .slotless = true, .chaos = true});
    const World world = run(scenario);
    expect_each_task_to_finish_once(world);
    for (std::size_t at = 1; at < world.attempts.size(); ++at) {
      const Attempt& each = world.attempts[at];
      const Attempt& before = world.attempts[at - 1];
      const bool beside = before.task == each.task && each.placed < before.reported;
      RC_ASSERT(!beside || world.backups_due > 0);
      backups += beside && each.outcome == Outcome::finished ? 1U : 0U;
    }
    for (const Attempt& each : world.attempts) {
      killed += each.outcome == Outcome::killed ? 1U : 0U;
      zombies += each.finished != never && each.finished > each.reported ? 1U : 0U;
    }
  });
  EXPECT_GT(killed, 20U) << "no job failed with a task running";
  EXPECT_GT(backups, 20U) << "no backup ever won";
  EXPECT_GT(zombies, 20U) << "no node ever outlived what was thought of it";
}

TEST(RunLaws, NeverTwoTasksInOneSlot) {
  check_law({.cases = 250}, [] {
    expect_never_two_tasks_in_a_slot(
        run(any_scenario({.within = true, .slotless = true, .chaos = true})));
  });
}

TEST(RunLaws, NoTaskStartsBeforeItsJobIsSubmittedOrItsParentsHaveEnded) {
  check_law({.cases = 250}, [] {
    const Scenario scenario = any_scenario({.within = true, .slotless = true, .chaos = true});
    const World world = run(scenario);
    const Catalogue& catalogue = world.workload.catalogue;
    std::map<StageId, Time> stage_reported;  // when the scheduler heard of the stage's last end
    for (const Attempt& each : world.attempts) {
      if (each.outcome != Outcome::finished) continue;
      Time& last = stage_reported[each.stage];
      last = std::max(last, each.reported);
    }
    for (const Attempt& each : world.attempts) {
      RC_ASSERT(each.placed >= catalogue[each.job].submit);
      RC_ASSERT(each.queued >= each.placed);
      for (const StageId parent : catalogue.parents_of(catalogue[each.stage])) {
        RC_ASSERT(each.placed >= stage_reported.at(parent));
      }
    }
  });
}

TEST(RunLaws, AFinishedAttemptTookExactlyAsLongAsItsDurationWarmthAndNodeSay) {
  check_law({.cases = 250}, [] {
    const Scenario scenario = any_scenario({.within = true, .slotless = true});
    const World world = run(scenario);
    const Warmup& warmup = scenario.conditions.nodes.warmup;
    for (const Attempt& each : world.attempts) {
      if (each.outcome != Outcome::finished) continue;
      RC_ASSERT(each.finished - each.started == each.intended);
      const TaskTimes times = world.workload.truth.times(each.job, each.task);
      const double slowdown = scenario.cluster.node(each.node).slowdown;
      const auto close_to = [&](double expected) {
        return std::abs(in_seconds(each.intended) - expected * slowdown) < 2e-9;
      };
      const double nominal = in_seconds(times.nominal);
      const std::string& model = warmup.row().name;
      const Parameters& given = warmup.parameters();
      if (model == "none") RC_ASSERT(!each.warm);
      if (model == "none" || each.warm) {
        RC_ASSERT(close_to(nominal));
      } else if (model == "reuse") {
        RC_ASSERT(close_to(nominal * *given.at("factor").number()));
      } else if (model == "measured") {
        RC_ASSERT(close_to(in_seconds(times.first)) || close_to(in_seconds(times.fresh)));
      } else {
        const double most = nominal * *given.at("factor").number() + *given.at("start_s").number();
        RC_ASSERT(in_seconds(each.intended) <= most * slowdown + 2e-9);
      }
    }
  });
}

TEST(RunLaws, AWarmTaskIsNeverSlowerThanTheSameTaskCold) {
  check_law({.cases = 250}, [] {
    const Scenario scenario = any_scenario({});
    const Workload jobs = scenario.workload();
    const Warmup warmup = draw::warmup();
    for (std::uint32_t at = 0; at < jobs.catalogue.tasks; ++at) {
      const JobId job = jobs.catalogue[jobs.catalogue.stage_of[at]].job;
      const TaskTimes times = jobs.truth.times(job, TaskId(at));
      const Duration fresh = warmup.intended(times, {}, 1).time;
      const Duration other = warmup.intended(times, {.app = true, .ran = 1}, 1).time;
      const Duration warm = warmup.intended(times, {.app = true, .stage = true, .ran = 4}, 1).time;
      RC_ASSERT(fresh >= other);
      RC_ASSERT(other >= warm);
      RC_ASSERT(warm == times.nominal);
      RC_ASSERT(warm >= Warmup::least(times, 1));
    }
  });
}

TEST(RunLaws, NothingRunsOnANodeWhileItIsLost) {
  check_law({.cases = 250}, [] {
    const Scenario scenario = any_scenario({.within = true, .slotless = true});
    const World world = run(scenario);
    const auto& faults = scenario.conditions.nodes.faults;
    for (const NodeFault& lost : faults) {
      if (lost.change != NodeChange::lost) continue;
      const auto back = std::find_if(faults.begin(), faults.end(), [&](const NodeFault& each) {
        return each.node == lost.node && each.change == NodeChange::returned;
      });
      for (const Attempt& each : world.attempts) {
        if (each.node != lost.node) continue;
        RC_ASSERT(!overlap({lost.at, back->at}, {each.started, each.finished}));
      }
    }
  });
}

// As the scheduler counts, from the decision until it heard of the end, and as the nodes did.
TEST(RunLaws, NoNodeEverHoldsMoreTasksThanSlotsOrMoreDemandThanCapacity) {
  check_law({.cases = 250}, [] {
    const Scenario scenario = any_scenario({.within = true, .slotless = true, .chaos = true});
    const World world = run(scenario);
    for (const bool as_scheduler : {true, false}) {
      std::map<std::pair<Time, int>, std::vector<const Attempt*>> changes;  // ends (0) come first
      for (const Attempt& each : world.attempts) {
        const Span held =
            as_scheduler ? Span{each.placed, each.reported} : Span{each.started, each.finished};
        if (held.from >= held.to) continue;
        changes[{held.from, 1}].push_back(&each);
        changes[{held.to, 0}].push_back(&each);
      }
      std::vector<std::uint32_t> tasks(scenario.cluster.node_count());
      std::vector<Resources> taken(scenario.cluster.node_count());
      for (const auto& [moment, attempts] : changes) {
        for (const Attempt* each : attempts) {
          const Resources demand = world.workload.truth.demand(each->stage);
          if (moment.second == 0) {
            --tasks[each->node.index()];
            taken[each->node.index()] -= demand;
            continue;
          }
          ++tasks[each->node.index()];
          taken[each->node.index()] += demand;
          const NodeGroup& node = scenario.cluster.node(each->node);
          RC_ASSERT(tasks[each->node.index()] <= most_tasks(scenario, each->node));
          RC_ASSERT(taken[each->node.index()].fits_in(node.capacity) ||
                    scenario.cluster.resources.empty());
        }
      }
    }
  });
}

bool conserves_work(const Conditions& conditions) {
  const Part* const order = find_part(PartKind::order, conditions.order);
  if (order == nullptr) return true;
  return std::get<OrderPart>(order->as).traits(conditions.of_order).work_conserving;
}

// Work conservation. A task waits from the moment when it could run until its attempt is placed;
// after each round between the two, it must find no room on any node that is up.
TEST(RunLaws, NoFreeSlotWhileARunnableTaskFits) {
  std::size_t waits = 0;
  check_law({.cases = 500}, [&] {
    const Scenario scenario = any_scenario({.instant = true, .within = true, .slotless = true});
    RC_PRE(conserves_work(scenario.conditions));
    const World world = run(scenario);
    const Catalogue& catalogue = world.workload.catalogue;
    std::map<StageId, Time> stage_end;
    for (const Attempt& each : world.attempts) {
      Time& last = stage_end[each.stage];
      last = std::max(last, each.finished);
    }
    const auto could_run = [&](const Attempt& each) {
      if (each.number > 0) return (&each)[-1].finished;
      Time from = catalogue[each.job].submit;
      for (const StageId parent : catalogue.parents_of(catalogue[each.stage])) {
        from = std::max(from, stage_end.at(parent));
      }
      return from;
    };
    for (const Time now : world.rounds) {
      std::vector<std::uint32_t> free(scenario.cluster.node_count());
      std::vector<Resources> room(scenario.cluster.node_count());
      for (std::size_t at = 0; at < free.size(); ++at) {
        free[at] = most_tasks(scenario, NodeId(at));
        room[at] = scenario.cluster.node(NodeId(at)).capacity;
      }
      for (const Attempt& each : world.attempts) {
        if (each.placed > now || each.finished <= now) continue;
        --free[each.node.index()];
        room[each.node.index()] -= world.workload.truth.demand(each.stage);
      }
      for (const NodeFault& fault : scenario.conditions.nodes.faults) {
        if (fault.at > now) break;
        const bool returned = fault.change == NodeChange::returned;
        if (!returned) free[fault.node.index()] = 0;
        if (!returned) continue;
        std::uint32_t busy = 0;
        for (const Attempt& each : world.attempts) {
          busy += each.node == fault.node && each.placed <= now && each.finished > now ? 1U : 0U;
        }
        free[fault.node.index()] = most_tasks(scenario, fault.node) - busy;
      }
      for (const Attempt& each : world.attempts) {
        if (could_run(each) > now || each.placed <= now) continue;
        ++waits;
        for (std::size_t node = 0; node < free.size(); ++node) {
          const bool fits = scenario.cluster.resources.empty() ||
                            world.workload.truth.demand(each.stage).fits_in(room[node]);
          RC_ASSERT(free[node] == 0 || !fits);
        }
      }
    }
  });
  EXPECT_GT(waits, 1000U) << "no task ever had to wait";
}

TEST(RunLaws, WithoutJitterTheWayToANodeTakesExactlyTheNetworkDelay) {
  check_law({.cases = 150}, [] {
    const Scenario scenario = any_scenario({.jitter = false, .faults = false});
    const World world = run(scenario);
    for (const Attempt& each : world.attempts) {
      RC_ASSERT(each.queued == each.placed + away(scenario));
      RC_ASSERT(each.started == each.queued);
      if (scenario.conditions.nodes.heartbeats) {
        RC_ASSERT(each.reported >= each.finished + away(scenario));
      } else {
        RC_ASSERT(each.reported == each.finished + away(scenario));
      }
    }
  });
}

TEST(RunLaws, OneSeedOneHistory) {
  check_law({.cases = 150}, [] {
    const Scenario scenario = any_scenario({.within = true, .slotless = true, .chaos = true});
    RC_ASSERT(transcript(run(scenario)) == transcript(run(scenario)));
  });
}

TEST(RunLaws, AnyDivisionOfTheNodesOverRanksGivesTheSameHistory) {
  check_law({.cases = 200}, [] {
    expect_divisions_not_to_matter(any_scenario({.within = true, .slotless = true, .chaos = true}));
  });
}

}  // namespace
}  // namespace somnus::harness
