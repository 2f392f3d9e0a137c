#include "external/policy_protocol.hpp"

#include <fmt/format.h>

#include "external/json_answer.hpp"
#include "external/protocol_words.hpp"
#include "external/sessions.hpp"

namespace somnus::policy_protocol {
namespace {

template <class Decision>
std::string decision_in_words() {
  return fmt::format("  \"{}\": a list of {}\n{}\n", Decision::kind,
                     json_answer::shape_of<Decision>(),
                     fields_in_words<Decision, Required::is_clear>());
}

template <class... Decisions>
std::string decisions_in_words() {
  return (decision_in_words<Decisions>() + ...);
}

}  // namespace

About read_about(std::string_view line) { return json_answer::about_of<About>(line, version); }

Answer read_answer(std::string_view line) {
  // One a thread, for its memory: an answer is read for each round.
  static thread_local json_answer::dom::parser parser;
  Answer answer;
  for (const auto& [key, value] : json_answer::object_of(line, parser)) {
    const auto is_read = [&, name = key,
                          element = value]<class Decision>(std::vector<Decision>& into) {
      if (name != Decision::kind) return false;
      json_answer::read_decisions(element, name, into);
      return true;
    };
    if (is_read(answer.places) || is_read(answer.reserved) || is_read(answer.preempted) ||
        is_read(answer.asked) || is_read(answer.taken_back) || is_read(answer.promised) ||
        is_read(answer.targets)) {
      continue;
    }
    if (key != "wakes_at") {
      json_answer::expected(
          "the keys \"place\", \"place_reserved\", \"preempt\", \"ask\", \"revoke\", "
          "\"promise\", \"target\" and \"wakes_at\", and no others",
          json_answer::excerpt(key));
    }
    answer.wakes_at = json_answer::time_of(value);
  }
  return answer;
}

std::string in_words() {
  return fmt::format(
      "A whole policy that is a process of its own (scheduler.policy = \"external\"):\n"
      "version {} of what is said. It decides all, where an order only says who is\n"
      "next. Lines and streams are as for an order.\n\n"
      "First Somnus says {{\"init\":{{...}}}}, with\n{}\n"
      "of each node\n{}\n"
      "and the policy answers with an object of\n{}\n"
      "Then Somnus asks, once a round and only if there is something new and a task\n"
      "that could be placed: {{\"now\":TIME,\"open\":true,\"events\":[...]}}. \"open\" says\n"
      "whether any node may be used now. Events are those that it wants to hear of:\n\n{}"
      "where each of a job's stages has\n{}\n"
      "\"node_changed\" comes if a node differs from what the policy's own placements\n"
      "have made of it: a task takes a slot and its demand, a task of an exclusive\n"
      "stage takes the whole node, and a node without a free slot is not ready.\n\n"
      "The policy answers with an object of its decisions, each of which may be left\n"
      "out. They are carried out in this order, and count at once:\n\n{}"
      "  \"wakes_at\": when it is to be asked at the latest, though nothing happens; it\n"
      "    counts until the next answer\n\n"
      "A decision that cannot be, such as a task on a full node, ends the run. Times\n"
      "and spans are whole nanoseconds, amounts whole millionths of the config's unit,\n"
      "ids rows of the log's tables.\n\n"
      "A session of a policy, on the same cluster with the same jobs; the second stage\n"
      "of the second is a gang:\n\n{}",
      version, fields_in_words<Init>(), fields_in_words<NodeFacts>(), fields_in_words<About>(),
      events_in_words<JobArrivedMessage, StageRunnableMessage, StageWithdrawnMessage,
                      TaskLaunchedMessage, TaskEndedMessage, JobEndedMessage, NodeChangedMessage,
                      NodeOfferedMessage, NodeAnsweredMessage>(),
      fields_in_words<StageFacts>(),
      decisions_in_words<PlaceReserved, Place, Preempt, AskNode, TakeBack, PromisedEnd,
                         MeantShare>(),
      policy_session);
}

}  // namespace somnus::policy_protocol
