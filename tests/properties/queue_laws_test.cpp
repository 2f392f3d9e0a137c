// Laws of every run with queues at nodes (or job managers, or feedback that needs them), judged
// from its record alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/property.hpp"
#include "harness/queue_scenarios.hpp"
#include "harness/watched.hpp"

namespace somnus::harness {
namespace {

TEST(QueueLaws, EveryJobEndsAndEveryTaskFinishesExactlyOnce) {
  std::size_t waited = 0;
  std::map<Outcome, std::size_t> outcomes;
  check_law({.cases = 1500}, [&] {
    const Scenario scenario = any_queueing_scenario({.chaos = true});
    const World world = run(scenario);
    expect_each_task_to_finish_once(world);
    for (const Attempt& each : world.attempts) {
      ++outcomes[each.outcome];
      waited += each.started != never && each.started > each.queued ? 1U : 0U;
    }
  });
  EXPECT_GT(waited, 1000U) << "tasks hardly ever waited at nodes";
  EXPECT_GT(outcomes[Outcome::failed], 100U);
  EXPECT_GT(outcomes[Outcome::lost], 100U);
  EXPECT_GT(outcomes[Outcome::returned], 100U) << "nothing was ever revoked";
}

TEST(QueueLaws, NeverTwoTasksInOneSlot) {
  check_law({.cases = 200},
            [] { expect_never_two_tasks_in_a_slot(run(any_queueing_scenario({.chaos = true}))); });
}

// Moments at which the number of tasks that wait or run at a node may go up or down.
std::set<Time> moments_of(const std::vector<Attempt>& attempts, const Waiting& during) {
  std::set<Time> moments = {during.from};
  for (const Attempt& each : attempts) {
    if (each.node != during.attempt->node) continue;
    for (const Time time : {each.queued, each.finished}) {
      if (during.from <= time && time < during.to) moments.insert(time);
    }
  }
  return moments;
}

TEST(QueueLaws, NoSlotIsFreeWhileATaskWaitsAtItsNode) {
  std::size_t waited = 0;
  check_law({.cases = 400}, [&] {
    const Scenario scenario = any_queueing_scenario({.jitter = false, .late_binding = false});
    const World world = run(scenario);
    for (const Waiting& waiting : waits_of(world, scenario.conditions.nodes)) {
      ++waited;
      for (const Time moment : moments_of(world.attempts, waiting)) {
        const auto running = std::ranges::count_if(world.attempts, [&](const Attempt& each) {
          return each.node == waiting.attempt->node && each.started <= moment &&
                 moment < each.finished;
        });
        RC_ASSERT(running == scenario.cluster.node(waiting.attempt->node).slots);
      }
    }
  });
  EXPECT_GT(waited, 1000U);
}

TEST(QueueLaws, NeverMoreTasksWaitAtANodeThanTheLengthOfItsQueue) {
  std::size_t full = 0;
  check_law({.cases = 600}, [&] {
    Scenario scenario = any_queueing_scenario({.jitter = false});
    RC_PRE(scenario.conditions.queue.has_value());
    RC_PRE(scenario.conditions.placement != "batch-sampling");
    if (scenario.conditions.feedback == "monitor") {
      scenario.conditions.feedback = "heartbeat";
    }
    QueueRules& rules = *scenario.conditions.queue;
    rules.bound = QueueBound::length;
    const World world = run(scenario);
    RC_ASSERT(world.ending == Ending::all_jobs_ended);
    const std::vector<Waiting> waits = waits_of(world, scenario.conditions.nodes);
    for (const Waiting& waiting : waits) {
      const auto with_it = std::ranges::count_if(waits, [&](const Waiting& other) {
        return other.attempt->node == waiting.attempt->node && other.from <= waiting.from &&
               waiting.from < other.to;
      });
      RC_ASSERT(with_it <= rules.length);
      full += with_it == rules.length ? 1U : 0U;
    }
  });
  EXPECT_GT(full, 500U) << "queues were hardly ever full";
}

TEST(QueueLaws, OneSeedOneHistory) {
  check_law({.cases = 200}, [] {
    const Scenario scenario = any_queueing_scenario({});
    RC_ASSERT(transcript(run(scenario)) == transcript(run(scenario)));
  });
}

// Placements that draw go by the order of what happens in one instant, and so does who is first
// among tasks that were lost.
TEST(QueueLaws, AnyDivisionOfTheNodesOverRanksGivesTheSameHistory) {
  check_law({.cases = 300}, [] { expect_divisions_not_to_matter(any_queueing_scenario({})); });
}

// The recorded events, given to a fresh scheduler: the whole of what a replay has.
TEST(QueueLaws, DecidedAgainFromWhatWasHeardEveryCommandIsTheSame) {
  check_law({.cases = 400}, [] {
    const Scenario scenario = any_queueing_scenario({});
    const World world = run(scenario);
    const auto engine = engine_of(world.workload, world.cluster, scenario.conditions);
    Plan again;
    for (std::size_t at = 0; at < world.events.size(); ++at) {
      const Heard& heard = world.events[at];
      RC_ASSERT(engine->handle(heard.at, heard.event));
      if (at + 1 < world.events.size() && world.events[at + 1].round == heard.round) continue;
      again.append(engine->plan(heard.at));
    }
    RC_ASSERT(std::ranges::equal(again.get<Launch>(), world.decisions, {}, {}, &Decision::launch));
    RC_ASSERT(std::ranges::equal(again.get<Ask>(), world.asks, {}, {}, &Asked::ask));
    RC_ASSERT(std::ranges::equal(again.get<Revoke>(), world.revokes, {}, {}, &Revoked::revoke));
  });
}

TEST(QueueLaws, EverySlotThatIsHeldGetsATaskOrADecline) {
  std::size_t held = 0;
  check_law({.cases = 300}, [&] {
    Scenario scenario = any_queueing_scenario({});
    scenario.conditions.placement = "batch-sampling";
    scenario.conditions.of_placement = {{"late_binding", true}};
    scenario.conditions.feedback = "at-once";
    if (!scenario.conditions.queue) scenario.conditions.queue = QueueRules{};
    scenario.conditions.queue->bound = QueueBound::none;
    const World world = run(scenario);
    RC_ASSERT(world.ending == Ending::all_jobs_ended);
    std::map<std::pair<NodeId, StageId>, int> open;
    for (const Heard& heard : world.events) {
      const auto* answer = std::get_if<NodeAnswered>(&heard.event);
      if (answer != nullptr && answer->reply == Reply::ready) {
        ++open[{answer->node, answer->stage}];
        ++held;
      }
    }
    for (const Decision& each : world.decisions) {
      RC_ASSERT(each.launch.into == Into::held_slot);
      --open[{each.launch.node, each.launch.stage}];
    }
    for (const Asked& each : world.asks) {
      if (each.ask.question == Question::decline) --open[{each.ask.node, each.ask.stage}];
    }
    for (const auto& [place, count] : open) RC_ASSERT(count == 0);
  });
  EXPECT_GT(held, 1000U);
}

// A job's manager hears at its own heartbeats, then takes its time: the phase is the job's alone.
TEST(QueueLaws, ATaskComesToItsNodeWhenItsManagerHasHeardLaunchedAndSentIt) {
  std::size_t heard_later = 0;
  check_law({.cases = 400}, [&] {
    Scenario scenario = any_queueing_scenario({.jitter = false, .faults = false});
    JobManagerRules& managers = scenario.conditions.loop.job_managers;
    managers.launch = LaunchModel::constant;
    const Duration launch = seconds(managers.launch_s);
    const Duration poll = seconds(managers.poll_s);
    const World world = run(scenario);
    std::map<JobId, Duration> phases;
    for (const Attempt& each : world.attempts) {
      const Duration waited =
          each.queued - each.placed - launch - scenario.conditions.nodes.network.mean;
      RC_ASSERT(waited >= Duration::zero());
      RC_ASSERT(waited <= std::max(Duration::zero(), poll - Duration(1)));
      if (poll == Duration::zero()) continue;
      heard_later += waited > Duration::zero() ? 1U : 0U;
      const Duration phase = (each.placed + waited - start_of_time) % poll;
      RC_ASSERT(phases.try_emplace(each.job, phase).first->second == phase);
    }
  });
  EXPECT_GT(heard_later, 1000U);
}

}  // namespace
}  // namespace somnus::harness
