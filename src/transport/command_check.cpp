#include "transport/command_check.hpp"

#include <fmt/format.h>

#include "model/limits.hpp"
#include "transport/sound_values.hpp"

namespace somnus {

std::string CommandCheck::objection(const JobUpdate& update) const {
  if (update.job.index() >= start_.jobs) {
    return fmt::format("an update of job {} of {}", update.job.value(), start_.jobs);
  }
  const bool times = is_time(update.arrival) && is_duration(update.remaining);
  return times ? "" : fmt::format("an update of job {} at a time that is none", update.job.value());
}

std::string CommandCheck::objection_to_any(NodeId node, Time sent) const {
  const std::uint32_t place = node.value() - first_.value();
  if (place >= count_) {
    return fmt::format("node {}, expected {} to {}", node.value(), first_.value(),
                       first_.value() + count_ - 1);
  }
  return is_moment(sent) ? ""
                         : fmt::format("a command to node {} at a time that is none", node.value());
}

std::string CommandCheck::objection_to(const LaunchMessage& launch) const {
  if (launch.task.index() >= start_.tasks) {
    return fmt::format("task {} of {}", launch.task.value(), start_.tasks);
  }
  if (launch.job.index() >= start_.jobs) {
    return fmt::format("job {} of {}", launch.job.value(), start_.jobs);
  }
  if (!is_named(launch.into)) {
    return fmt::format("task {} into slot {}", launch.task.value(), raw(launch.into));
  }
  const TaskTimes& times = launch.times;
  const bool sound = is_duration(times.nominal) && is_duration(times.first) &&
                     is_duration(times.fresh) && is_warmup(times.warmup) &&
                     is_duration(launch.estimate);
  return sound ? "" : fmt::format("task {} for a time that is none", launch.task.value());
}

std::string CommandCheck::objection_to(const KillMessage& kill) const {
  if (kill.task.index() < start_.tasks) return {};
  return fmt::format("task {} of {}", kill.task.value(), start_.tasks);
}

std::string CommandCheck::objection_to(const AskMessage& ask) const {
  if (ask.job.index() >= start_.jobs) {
    return fmt::format("job {} of {}", ask.job.value(), start_.jobs);
  }
  if (!is_named(ask.question)) return fmt::format("question {}", raw(ask.question));
  return is_duration(ask.estimate)
             ? ""
             : fmt::format("a question of node {} about a time that is none", ask.node.value());
}

std::string CommandCheck::objection_to(const RevokeMessage& revoke) {
  if (revoke.length >= 0 && revoke.wait_s >= 0) return {};  // false for NaN
  return fmt::format("a queue of node {} of {} tasks and {} s", revoke.node.value(), revoke.length,
                     revoke.wait_s);
}

}  // namespace somnus
