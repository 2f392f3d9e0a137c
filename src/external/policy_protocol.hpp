// What is said between Somnus and a whole policy that is a process of its own: JSON Lines, one line
// each way. `somnus protocol` prints this from the descriptions below.
//
//     Somnus   {"init":{"protocol":1,"level":"policy","seed":...,"nodes":[{"slots":8},...],...}}
//     policy   {"protocol":1,"level":"policy","name":"fifo","events":["job_arrived",...]}
//     Somnus   {"now":0,"open":true,"events":[{"event":"job_arrived","time":0,"job":0,...},...]}
//     policy   {"place":[[0,3],[1,4,8],[2,[5,5,6]]],"wakes_at":9000000000}
//
// All times and spans are whole nanoseconds, amounts of resources whole millionths of the user's
// unit, and ids as in the log. The policy's input ends when the run does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/time.hpp"
#include "external/policy_events.hpp"
#include "model/event.hpp"

namespace somnus {
namespace policy_protocol {

inline constexpr std::uint32_t version = 1;

/// At which of the two levels a process is asked; for a policy there is this one.
enum class Asked { policy };

/// The first line.
struct Init {
  std::uint32_t protocol = version;
  Asked level = Asked::policy;
  std::uint64_t seed = 0;
  std::vector<NodeFacts> nodes;
  std::vector<std::string> resources, queues, accounts, qos;
  std::map<std::string, double> parameters;

  static constexpr auto fields() {
    return in_order(field("protocol", &Init::protocol, "1", "version of what is said"),
                    field("level", &Init::level, "", "\"policy\""),
                    field("seed", &Init::seed, "1", "for what the policy draws; of the run's own"),
                    field("nodes", &Init::nodes, "", "of the cluster, by their numbers; see below"),
                    field("resources", &Init::resources, "", "names, by their numbers"),
                    field("queues", &Init::queues, "", "names, by their numbers"),
                    field("accounts", &Init::accounts, "", "names, by their numbers"),
                    field("qos", &Init::qos, "", "names, by their numbers"),
                    field("parameters", &Init::parameters, "", "as in the config"));
  }
};

/// The policy's first line: what it says of itself.
struct About {
  std::uint32_t protocol = 0;
  Asked level = Asked::policy;
  std::string name, version;
  std::vector<Hears> events;
  bool each_round = false;

  static constexpr auto fields() {
    return in_order(
        required(field("protocol", &About::protocol, "1", "version of what is said")),
        required(field("level", &About::level, "", "\"policy\"")),
        required(field("name", &About::name, "", "of the policy, for people")),
        field("version", &About::version, "", "the same"),
        field("events", &About::events, "", "what it wants to hear of"),
        field("each_round", &About::each_round, "",
              "it is asked in each round, also if nothing that it hears of has happened"));
  }
  [[nodiscard]] bool hears(Hears what) const {
    return std::ranges::find(events, what) != events.end();
  }
};

// The decisions of an answer, each a list whose places are its fields.

struct Place {
  std::uint32_t stage = 0;
  std::vector<std::uint32_t> node;
  std::uint32_t tasks = 1;

  static constexpr const char* kind = "place";
  static constexpr auto fields() {
    return in_order(
        required(field("stage", &Place::stage, "id", "whose next task is launched")),
        required(
            field("node", &Place::node, "id",
                  "where; or a list of nodes, one for each task: all tasks of a gang at once")),
        field("tasks", &Place::tasks, "1", "how many go to each of them; left out: 1"));
  }
};
struct PlaceReserved {
  std::uint32_t stage = 0, node = 0;

  static constexpr const char* kind = "place_reserved";
  static constexpr auto fields() {
    return in_order(required(field("stage", &PlaceReserved::stage, "id",
                                   "whose next task gets the slot that is held for it")),
                    required(field("node", &PlaceReserved::node, "id", "that holds the slot")));
  }
};
struct Preempt {
  std::uint32_t stage = 0, by = 0;

  static constexpr const char* kind = "preempt";
  static constexpr auto fields() {
    return in_order(
        required(field("stage", &Preempt::stage, "id",
                       "a gang or a single task, which runs: it is killed, and starts again later, "
                       "or goes on where it stopped, as scheduler.external.preempted_work says")),
        required(field("by", &Preempt::by, "id", "whose tasks need the room, and are runnable")));
  }
};
struct AskNode {
  std::uint32_t node = 0, stage = 0;
  Question question = Question::probe;

  static constexpr const char* kind = "ask";
  static constexpr auto fields() {
    return in_order(
        required(field("node", &AskNode::node, "id", "that is asked")),
        required(field("stage", &AskNode::stage, "id", "for whose tasks")),
        required(field("question", &AskNode::question, "",
                       "\"probe\": for its load; \"reserve\": for a place in its queue; "
                       "\"decline\": the slot that it holds is not needed")));
  }
};
struct TakeBack {
  std::uint32_t node = 0, length = 0;

  static constexpr const char* kind = "revoke";
  static constexpr auto fields() {
    return in_order(
        required(field("node", &TakeBack::node, "id", "from whose queue tasks come back")),
        required(field("length", &TakeBack::length, "1", "how many may stay in its queue")));
  }
};
struct PromisedEnd {
  std::uint32_t job = 0;
  Time end{};

  static constexpr const char* kind = "promise";
  static constexpr auto fields() {
    return in_order(required(field("job", &PromisedEnd::job, "id", "which ends by then")),
                    required(field("end", &PromisedEnd::end, "ns", "when; only the log has it")));
  }
};
struct MeantShare {
  std::uint32_t job = 0;
  double entitled = 0, target = 0;

  static constexpr const char* kind = "target";
  static constexpr auto fields() {
    return in_order(
        required(field("job", &MeantShare::job, "id", "whose share it is, until another is said")),
        required(field("entitled", &MeantShare::entitled, "1",
                       "of the cluster, from 0 to 1, by its fair share; only the log has it",
                       probability)),
        required(field("target", &MeantShare::target, "1", "that it is meant to have at present",
                       probability)));
  }
};

struct Answer {
  std::vector<Place> places;
  std::vector<PlaceReserved> reserved;
  std::vector<Preempt> preempted;
  std::vector<AskNode> asked;
  std::vector<TakeBack> taken_back;
  std::vector<PromisedEnd> promised;
  std::vector<MeantShare> targets;
  Time wakes_at = never;
};

// Each throws WorldError, which says what was expected, for any other line.
[[nodiscard]] About read_about(std::string_view line);
[[nodiscard]] Answer read_answer(std::string_view line);

/// All of this in words, for people.
[[nodiscard]] std::string in_words();

}  // namespace policy_protocol

template <>
struct EnumNames<policy_protocol::Asked> {
  static constexpr std::pair<policy_protocol::Asked, const char*> names[] = {
      {policy_protocol::Asked::policy, "policy"}};
};

}  // namespace somnus
