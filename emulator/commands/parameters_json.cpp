#include "emulator/commands/parameters_json.hpp"

#include <cmath>
#include <concepts>

namespace somnus {

nlohmann::json as_json(const Value& value) {
  return value.visit([]<class T>(const T& held) -> nlohmann::json {
    if constexpr (std::same_as<T, double>) {
      if (!std::isfinite(held)) return number_text(held);  // JSON has no such number
      return held;
    } else if constexpr (std::same_as<T, List>) {
      auto list = nlohmann::json::array();
      for (const Value& each : held) list.push_back(as_json(each));
      return list;
    } else if constexpr (std::same_as<T, Table>) {
      auto table = nlohmann::json::object();
      for (const auto& [name, each] : held) table[name] = as_json(each);
      return table;
    } else if constexpr (std::same_as<T, Value::Other>) {
      return held.kind;
    } else {
      return held;
    }
  });
}

nlohmann::json as_json(std::span<const ParameterInfo> parameters) {
  auto list = nlohmann::json::array();
  for (const ParameterInfo& info : parameters) {
    nlohmann::json one = {{"name", info.name}, {"unit", info.unit}, {"meaning", info.meaning}};
    if (info.fallback) one["default"] = as_json(*info.fallback);
    if (!info.choices.empty()) one["choices"] = info.choices;
    add_type(one, info.type, info.element, info.range);
    if (!info.nested.empty()) one["parameters"] = as_json(std::span(info.nested));
    list.push_back(std::move(one));
  }
  return list;
}

void add_type(nlohmann::json& parameter, ValueType type, ValueType element, const Range& range) {
  parameter["type"] = name_of(type);
  if (type == ValueType::list || type == ValueType::free_table) {
    parameter["element"] = name_of(element);
  }
  if (std::isfinite(range.low)) parameter[range.open ? "above" : "least"] = range.low;
  if (std::isfinite(range.high)) parameter["most"] = range.high;
}

}  // namespace somnus
