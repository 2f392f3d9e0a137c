#include "external/order_protocol.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "external/json_answer.hpp"
#include "external/json_object.hpp"
#include "external/protocol_words.hpp"
#include "external/sessions.hpp"

namespace somnus::order_protocol {
namespace {

namespace dom = json_answer::dom;
using json_answer::excerpt;
using json_answer::expected;

/// Whole numbers beyond these are not exact as a double.
constexpr std::int64_t last_exact = std::int64_t{1} << 53U;

constexpr const char* what_a_key_is = "a key to be a number, a list of 1 to 4 numbers, or null";

double finite_number_of(const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::DOUBLE:
      return double(element);
    case dom::element_type::INT64: {
      const std::int64_t whole{element};
      if (whole <= last_exact && whole >= -last_exact) return static_cast<double>(whole);
      break;
    }
    case dom::element_type::UINT64:
      break;
    case dom::element_type::BOOL:
      return bool(element) ? 1 : 0;
    default:
      expected(what_a_key_is, excerpt(element));
  }
  expected("whole numbers of keys within 2^53, beyond which a double does not hold them",
           excerpt(element));
}

Key key_of(const dom::element& element) {
  if (element.is_null()) return {.waits = true};
  Key key;
  dom::array list;
  if (element.get(list) != simdjson::SUCCESS) {
    key.numbers[0] = finite_number_of(element);
    return key;
  }
  if (list.size() == 0 || list.size() > key.numbers.size()) {
    expected(what_a_key_is, excerpt(element));
  }
  std::ranges::transform(list, key.numbers.begin(),
                         [](const dom::element& each) { return finite_number_of(each); });
  return key;
}

void read_keys(const dom::element& element, std::vector<NewKey>& keys) {
  dom::array pairs;
  if (element.get(pairs) != simdjson::SUCCESS) {
    expected("a list of [unit, key] as \"keys\"", excerpt(element));
  }
  for (const dom::element pair : pairs) {
    std::uint64_t unit = 0;
    dom::array both;
    if (pair.get(both) != simdjson::SUCCESS || both.size() != 2 ||
        both.at(0).get(unit) != simdjson::SUCCESS ||
        unit >= std::numeric_limits<std::uint32_t>::max()) {
      expected("a list of [unit, key] as \"keys\"", excerpt(pair));
    }
    keys.push_back({static_cast<std::uint32_t>(unit), key_of(both.at(1).value_unsafe())});
  }
}

}  // namespace

std::string in_words() {
  return fmt::format(
      "An order that is a process of its own, in any language: version {} of what is\n"
      "said. Each side writes JSON objects, one a line; the order reads its standard\n"
      "input and answers each line with one on its standard output, at once: a\n"
      "language that keeps lines back has to flush each. What it prints on standard\n"
      "error is shown. Its input ends when the run does.\n\n"
      "First Somnus says {{\"init\":{{...}}}}, with\n{}\n"
      "and the order answers with an object of\n{}\n"
      "Then Somnus asks, {{\"now\":TIME,\"events\":[...]}}, with what the order wants to\n"
      "hear of:\n\n{}"
      "It answers {{\"keys\":[[UNIT,KEY],...]}} with the keys that have moved: each a\n"
      "number, a list of at most four, compared one by one, or null for a unit that\n"
      "waits, as do all behind it. The least key goes first; ties go to the earlier\n"
      "job. With \"wakes\" it may add \"wakes_at\":TIME, to be asked then though nothing\n"
      "else happens. Times and spans are whole nanoseconds.\n\n"
      "Where the config says run.audit_keys = true, a second question follows,\n"
      "{{\"now\":TIME,\"all_keys\":true,\"events\":[]}}. The order answers with the keys of\n"
      "all units, as they are now; one that Somnus has not got ends the run.\n\n"
      "A session of an order that is asked for two jobs, three tasks each, on two\n"
      "nodes with a slot each; long lines are broken after commas:\n\n{}",
      version, fields_in_words<Init>(), fields_in_words<About>(),
      events_in_words<SubmittedMessage, StartedMessage, EndedMessage, JobEndedMessage>(),
      order_session);
}

std::string in_words(const Key& key) {
  if (key.waits) return "null";
  std::span<const double> numbers = key.numbers;
  while (numbers.size() > 1 && numbers.back() == 0) numbers = numbers.first(numbers.size() - 1);
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

SubmittedMessage submitted(Time now, const Unit& unit) {
  const Accounting accounting = unit.accounting();
  const std::optional<Duration> limit = unit.jobs().limit(unit.job());
  const Job& job = unit.jobs()[unit.job()];
  std::optional<std::uint32_t> place;
  std::optional<std::vector<std::uint32_t>> parents;
  if (unit.level() == Level::stage) {
    const StageId stage(unit.index());
    place = stage.value() - job.first_stage.value();
    parents.emplace();
    for (const StageId parent : unit.jobs().parents_of(stage)) parents->push_back(parent.value());
  }
  return {.time = ns(now),
          .unit = unit.index(),
          .job = unit.job().value(),
          .user = unit.user().value(),
          .queue = number_of(unit.queue()),
          .account = number_of(accounting.account),
          .qos = number_of(accounting.qos),
          .nice = accounting.nice,
          .arrival = ns(unit.arrival()),
          .weight = unit.weight(),
          .weight_of_user = unit.weight_of_user(),
          .tasks = unit.tasks(),
          .width = unit.width(),
          .slot_time = unit.slot_time().count(),
          .work_left = unit.work_left_of_job().in_ns(),
          .limit = limit ? std::optional(limit->count()) : std::nullopt,
          .stages = job.stages,
          .stage = place,
          .parents = std::move(parents)};
}

StartedMessage started(const Unit& unit) {
  return {.time = ns(unit.now()),
          .unit = unit.index(),
          .running = unit.running(),
          .runnable = unit.runnable()};
}

EndedMessage ended(const Unit& unit, Outcome outcome) {
  return {.time = ns(unit.now()),
          .unit = unit.index(),
          .outcome = outcome,
          .running = unit.running(),
          .runnable = unit.runnable(),
          .completed = unit.completed(),
          .work_left = unit.work_left_of_job().in_ns()};
}

About read_about(std::string_view line) { return json_answer::about_of<About>(line, version); }

Answer read_answer(std::string_view line) {
  // One a thread, for its memory: an answer is read for each round.
  static thread_local dom::parser parser;
  Answer answer;
  for (const auto& [key, value] : json_answer::object_of(line, parser)) {
    if (key == "keys") {
      read_keys(value, answer.keys);
    } else if (key == "wakes_at") {
      answer.wakes_at = json_answer::time_of(value);
    } else {
      expected("the keys \"keys\" and \"wakes_at\", and no others", excerpt(key));
    }
  }
  return answer;
}

}  // namespace somnus::order_protocol
