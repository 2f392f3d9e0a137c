#include "scheduler/preemptor.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>

#include "scheduler/backfill_units.hpp"

namespace somnus {

bool Preemptor::makes_room(StageId stage, const Order& order, SchedulerContext& context) {
  const SchedulerView& view = context.scheduler_view();
  const bool is_dying = view.jobs[stage].gang && view.jobs.running(stage) > 0;
  if (is_dying) return false;
  const std::uint64_t width = unit_width(stage, view);
  const auto there = [&] { return view.nodes.free_slots() + coming_; };
  if (there() < width && !counted_) count(order, view);
  if (there() >= width) return coming_ > 0;
  const std::uint32_t tier = order.tier(stage, view);
  const std::uint64_t lacking = width - there();
  if (held_after(tier) < lacking) return false;
  for (const Holder& holder : victims(lacking, tier, order, view)) {
    context.preempt(holder.stage, stage, done_);
    expect_back(holder.stage, holder.width);
  }
  return true;
}

bool Preemptor::is_over(StageId stage, const Order& order, const SchedulerView& view) {
  if (view.nodes.free_slots() > 0) return false;
  if (!counted_) count(order, view);
  return held_after(order.tier(stage, view)) == 0;
}

void Preemptor::count(const Order& order, const SchedulerView& view) {
  std::vector<StageId> killed_with_their_jobs;
  std::ranges::copy_if(running_, std::back_inserter(killed_with_their_jobs),
                       [&](StageId stage) { return view.jobs.failed(view.jobs.job_of(stage)); });
  for (const StageId stage : killed_with_their_jobs) expect_back(stage, view.jobs.running(stage));
  counted_ = true;
  held_.clear();
  for (const StageId stage : running_) held_[order.tier(stage, view)] += view.jobs[stage].tasks;
}

std::uint64_t Preemptor::held_after(std::uint32_t tier) const {
  std::uint64_t slots = 0;
  for (auto later = held_.upper_bound(tier); later != held_.end(); ++later) slots += later->second;
  return slots;
}

std::vector<Preemptor::Holder> Preemptor::victims(std::uint64_t slots, std::uint32_t tier,
                                                  const Order& order,
                                                  const SchedulerView& view) const {
  std::vector<Holder> later;
  for (const StageId stage : running_ | std::views::reverse) {
    const std::uint32_t of_stage = order.tier(stage, view);
    if (of_stage > tier) {
      later.push_back({.stage = stage, .width = view.jobs[stage].tasks, .tier = of_stage});
    }
  }
  std::ranges::stable_sort(later, std::greater(), &Holder::tier);
  std::vector<Holder> chosen;
  std::uint64_t held = 0;
  for (auto holder = later.begin(); held < slots; ++holder) {
    chosen.push_back(*holder);
    held += holder->width;
  }
  std::uint64_t spare = held - slots;
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
  if (!ending_.contains(stage)) expect_back(stage, view.jobs[stage].tasks);
  const auto unit = ending_.find(stage);
  --coming_;
  if (--unit->second == 0) ending_.erase(unit);
}

void Preemptor::expect_back(StageId stage, std::uint32_t slots) {
  std::erase(running_, stage);
  ending_.emplace(stage, slots);
  coming_ += slots;
  counted_ = false;
}

}  // namespace somnus
