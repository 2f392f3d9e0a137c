#include "config/settings.hpp"

namespace somnus {

Composition composition_of(const Settings& settings) {
  const SchedulerSettings& scheduler = settings.scheduler;
  Composition composition{.whole = scheduler.whole,
                          .of_whole = scheduler.whole_parameters,
                          .order = scheduler.order,
                          .of_order = scheduler.order_parameters,
                          .within = scheduler.within,
                          .backfill = scheduler.backfill,
                          .of_backfill = scheduler.backfill_parameters,
                          .preemption = scheduler.preemption,
                          .placement = scheduler.placement,
                          .of_placement = scheduler.placement_parameters,
                          .feedback = scheduler.feedback};
  if (has_worker_queues(settings)) composition.queue = settings.queue;
  return composition;
}

bool preempts(const Settings& settings) {
  const std::string& preemption = settings.scheduler.preemption;
  return !preemption.empty() && preemption != default_part(PartKind::preemption);
}

bool suspends(const Settings& settings) {
  if (!settings.scheduler.whole.empty()) return order_traits(composition_of(settings)).suspends;
  return preempts(settings) &&
         work_after_preemption(settings.scheduler.preemption) == WorkDone::kept;
}

Warmup warmup_of(const Settings& settings) { return {settings.jvm.model, settings.jvm.parameters}; }

bool has_heartbeats(const Settings& settings) {
  const Part* const feedback = find_part(PartKind::feedback, settings.scheduler.feedback);
  const bool of_feedback =
      feedback != nullptr && std::get<FeedbackPart>(feedback->as).traits.heartbeats;
  return of_feedback || has_worker_queues(settings) || settings.faults.missed_heartbeats > 0;
}

std::uint64_t seed_of_faults(const Settings& settings) {
  return settings.faults.seed > 0 ? settings.faults.seed : settings.run.seed;
}

bool has_worker_queues(const Settings& settings) {
  const Part* const queue = find_part(PartKind::queue, settings.scheduler.queue);
  return queue != nullptr && std::get<QueuePart>(queue->as).make != nullptr;
}

}  // namespace somnus
