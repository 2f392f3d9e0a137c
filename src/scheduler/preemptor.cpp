#include "scheduler/preemptor.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "scheduler/backfill_units.hpp"

namespace somnus {

bool Preemptor::makes_room(StageId stage, const Order& order, SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  const bool is_dying = view.jobs[stage].gang && view.jobs.running(stage) > 0;
  if (is_dying) return false;
  const std::uint64_t width = unit_width(stage, view);
  const auto there = [&] { return view.nodes.free_slots() + coming_; };
  if (there() < width && !sorted_) sort(order, view);
  if (there() >= width) return coming_ > 0;
  const std::vector<Holder> chosen = victims(width - there(), order.tier(stage, view));
  for (const Holder& holder : chosen) {
    context.preempt(holder.stage, stage);
    give_up(holder.stage, holder.width);
  }
  sorted_ = sorted_ && chosen.empty();
  return !chosen.empty();
}

void Preemptor::sort(const Order& order, const SchedulerView& view) {
  std::vector<StageId> killed_with_their_jobs;
  std::ranges::copy_if(running_, std::back_inserter(killed_with_their_jobs),
                       [&](StageId stage) { return view.jobs.failed(view.jobs.job_of(stage)); });
  for (const StageId stage : killed_with_their_jobs) give_up(stage, view.jobs.running(stage));
  sorted_ = true;
  holders_.clear();
  for (const StageId stage : running_) {
    holders_.push_back(
        {.stage = stage, .width = view.jobs[stage].tasks, .tier = order.tier(stage, view)});
  }
  std::ranges::reverse(holders_);
  std::ranges::stable_sort(holders_, std::greater(), &Holder::tier);
  std::uint64_t slots = 0;
  for (Holder& holder : holders_) holder.with_those_before = slots += holder.width;
}

std::vector<Preemptor::Holder> Preemptor::victims(std::uint64_t slots, std::uint32_t tier) const {
  const auto end = std::ranges::partition_point(
      holders_, [tier](const Holder& holder) { return holder.tier > tier; });
  const auto last =
      std::ranges::lower_bound(holders_.begin(), end, slots, {}, &Holder::with_those_before);
  if (last == end) return {};
  std::uint64_t spare = last->with_those_before - slots;
  std::vector<Holder> chosen(holders_.begin(), last + 1);
  std::erase_if(chosen, [&spare](const Holder& holder) {
    if (holder.width > spare) return false;
    spare -= holder.width;
    return true;
  });
  return chosen;
}

// The first end of a gang: the others come with it, or will soon, as it is broken.
void Preemptor::task_ended(StageId stage, const SchedulerView& view) {
  if (!view.jobs[stage].is_one_unit()) return;
  if (!giving_up_.contains(stage)) give_up(stage, view.jobs[stage].tasks);
  const auto unit = giving_up_.find(stage);
  --coming_;
  if (--unit->second == 0) giving_up_.erase(unit);
}

void Preemptor::give_up(StageId stage, std::uint32_t tasks) {
  std::erase(running_, stage);
  giving_up_.emplace(stage, tasks);
  coming_ += tasks;
  sorted_ = false;
}

}  // namespace somnus
