#include "workers/node.hpp"

#include "base/error.hpp"

namespace somnus {

// Part of what starts a task, whichever way it came.
[[gnu::always_inline]] inline void Node::start(Time now, const LaunchMessage& task, Time queued,
                                               NodeHost& host) {
  SOMNUS_CHECK(slots_.any_free(), "node {} has no free slot for task {}", id_.value(),
               task.task.value());
  host.sleep(slots_.start(now, task, queued, host.model()));
}

void Node::arrive(Time now, const ResetMessage& reset, NodeHost& host) {
  // Several resets of one life may be on their way, and overtake each other and those of the next.
  const auto next_life = static_cast<Incarnation>(incarnation_ + 1);
  if (!up_ || reset.incarnation != next_life) return;
  stop_all(now, host);
  known_ = true;
  incarnation_ = reset.incarnation;
  say(now, NodeStatusMessage{.node = id_, .status = NodeStatus::returned}, host);
}

void Node::arrive(Time now, const LaunchMessage& launch, NodeHost& host) {
  const bool plain = queue_ == nullptr && killed_ == nullptr && launch.into == Into::any_slot;
  if (plain && accepts(launch.incarnation)) return start(now, launch, now, host);
  arrive_among_others(now, launch, host);
}

void Node::arrive_among_others(Time now, const LaunchMessage& launch, NodeHost& host) {
  if (!accepts(launch.incarnation)) return never_started(now, launch, now, Outcome::lost, host);
  const bool for_held_slot = launch.into == Into::held_slot && release(launch.stage);
  if (killed_ != nullptr && killed_->erase({launch.task, launch.attempt}) > 0) {
    never_started(now, launch, now, Outcome::killed, host);
    if (for_held_slot) start_queued(now, host);
    return;
  }
  const bool must_wait = !slots_.any_free() || (queue_ != nullptr && !queue_->empty());
  if (queue_ == nullptr || for_held_slot || !must_wait) return start(now, launch, now, host);
  queue_->put(now,
              {.estimate = launch.estimate,
               .task = launch.task,
               .job = launch.job,
               .stage = launch.stage,
               .attempt = launch.attempt,
               .launch = waiting_.keep(launch)},
              host.job(launch.job));
}

void Node::arrive(Time now, const KillMessage& kill, NodeHost& host) {
  if (!accepts(kill.incarnation)) return;
  if (Slot* const slot = slots_.find(kill.task, kill.attempt)) {
    host.cut_short(slots_.sleep(*slot));
    report_end(now, end(now, *slot, Outcome::killed), host);
    if (queue_ != nullptr) start_queued(now, host);
    return;
  }
  const auto waited = queue_ == nullptr ? std::nullopt : queue_->remove(kill.task, kill.attempt);
  if (waited) {
    return never_started(now, waiting_.take(waited->launch), waited->queued, Outcome::killed, host);
  }
  // Or it has ended, and nobody will miss it.
  if (killed_ == nullptr) killed_ = std::make_unique<std::set<Attempt>>();
  killed_->insert({kill.task, kill.attempt});
}

void Node::arrive(Time now, const AskMessage& ask, NodeHost& host) {
  SOMNUS_CHECK(queue_ != nullptr, "node {} is asked about a queue, and has none", id_.value());
  if (host.model().silent && !accepts(ask.incarnation)) return;
  switch (ask.question) {
    case Question::probe:
      return answer(now, ask.stage, up_ ? Reply::load : Reply::gone, host);
    case Question::reserve: {
      if (!up_) return answer(now, ask.stage, Reply::gone, host);
      if (slots_.any_free() && queue_->empty()) return hold(now, ask.stage, host);
      return queue_->put(now, {.estimate = ask.estimate, .job = ask.job, .stage = ask.stage},
                         host.job(ask.job));
    }
    case Question::decline:
      if (release(ask.stage)) start_queued(now, host);
      return;
  }
}

void Node::arrive(Time now, const RevokeMessage& revoke, NodeHost& host) {
  SOMNUS_CHECK(queue_ != nullptr, "node {} is to give back from a queue, and has none",
               id_.value());
  if (!accepts(revoke.incarnation) || queue_->empty()) return;
  std::vector<Duration> left = left_by_slot(now);
  for (const WorkerQueue::Entry& entry : queue_->shed(now, revoke, left)) {
    never_started(now, waiting_.take(entry.launch), entry.queued, Outcome::returned, host);
  }
}

void Node::start_queued(Time now, NodeHost& host) {
  while (slots_.any_free() && !queue_->empty()) {
    const WorkerQueue::Entry entry = queue_->take(now);
    if (entry.is_reservation()) {
      hold(now, entry.stage, host);
    } else {
      start(now, waiting_.take(entry.launch), entry.queued, host);
    }
  }
}

void Node::hold(Time now, StageId stage, NodeHost& host) {
  reservations_.hold(stage, slots_.take());
  answer(now, stage, Reply::ready, host);
}

bool Node::release(StageId stage) {
  const auto place = reservations_.release(stage);
  if (place) slots_.give_back(slots_[*place]);
  return place.has_value();
}

std::vector<Duration> Node::left_by_slot(Time now) const {
  std::vector<Duration> left = slots_.left_of_running(now);
  left.resize(left.size() + reservations_.size());  // held slots wait for a word, no longer
  return left;
}

CompletionMessage Node::end(Time now, Slot& slot, Outcome outcome) {
  slots_.end(slot);
  CompletionMessage over{.queued = slot.started,
                         .started = slot.started,
                         .finished = now,
                         .intended = slot.intended,
                         .task = slot.task,
                         .node = id_,
                         .slot = slot.place,
                         .attempt = slot.attempt,
                         .outcome = outcome,
                         .warm = slot.warm};
  if (queue_ != nullptr) over.queued = slots_.queued(slot);
  return over;
}

void Node::wake(Time now, Slot& slot, Time deadline, NodeHost& host) {
  host.ended(now - deadline);
  report_end(now, end(now, slot, slot.fails ? Outcome::failed : Outcome::finished), host);
  if (queue_ != nullptr) start_queued(now, host);
}

void Node::report_end(Time now, CompletionMessage&& over, NodeHost& host) {
  if (host.model().ends_wait) {
    uplink_.keep(over);
  } else {
    say(now, over, host);
  }
}

void Node::beat(Time now, NodeHost& host) {
  if (!up_ || uplink_.reachable() > now) return;
  const std::optional<Duration> late = uplink_.heartbeat_delay(host.model().fault_model);
  if (!late) return;
  const Duration delay = host.model().heartbeat_delay + *late;
  if (!known_)
    return say(now, NodeStatusMessage{.node = id_, .status = NodeStatus::registers}, host, delay);
  uplink_.release_held([&](CompletionMessage& over) { say(now, over, host, delay); });
  NodeStatusMessage message{.node = id_, .running = slots_.taken()};
  if (queue_ != nullptr) {
    queue_->refresh(host.jobs());
    message.queued = queue_->size();
    if (!slots_.any_free()) {
      std::vector<Duration> left = left_by_slot(now);
      message.wait = queue_->wait(left);
    }
  }
  say(now, message, host, delay);
}

void Node::apply(const NodeFault& fault) {
  if (fault.change == NodeChange::cut_off) return cut_off(fault.until);
  up_ = fault.change == NodeChange::returned;
}

void Node::passed(Time beat, const FaultModel& fault_model) {
  if (up_ && uplink_.reachable() <= beat) static_cast<void>(uplink_.heartbeat_delay(fault_model));
}

void Node::lose(Time now, NodeHost& host) {
  if (!up_) return;
  up_ = false;
  stop_all(now, host);
  if (!host.model().silent)
    say(now, NodeStatusMessage{.node = id_, .status = NodeStatus::lost}, host);
}

void Node::stop_all(Time now, NodeHost& host) {
  killed_.reset();
  slots_.forget();
  for (std::uint32_t place = 0; place < slots_.used(); ++place) {
    Slot& slot = slots_[place];
    if (!slot.busy) continue;
    host.cut_short(slots_.sleep(slot));
    say(now, end(now, slot, Outcome::lost), host);
  }
  uplink_.release_held([&](CompletionMessage& over) {
    if (host.model().silent) over.outcome = Outcome::lost;  // it is not reported
    say(now, over, host);
  });
  if (queue_ != nullptr) lose_queue(now, host);
}

void Node::lose_queue(Time now, NodeHost& host) {
  // A launch that comes for a turn that was announced will find no slot held.
  reservations_.release_all([this](std::uint32_t place) { slots_.give_back(slots_[place]); });
  for (const WorkerQueue::Entry& entry : queue_->drain()) {
    if (entry.is_reservation()) {
      if (!host.model().silent) answer(now, entry.stage, Reply::gone, host);
    } else {
      never_started(now, waiting_.take(entry.launch), entry.queued, Outcome::lost, host);
    }
  }
}

void Node::restore(Time now, NodeHost& host) {
  if (up_) return;
  up_ = true;
  known_ = !host.model().silent;
  const NodeStatus status = known_ ? NodeStatus::returned : NodeStatus::registers;
  say(now, NodeStatusMessage{.node = id_, .status = status}, host);
}

void Node::never_started(Time now, const LaunchMessage& task, Time queued, Outcome outcome,
                         NodeHost& host) {
  say(now,
      CompletionMessage{.queued = queued,
                        .started = never,
                        .finished = never,
                        .task = task.task,
                        .node = id_,
                        .attempt = task.attempt,
                        .outcome = outcome},
      host);
}

void Node::answer(Time now, StageId stage, Reply reply, NodeHost& host) {
  say(now,
      AnswerMessage{.node = id_,
                    .stage = stage,
                    .running = slots_.taken(),
                    .queued = queue_->size(),
                    .reply = reply},
      host);
}

template <class Report>
  requires NodeMessage<std::remove_cvref_t<Report>>
void Node::say(Time now, Report&& report, NodeHost& host, Duration extra) {
  if constexpr (requires { report.incarnation; }) report.incarnation = incarnation_;
  report.due = uplink_.heard(now, extra, host.model().network);
  host.send(now, report);
}

}  // namespace somnus
