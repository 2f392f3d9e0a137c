#include "external/order_protocol.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/parameters.hpp"
#include "base/wrapped.hpp"
#include "external/json_object.hpp"

namespace somnus::order_protocol {
namespace {

namespace dom = simdjson::dom;

std::int64_t ns(Time time) { return time.time_since_epoch().count(); }

template <class IdOfSome>
std::optional<std::uint32_t> number_of(IdOfSome id) {
  return id.valid() ? std::optional(id.value()) : std::nullopt;
}

[[noreturn]] void expected(std::string_view what, std::string_view found) {
  throw WorldError(fmt::format("said {}: expected {}", found, what));
}

/// A part of an answer, as it was said; a long one is cut.
std::string excerpt(std::string_view text) {
  constexpr std::size_t most = 120;
  if (text.size() <= most) return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, most));
}
std::string excerpt(const dom::element& element) { return excerpt(simdjson::minify(element)); }

/// The object of a line, which stays the parser's.
dom::object object_of(std::string_view line, dom::parser& parser) {
  dom::object object;
  const auto error = parser.parse(line.data(), line.size(), true).get(object);
  if (error != simdjson::SUCCESS) {
    throw WorldError(fmt::format(
        "said {}: expected one JSON object in one line (on its standard output; what is for people "
        "belongs on standard error, and JSON has neither Infinity nor NaN)",
        excerpt(line)));
  }
  return object;
}

Value value_of(const dom::element& element);

Table table_of(const dom::object& object) {
  Table table;
  for (const auto& [key, value] : object) table[key] = value_of(value);
  return table;
}

Value value_of(const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::BOOL:
      return bool(element);
    case dom::element_type::INT64:
      return std::int64_t(element);
    case dom::element_type::DOUBLE:
      return double(element);
    case dom::element_type::STRING:
      return std::string_view(element);
    case dom::element_type::ARRAY: {
      List list;
      for (const dom::element each : dom::array(element)) list.push_back(value_of(each));
      return list;
    }
    case dom::element_type::OBJECT:
      return table_of(dom::object(element));
    default:
      return Value::Other{excerpt(element)};
  }
}

/// Whole numbers beyond these are not exact as a double.
constexpr std::int64_t last_exact = std::int64_t{1} << 53U;

constexpr const char* what_a_key_is = "a key to be a number, a list of 1 to 4 numbers, or null";

double number_of(const dom::element& element) {
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
    key.numbers[0] = number_of(element);
    return key;
  }
  if (list.size() == 0 || list.size() > key.numbers.size()) {
    expected(what_a_key_is, excerpt(element));
  }
  std::ranges::transform(list, key.numbers.begin(),
                         [](const dom::element& each) { return number_of(each); });
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

Time time_of(const dom::element& element) {
  std::int64_t time = 0;
  if (element.is_null()) return never;
  if (element.get(time) != simdjson::SUCCESS || time < 0) {
    expected("\"wakes_at\" to be a time in whole nanoseconds, or null", excerpt(element));
  }
  return Time(Duration(time));
}

template <class Message>
void append_event(std::string& line, const Message& message) {
  line += R"({"event":")";
  line += Message::kind;
  line += '"';
  append_json_fields(line, message);
  line += '}';
}

template <Described T>
std::string fields_in_words() {
  std::string text;
  for_each_field<T>([&](const auto& field) {
    const bool has_unit = *field.unit != '\0' && std::string_view(field.unit) != "1";
    const std::string unit = has_unit ? fmt::format(" [{}]", field.unit) : "";
    const std::string words =
        fmt::format("{}{}{}", field.meaning, unit, field.required ? "; has to be there" : "");
    text += fmt::format("    {:<15} {}\n", field.name, wrapped(words, 20));
  });
  return text;
}

}  // namespace

std::string in_words() {
  const std::string event = "  {\"event\":\"";
  return fmt::format(
      "An order that is a process of its own, in any language: version {} of what is\n"
      "said. Each side writes JSON objects, one a line; the order reads its standard\n"
      "input and answers each line with one on its standard output. What it prints on\n"
      "standard error is shown. Its input ends when the run does.\n\n"
      "First Somnus says {{\"init\":{{...}}}}, with\n{}\n"
      "and the order answers with an object of\n{}\n"
      "Then Somnus asks, {{\"now\":TIME,\"events\":[...]}}, with what the order wants to\n"
      "hear of:\n\n{}{}\"}}\n{}\n{}{}\"}}\n{}\n{}{}\"}}\n{}\n{}{}\"}}\n{}\n"
      "It answers {{\"keys\":[[UNIT,KEY],...]}} with the keys that have moved: each a\n"
      "number, a list of at most four, compared one by one, or null for a unit that\n"
      "waits, as do all behind it. The least key goes first; ties go to the earlier\n"
      "job. With \"wakes\" it may add \"wakes_at\":TIME, to be asked then though nothing\n"
      "else happens. Times and spans are whole nanoseconds.\n",
      version, fields_in_words<Init>(), fields_in_words<About>(), event, SubmittedMessage::kind,
      fields_in_words<SubmittedMessage>(), event, StartedMessage::kind,
      fields_in_words<StartedMessage>(), event, EndedMessage::kind, fields_in_words<EndedMessage>(),
      event, JobEndedMessage::kind, fields_in_words<JobEndedMessage>());
}

SubmittedMessage submitted(Time now, const Unit& unit) {
  const Accounting accounting = unit.accounting();
  const std::optional<Duration> limit = unit.jobs().limit(unit.job());
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
          .limit = limit ? std::optional(limit->count()) : std::nullopt};
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

About read_about(std::string_view line) {
  dom::parser parser;
  const auto about = from_value<About>(table_of(object_of(line, parser)));
  if (!about) {
    throw WorldError(fmt::format("said {}: {}", excerpt(line), about.error().front().text()));
  }
  if (about->protocol != version) {
    expected(fmt::format("\"protocol\": {}, which is what this program speaks", version),
             excerpt(line));
  }
  return *about;
}

Answer read_answer(std::string_view line) {
  // One a thread, for its memory: an answer is read for each round.
  static thread_local dom::parser parser;
  Answer answer;
  for (const auto& [key, value] : object_of(line, parser)) {
    if (key == "keys") {
      read_keys(value, answer.keys);
    } else if (key == "wakes_at") {
      answer.wakes_at = time_of(value);
    } else {
      expected("the keys \"keys\" and \"wakes_at\", and no others", excerpt(key));
    }
  }
  return answer;
}

void append(std::string& line, const Init& init) {
  line += R"({"init":{)";
  append_json_fields(line, init);
  line += "}}";
}
void append(std::string& line, const SubmittedMessage& message) { append_event(line, message); }
void append(std::string& line, const StartedMessage& message) { append_event(line, message); }
void append(std::string& line, const EndedMessage& message) { append_event(line, message); }
void append(std::string& line, const JobEndedMessage& message) { append_event(line, message); }

}  // namespace somnus::order_protocol
