#include "text/json_line.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace somnus {
namespace {

namespace dom = simdjson::dom;

std::string_view kind_of(dom::element value) {
  switch (value.type()) {
    case dom::element_type::ARRAY:
      return "an array";
    case dom::element_type::OBJECT:
      return "an object";
    case dom::element_type::STRING:
      return "a string";
    case dom::element_type::BOOL:
      return "a truth value";
    case dom::element_type::NULL_VALUE:
      return "null";
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      return "a number";
  }
  return "something else";
}

// One step down from `at`; false where there is nothing.
bool step_down(simdjson::ondemand::value& at, const PathStep& step) {
  namespace ondemand = simdjson::ondemand;
  if (const auto* index = std::get_if<std::size_t>(&step)) {
    ondemand::array array;
    return at.get_array().get(array) == simdjson::SUCCESS &&
           array.at(*index).get(at) == simdjson::SUCCESS;
  }
  ondemand::object object;
  if (at.get_object().get(object) != simdjson::SUCCESS) return false;
  for (auto field : object) {  // not by find_field(), which sees keys with their escapes
    std::string_view name;
    if (field.unescaped_key().get(name) != simdjson::SUCCESS) return false;
    if (name == std::get<std::string>(step)) return field.value().get(at) == simdjson::SUCCESS;
  }
  return false;
}

// nlohmann-json's words without its own preamble, which ends behind a column or an error's number.
std::string without_preamble(std::string_view what) {
  for (const std::string_view end : {"column ", "] "}) {
    const auto at = what.find(end);
    if (at == std::string_view::npos) continue;
    what.remove_prefix(at + end.size());
    if (end == "] ") break;
    const auto colon = what.find(": ");
    if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
    break;
  }
  return std::string(what);
}

// Builds nothing, which of a million brackets would take a hundred times their room.
struct SyntaxOnly : nlohmann::json::json_sax_t {
  std::string what;
  std::size_t byte = 0;  // from 1; 0: not known

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& refusal) override {
    what = refusal.what();
    // A number that is too large has a place, too, which its exception does not know.
    byte = dynamic_cast<const nlohmann::json::parse_error*>(&refusal) != nullptr ? position : 0;
    return false;
  }
};

// Whether one of the two is the other, or lies inside it.
bool overlap(std::string_view a, std::string_view b) {
  const auto& [outer, inner] =
      std::minmax(a, b, [](auto x, auto y) { return x.size() < y.size(); });
  if (!inner.starts_with(outer)) return false;
  return inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[';
}

}  // namespace

std::optional<dom::object> JsonLine::parse(dom::parser& parser) {
  const auto root = parse_value(parser);
  return root ? root->object() : std::nullopt;
}

std::optional<JsonValue> JsonLine::parse_value(dom::parser& parser) {
  constexpr bool copy_to_pad = false;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text_.data());
  dom::element root;
  if (const auto error = parser.parse(bytes, text_.size(), copy_to_pad).get(root)) {
    report_syntax(error);
    return std::nullopt;
  }
  if (root.is_object()) return JsonValue{root, *this, ""};
  wrong("", fmt::format("expected an object in braces, found {}", kind_of(root)));
  return std::nullopt;
}

void JsonLine::report_syntax(simdjson::error_code error) {
  SyntaxOnly syntax;
  if (!nlohmann::json::sax_parse(text_, &syntax)) {
    const Spot spot = syntax.byte > 0 ? spot_at(syntax.byte - 1) : Spot{number_};
    mistakes_.add(spot.line, spot.column, "", "not JSON: " + without_preamble(syntax.what));
    return;
  }
  mistakes_.add(number_, 0, "",
                error == simdjson::NUMBER_ERROR
                    ? "expected numbers that 64 bits hold, found a larger one"
                    : fmt::format("not JSON that can be read: {}", simdjson::error_message(error)));
}

void JsonLine::wrong(std::string key, std::string what, std::string hint) {
  wrong_keys_.push_back(key);
  // To find a place takes a walk through the text.
  const Spot spot = mistakes_.lists_more() ? spot_of(key) : Spot{number_};
  mistakes_.add(spot.line, spot.column, std::move(key), std::move(what), std::move(hint));
}

void JsonLine::also_wrong(std::string key, std::string what, std::string hint) {
  const bool follows = std::ranges::any_of(
      wrong_keys_, [&](const std::string& other) { return overlap(key, other); });
  if (!follows) wrong(std::move(key), std::move(what), std::move(hint));
}

JsonLine::Spot JsonLine::spot_at(std::size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const auto line_end = before.rfind('\n');
  if (line_end == std::string_view::npos) {
    return {.line = number_, .column = column_ + static_cast<int>(offset)};
  }
  return {.line = number_ + static_cast<int>(std::ranges::count(before, '\n')),
          .column = static_cast<int>(offset - line_end)};
}

// Of the value, or else of the innermost one around it.
JsonLine::Spot JsonLine::spot_of(std::string_view key) const {
  namespace ondemand = simdjson::ondemand;
  ondemand::parser parser;
  const simdjson::padded_string_view padded(text_, text_.size() + simdjson::SIMDJSON_PADDING);
  ondemand::document document;
  ondemand::value at;
  const bool parsed = parser.iterate(padded).get(document) == simdjson::SUCCESS &&
                      document.get_value().get(at) == simdjson::SUCCESS;
  Spot spot{.line = number_};
  if (!parsed) return spot;
  for (const PathStep& step : steps_of(key)) {
    if (!step_down(at, step)) break;
    spot = spot_at(static_cast<std::size_t>(at.raw_json_token().data() - text_.data()));
  }
  return spot;
}

void JsonValue::expected(std::string_view what) const {
  line.wrong(key, fmt::format("expected {}, found {}", what, kind_of(value)));
}

std::optional<bool> JsonValue::flag() const {
  bool flag = false;
  if (value.get(flag) == simdjson::SUCCESS) return flag;
  expected("true or false");
  return std::nullopt;
}

std::optional<double> JsonValue::number() const {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  expected("a number");
  return std::nullopt;
}

std::optional<std::uint64_t> JsonValue::whole(std::uint64_t most) const {
  std::uint64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS && number <= most) return number;
  double any = 0;
  const std::string wanted = fmt::format("a whole number from 0 to {}", most);
  if (value.get(any) == simdjson::SUCCESS) {
    line.wrong(key, fmt::format("expected {}, found {}", wanted, any));
  } else {
    expected(wanted);
  }
  return std::nullopt;
}

std::optional<std::string> JsonValue::text() const {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  expected("a string");
  return std::nullopt;
}

std::optional<dom::array> JsonValue::array() const {
  dom::array array;
  if (value.get(array) == simdjson::SUCCESS) return array;
  expected("an array");
  return std::nullopt;
}

std::optional<dom::object> JsonValue::object() const {
  dom::object object;
  if (value.get(object) == simdjson::SUCCESS) return object;
  expected("an object in braces");
  return std::nullopt;
}

std::optional<JsonValue> JsonValue::at(std::string_view name) const {
  dom::element found;
  if (value.at_key(name).get(found) != simdjson::SUCCESS) return std::nullopt;
  return JsonValue{found, line, path(key, name)};
}

std::optional<JsonValue> JsonValue::needed_at(std::string_view name) const {
  std::optional<JsonValue> found = at(name);
  if (!found && object()) line.also_wrong(path(key, name), "expected this key, found none");
  return found;
}

std::vector<JsonValue> JsonValue::elements() const {
  std::vector<JsonValue> all;
  const auto list = array();
  if (!list) return all;
  all.reserve(list->size());
  for (const dom::element element : *list) all.push_back({element, line, path(key, all.size())});
  return all;
}

std::vector<double> JsonValue::numbers() const {
  std::vector<double> numbers;
  const auto elements = array();
  if (!elements) return numbers;
  numbers.reserve(elements->size());
  std::size_t index = 0;
  for (const dom::element element : *elements) {
    double number = 0;
    if (element.get(number) != simdjson::SUCCESS) {
      JsonValue{element, line, path(key, index)}.expected("a number");
    }
    numbers.push_back(number);
    ++index;
  }
  return numbers;
}

}  // namespace somnus
