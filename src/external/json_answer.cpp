#include "external/json_answer.hpp"

#include <utility>

#include "print/printable.hpp"

namespace somnus::json_answer {
namespace {

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

}  // namespace

void expected(std::string_view what, std::string_view found) {
  throw WorldError(fmt::format("said {}: expected {}", found, what));
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t most = 120;
  const bool is_long = text.size() > most;
  return fmt::format("'{}{}'", printable(text.substr(0, most)), is_long ? "..." : "");
}
std::string excerpt(const dom::element& element) { return excerpt(simdjson::minify(element)); }

dom::object object_of(std::string_view line, dom::parser& parser) {
  dom::object object;
  const auto error = parser.parse(line.data(), line.size(), true).get(object);
  if (error != simdjson::SUCCESS) {
    throw WorldError(fmt::format(
        "said {}: expected one JSON object in one line (on its standard output; what is for people "
        "belongs on standard error, and JSON has neither Infinity nor NaN: give a large number)",
        excerpt(line)));
  }
  return object;
}

Table table_of(const dom::object& object) {
  Table table;
  for (const auto& [key, value] : object) table[key] = value_of(value);
  return table;
}

Time time_of(const dom::element& element) {
  Time time = never;
  if (!element.is_null() && !read_place(element, time)) {
    expected("\"wakes_at\" to be a time in whole nanoseconds, or null", excerpt(element));
  }
  return time;
}

bool read_place(const dom::element& element, Number& into) {
  std::uint64_t number = 0;
  if (element.get(number) != simdjson::SUCCESS || number > last_number) return false;
  into = static_cast<Number>(number);
  return true;
}

bool read_place(const dom::element& element, double& into) {
  return element.get(into) == simdjson::SUCCESS;
}

bool read_place(const dom::element& element, Time& into) {
  std::int64_t time = 0;
  if (element.get(time) != simdjson::SUCCESS || time < 0) return false;
  into = Time(Duration(time));
  return true;
}

bool read_place(const dom::element& element, std::vector<Number>& into) {
  dom::array list;
  if (element.get(list) != simdjson::SUCCESS) return read_place(element, into.emplace_back());
  for (const dom::element each : list) {
    if (!read_place(each, into.emplace_back())) return false;
  }
  return true;
}

}  // namespace somnus::json_answer
