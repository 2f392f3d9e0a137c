// What is said between Somnus and an order that is a process of its own: JSON Lines, one line each
// way. `somnus protocol` prints this from the descriptions below.
//
//     Somnus   {"init":{"protocol":1,"seed":...,"nodes":1000,"slots":8000,...}}
//     order    {"protocol":1,"name":"las","level":"job","events":["started","ended"]}
//     Somnus   {"now":1500000000,"events":[{"event":"started","time":1500000000,"unit":3,...}]}
//     order    {"keys":[[3,1],[5,[0,2.5]]],"wakes_at":9000000000}
//
// All times and spans are whole nanoseconds. The order's input ends when the run does.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "base/time.hpp"
#include "model/event.hpp"
#include "scheduler/unit.hpp"

namespace somnus {
namespace order_protocol {

inline constexpr std::uint32_t version = 1;

/// The first line.
struct Init {
  std::uint32_t protocol = version;
  std::uint64_t seed = 0;
  std::uint32_t nodes = 0;
  std::uint64_t slots = 0;
  std::vector<std::string> queues, accounts, qos;
  std::map<std::string, double> parameters;

  static constexpr auto fields() {
    return in_order(field("protocol", &Init::protocol, "1", "version of what is said"),
                    field("seed", &Init::seed, "1", "for what the order draws; of the run's own"),
                    field("nodes", &Init::nodes, "1", "of the cluster"),
                    field("slots", &Init::slots, "1", "of all nodes"),
                    field("queues", &Init::queues, "", "names, by their numbers"),
                    field("accounts", &Init::accounts, "", "names, by their numbers"),
                    field("qos", &Init::qos, "", "names, by their numbers"),
                    field("parameters", &Init::parameters, "", "as in the config"));
  }
};

/// A job arrived, or, where stages are ranked, a stage became ready.
struct SubmittedMessage {
  std::int64_t time = 0;
  std::uint32_t unit = 0, job = 0, user = 0;
  std::optional<std::uint32_t> queue, account, qos;
  std::int32_t nice = 0;
  std::int64_t arrival = 0;
  double weight = 1, weight_of_user = 1;
  std::uint32_t tasks = 0, width = 0;
  std::int64_t slot_time = 0;
  double work_left = 0;
  std::optional<std::int64_t> limit;
  std::uint32_t stages = 1;
  std::optional<std::uint32_t> stage;
  std::optional<std::vector<std::uint32_t>> parents;

  static constexpr const char* kind = "submitted";
  static constexpr auto fields() {
    using M = SubmittedMessage;
    return in_order(
        field("time", &M::time, "ns", "since the run's start"),
        field("unit", &M::unit, "id", "what is ranked: the job or stage"),
        field("job", &M::job, "id", "its job; a smaller one arrived earlier"),
        field("user", &M::user, "id", "its user"),
        field("queue", &M::queue, "id", "its queue; left out: in none"),
        field("account", &M::account, "id", "its account; left out: of none"),
        field("qos", &M::qos, "id", "its quality of service; left out: of none"),
        field("nice", &M::nice, "1", "as users give it"),
        field("arrival", &M::arrival, "ns", "when its job arrived"),
        field("weight", &M::weight, "1", "of the job"),
        field("weight_of_user", &M::weight_of_user, "1", "among users"),
        field("tasks", &M::tasks, "1", "of the unit"),
        field("width", &M::width, "1", "most slots that its job can use at once"),
        field("slot_time", &M::slot_time, "ns", "estimated, of all its tasks"),
        field("work_left", &M::work_left, "ns", "estimated, of the job's unfinished tasks"),
        field("limit", &M::limit, "ns", "for how long its job may run; left out: for any time"),
        field("stages", &M::stages, "1", "of its job"),
        field("stage", &M::stage, "1",
              "its place among the job's stages, from 0; left out, as the next, where jobs are "
              "ranked"),
        field("parents", &M::parents, "id", "stages that it waited for"));
  }
};
[[nodiscard]] SubmittedMessage submitted(Time now, const Unit& unit);

/// One of its tasks has been launched.
struct StartedMessage {
  std::int64_t time = 0;
  std::uint32_t unit = 0, running = 0, runnable = 0;

  static constexpr const char* kind = "started";
  static constexpr auto fields() {
    using M = StartedMessage;
    return in_order(field("time", &M::time, "ns", "since the run's start"),
                    field("unit", &M::unit, "id", "whose task it is"),
                    field("running", &M::running, "1", "its tasks that run now"),
                    field("runnable", &M::runnable, "1", "its tasks that could be launched now"));
  }
};
[[nodiscard]] StartedMessage started(const Unit& unit);

/// One of its attempts is over.
struct EndedMessage {
  std::int64_t time = 0;
  std::uint32_t unit = 0;
  Outcome outcome = Outcome::finished;
  std::uint32_t running = 0, runnable = 0, completed = 0;
  double work_left = 0;

  static constexpr const char* kind = "ended";
  static constexpr auto fields() {
    using M = EndedMessage;
    return in_order(
        field("time", &M::time, "ns", "since the run's start"),
        field("unit", &M::unit, "id", "whose task it is"),
        field("outcome", &M::outcome, "", "how it ended"),
        field("running", &M::running, "1", "its tasks that run now"),
        field("runnable", &M::runnable, "1", "its tasks that could be launched now"),
        field("completed", &M::completed, "1", "its tasks that have finished"),
        field("work_left", &M::work_left, "ns", "estimated, of the job's unfinished tasks"));
  }
};
[[nodiscard]] EndedMessage ended(const Unit& unit, Outcome outcome);

/// It has ended or failed: none of its units comes back.
struct JobEndedMessage {
  std::int64_t time = 0;
  std::uint32_t job = 0;

  static constexpr const char* kind = "job_ended";
  static constexpr auto fields() {
    using M = JobEndedMessage;
    return in_order(field("time", &M::time, "ns", "since the run's start"),
                    field("job", &M::job, "id", "the job, none of whose units comes back"));
  }
};

/// Which units are ranked first: the least key, compared number by number; what it has no number
/// for counts as 0. One that waits is not served, nor any behind it.
struct Key {
  bool waits = false;
  std::array<double, 4> numbers{};

  friend auto operator<=>(const Key&, const Key&) = default;
};

/// What an order may want to hear of.
enum class Hears { submitted, started, ended, job_ended };

/// The order's first line: what it says of itself.
struct About {
  std::uint32_t protocol = 0;
  std::string name, version;
  Level level = Level::job;
  std::vector<Hears> events;
  bool each_round = false, each_launch = false, wakes = false, all_keys = false;

  static constexpr auto fields() {
    return in_order(
        required(field("protocol", &About::protocol, "1", "version of what is said")),
        required(field("name", &About::name, "", "of the order, for people")),
        field("version", &About::version, "", "the same"),
        field("level", &About::level, "", "what it ranks: units are jobs or stages"),
        field("events", &About::events, "", "what it wants to hear of"),
        field("each_round", &About::each_round, "",
              "it is asked in each round, as its keys move with time"),
        field("each_launch", &About::each_launch, "",
              "it is asked after each launch, which moves its unit's key at once"),
        field("wakes", &About::wakes, "",
              "it says when keys move next, and is asked after each round with launches"),
        field("all_keys", &About::all_keys, "",
              "it can be asked for the keys of all units, as run.audit_keys = true does"));
  }
  [[nodiscard]] bool hears(Hears what) const {
    return std::ranges::find(events, what) != events.end();
  }
};

struct NewKey {
  std::uint32_t unit = 0;
  Key key;
};
/// "keys": a list of [unit, key], of those that have moved; a key is a number, a list of them, or
/// null for one that waits. "wakes_at": when it is to be asked though nothing else happens.
struct Answer {
  std::vector<NewKey> keys;
  Time wakes_at = never;
};

/// "[3, 0.5]", without the numbers at its end that are 0; "null" of one that waits.
[[nodiscard]] std::string in_words(const Key& key);

// Each throws WorldError, which says what was expected, for any other line.
[[nodiscard]] About read_about(std::string_view line);
[[nodiscard]] Answer read_answer(std::string_view line);

/// All of this in words, for people.
[[nodiscard]] std::string in_words();

}  // namespace order_protocol

template <>
struct EnumNames<order_protocol::Hears> {
  using enum order_protocol::Hears;
  static constexpr std::pair<order_protocol::Hears, const char*> names[] = {
      {submitted, "submitted"}, {started, "started"}, {ended, "ended"}, {job_ended, "job_ended"}};
};

}  // namespace somnus
