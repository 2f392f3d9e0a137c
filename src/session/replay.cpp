#include "session/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "config/config.hpp"
#include "log/in_order.hpp"
#include "log/instants.hpp"
#include "log/references.hpp"
#include "scheduler/engine.hpp"
#include "session/compose.hpp"
#include "session/recorded_policy.hpp"
#include "session/replay_verifier.hpp"

namespace somnus {
namespace {

tl::unexpected<Mistakes> refuse(std::string what, std::string hint = {}) {
  return mistake({.what = std::move(what), .hint = std::move(hint)});
}

using EventsInOrder = InOrder<EventRows>;
using DecisionsInOrder = InOrder<DecisionRows>;
using Decision = Decisions::in<std::variant>;

/// Which row is out of order, or says what no run can have logged; empty if all is well.
template <class Rows>
std::string error_of(const Log& log, const InOrder<Rows>& rows, const Population& population) {
  std::string error;
  double time = 0;
  std::uint32_t round = 0;
  for (std::size_t number = 0; number < rows.size() && error.empty(); ++number) {
    rows.visit(number, [&]<class Row>(const Row& row, std::size_t at) {
      std::string what = impossible_value(row, population);
      if (row.round < round) what = "round goes back";
      if (row.time < time) what = "time goes back";
      if (!(row.time >= 0)) what = fmt::format("time {} s", row.time);
      if (!what.empty()) error = fmt::format("{} row {}: {}", path_of<Row>(), at, what);
      time = row.time;
      round = row.round;
    });
  }
  const bool may_have_gap = !log.header.complete && rows.has_gap();
  return error.empty() && !may_have_gap ? rows.error() : error;
}

class Replay {
 public:
  Replay(const Log& log, const Catalogue& catalogue, Engine& engine, const EventsInOrder& events,
         const DecisionsInOrder& decisions, ReplayVerifier::Targets targets,
         RecordedPolicy* recorded)
      : log_(log),
        catalogue_(catalogue),
        engine_(engine),
        events_(events),
        decisions_(decisions),
        recorded_(recorded),
        instants_(log),
        verifier_(log, engine, targets) {}

  Replayed run() {
    std::size_t from = 0;
    if (events_.size() == 0 && !log_.header.complete) {
      result_.cut_off = "the log ends before its first event; nothing is compared";
    }
    while (from < events_.size() && result_.difference.empty() && result_.cut_off.empty()) {
      const std::uint32_t number = round_of(events_, from);
      std::size_t end = from;
      while (end < events_.size() && round_of(events_, end) == number) ++end;
      const bool may_lack_events = !log_.header.complete && end == events_.size();
      round(from, end, may_lack_events);
      from = end;
    }
    const bool equal = result_.difference.empty() && result_.cut_off.empty();
    if (equal && compared_ < decisions_.size()) left_over();
    if (equal && result_.difference.empty()) verifier_.ends(result_.events, result_.rounds);
    if (result_.difference.empty()) result_.difference = verifier_.difference();
    return std::move(result_);
  }

 private:
  template <class Rows>
  static std::uint32_t round_of(const InOrder<Rows>& rows, std::size_t number) {
    std::uint32_t round = 0;
    rows.visit(number, [&](const auto& row, std::size_t) { round = row.round; });
    return round;
  }

  void round(std::size_t from, std::size_t end, bool may_lack_events) {
    const std::uint32_t number = round_of(events_, from);
    const std::optional<Time> instant = instant_of(from, number);
    if (!instant) return;
    const Time now = *instant;
    if (number != result_.rounds) {
      result_.difference = fmt::format("round {} at {} s: the log has no event of round {}", number,
                                       in_seconds(now), result_.rounds);
      return;
    }
    if (recorded_ != nullptr) {
      const bool all_given = !log_.header.complete && compared_ == decisions_.size();
      if (all_given) return end_decisions(now, number);
      recorded_->round_begins(number);
    }
    verifier_.round_begins(now);
    for (; from < end && result_.difference.empty(); ++from) {
      events_.visit(from, [&](const auto& row, std::size_t at) { happen(now, row, at); });
    }
    if (!result_.difference.empty()) return;
    if (may_lack_events) {
      result_.cut_off = fmt::format("the log ends in round {} at {} s, which is not compared",
                                    number, in_seconds(now));
      return;
    }
    verifier_.planning(now);
    again_.clear();
    try {
      engine_.plan(now).for_each([&](const auto& decisions) {
        again_.insert(again_.end(), decisions.begin(), decisions.end());
      });
    } catch (const Bug& bug) {
      return contradict(now, number, fmt::format("its events, up to {},", last_event(end)), bug);
    }
    ++result_.rounds;
    compare(now, number);
  }

  /// When the round was that begins with that event; none, and it is said, where the log does not
  /// have it.
  std::optional<Time> instant_of(std::size_t event, std::uint32_t number) {
    std::optional<Time> now;
    events_.visit(event, [&](const auto& row, std::size_t) {
      now = instants_.of(number, row.time);
      if (now && is_written_as(*now, row.time)) return;
      const std::string where = fmt::format("round {} at {} s", number, row.time);
      if (now) {
        result_.difference =
            fmt::format("{}: by /instants it was at {} s", where, in_seconds(*now));
      } else if (log_.header.complete) {
        result_.difference = where + " has no row in /instants";
      } else {
        result_.cut_off = where + " has no row in /instants yet, and is not compared";
      }
      now.reset();
    });
    return now;
  }

  template <class Kind>
  void happen(Time now, const Stamped<Kind>& row, std::size_t at) {
    const Kind& event = row;
    if (!is_written_as(now, row.time)) {
      result_.difference =
          fmt::format("round {} at {} s: {} row {} is of {} s, and a round is one instant",
                      row.round, in_seconds(now), path_of<Stamped<Kind>>(), at, row.time);
      return;
    }
    bool could_be = false;
    try {
      could_be = !came_before(event) && engine_.handle(now, event);
    } catch (const Bug& bug) {
      return contradict(now, row.round, fmt::format("{} row {}", path_of<Stamped<Kind>>(), at),
                        bug);
    }
    if (!could_be) {
      result_.difference = fmt::format(
          "round {} at {} s: {} row {} can't be: what it records has already happened, or could "
          "not happen then",
          row.round, row.time, path_of<Stamped<Kind>>(), at);
      return;
    }
    verifier_.happened(now, event);
    ++result_.events;
  }

  // A scheduler stops where its events contradict each other: of a log that the run wrote so,
  // that is our mistake; of a changed log, it is the user's.
  void contradict(Time now, std::uint32_t number, const std::string& rows, const Bug& bug) {
    result_.difference = fmt::format("round {} at {} s: {} can't be followed: {}", number,
                                     in_seconds(now), rows, bug.what());
  }
  [[nodiscard]] std::string last_event(std::size_t end) const {
    std::string text;
    events_.visit(end - 1, [&]<class Row>(const Row&, std::size_t at) {
      text = fmt::format("{} row {}", path_of<Row>(), at);
    });
    return text;
  }

  // The engine takes it for granted that a job comes once.
  [[nodiscard]] bool came_before(const JobArrived& event) const {
    return engine_.jobs().arrived(event.job);
  }
  [[nodiscard]] bool came_before(const auto& /*event*/) const { return false; }

  void compare(Time now, std::uint32_t number) {
    std::size_t end = compared_;
    while (end < decisions_.size() && round_of(decisions_, end) <= number) ++end;
    const std::size_t then = end - compared_;
    const bool may_lack_decisions = !log_.header.complete && end == decisions_.size();
    for (std::size_t at = 0; at < std::max(then, again_.size()); ++at) {
      if (at == then && may_lack_decisions) {
        end_decisions(now, number);
        break;
      }
      const bool both = at < then && at < again_.size();
      if (!both || !same(compared_ + at, again_[at], now, number)) {
        result_.difference = fmt::format(
            "round {} at {} s, decision {} of the round: then {}, now {}", number, in_seconds(now),
            at, at < then ? row_in_words(compared_ + at, now, number) : "none",
            at < again_.size() ? words(again_[at]) : "none");
        return;
      }
      ++result_.decisions;
    }
    compared_ = end;
  }

  void end_decisions(Time now, std::uint32_t number) {
    result_.cut_off =
        fmt::format("the log's decisions end in round {} at {} s, later rounds are not compared",
                    number, in_seconds(now));
  }

  void left_over() {
    if (!log_.header.complete) return;  // the events were cut off before
    decisions_.visit(compared_, [&](const auto& row, std::size_t) {
      result_.difference = fmt::format(
          "round {} at {} s: then {}, now none, as the log has no event of that round", row.round,
          row.time, row_in_words(compared_, at_seconds(row.time), row.round));
    });
  }

  [[nodiscard]] bool same(std::size_t decision, const Decision& again, Time now,
                          std::uint32_t number) const {
    bool equal = false;
    decisions_.visit(decision, [&]<class Kind>(const Stamped<Kind>& row, std::size_t) {
      const auto* const one = std::get_if<Kind>(&again);
      equal = one != nullptr && *one == static_cast<const Kind&>(row) &&
              is_written_as(now, row.time) && row.round == number;
    });
    return equal;
  }

  [[nodiscard]] std::string row_in_words(std::size_t decision, Time now,
                                         std::uint32_t number) const {
    std::string text;
    decisions_.visit(decision, [&]<class Kind>(const Stamped<Kind>& row, std::size_t) {
      text = words(static_cast<const Kind&>(row));
      if (row.round != number) text += fmt::format(", in round {}", row.round);
      if (!is_written_as(now, row.time)) text += fmt::format(", at {} s", row.time);
    });
    return text;
  }

  [[nodiscard]] std::string words(const Decision& decision) const {
    return std::visit([&](const auto& one) { return words(one); }, decision);
  }
  template <Described Kind>
  [[nodiscard]] std::string words(const Kind& decision) const {
    std::string text = Kind::kind;
    for_each_field<Kind>([&](const auto& field) {
      text += fmt::format(" {} {}", field.name, word(decision.*field.member));
    });
    return text;
  }
  template <class Member>
  [[nodiscard]] std::string word(const Member& member) const {
    if constexpr (std::is_same_v<Member, TaskId>) {
      const Stage& stage = catalogue_[catalogue_.stage_of[member.index()]];
      return fmt::format("{} (job {}, stage {}, index {})", member.value(), stage.job.value(),
                         stage.label, member.value() - stage.first_task.value());
    } else if constexpr (is_id<Member>) {
      return fmt::format("{}", member.value());
    } else if constexpr (NamedEnum<Member>) {
      return name_of(member);
    } else if constexpr (OfSeconds<Member>) {
      return fmt::format("{} s", member.seconds);
    } else {
      return fmt::format("{}", member);
    }
  }

  const Log& log_;
  const Catalogue& catalogue_;
  Engine& engine_;
  const EventsInOrder& events_;
  const DecisionsInOrder& decisions_;
  RecordedPolicy* recorded_;  // the engine's; nullptr: it has the log's scheduler
  Instants instants_;
  std::size_t compared_ = 0;     // decisions so far
  std::vector<Decision> again_;  // of this round
  ReplayVerifier verifier_;
  Replayed result_;
};

}  // namespace

Checked<Replayed> replay_log(const Log& log, std::span<const Override> overrides, ReplayBy by) {
  const auto settings = parse_settings(log.header.config, "the log's config", overrides);
  if (!settings) return tl::unexpected(settings.error());
  if (log.events.empty() && !log.tables.jobs.empty() && !settings->log.replay) {
    return refuse("the log has no events to decide from",
                  "a run keeps them with log.replay = true, which is the default");
  }
  if (std::string error = table_error(log); !error.empty()) return refuse(std::move(error));
  const Catalogue catalogue = catalogue_of(log);
  const std::uint32_t nodes = settings->cluster.node_count();
  if (nodes != log.tables.nodes.size()) {
    return refuse(
        fmt::format("the config has {} nodes, /nodes has {}", nodes, log.tables.nodes.size()));
  }
  const Population population(log.tables);
  const EventsInOrder events(log.events);
  const DecisionsInOrder decisions(log.decisions);
  if (std::string error = error_of(log, events, population); !error.empty()) {
    return refuse(std::move(error));
  }
  if (std::string error = error_of(log, decisions, population); !error.empty()) {
    return refuse(std::move(error));
  }
  const LogNames& names = log.tables.names;
  if (catalogue.queues > names.queues.size()) {
    return refuse(
        fmt::format("/jobs has {} queues, /names has {}", catalogue.queues, names.queues.size()));
  }
  if (Mistakes config_errors = config_errors_of(*settings, names); config_errors.any()) {
    return tl::unexpected(std::move(config_errors));
  }
  if (by == ReplayBy::log) {
    auto recorded = std::make_unique<RecordedPolicy>(log, events, decisions, catalogue);
    RecordedPolicy& policy = *recorded;
    const auto engine = engine_of(*settings, catalogue, names, std::move(recorded));
    return Replay(log, catalogue, *engine, events, decisions, ReplayVerifier::Targets::not_known,
                  &policy)
        .run();
  }
  const std::unique_ptr<Engine> engine = engine_of(*settings, catalogue, names);
  const auto targets =
      settings->log.targets ? ReplayVerifier::Targets::some : ReplayVerifier::Targets::none;
  return Replay(log, catalogue, *engine, events, decisions, targets, nullptr).run();
}

}  // namespace somnus
