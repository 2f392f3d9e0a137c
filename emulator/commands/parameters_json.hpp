// Parameters and their values for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "base/parameters.hpp"

namespace somnus {

template <>
struct EnumNames<ValueType> {
  static constexpr std::pair<ValueType, const char*> names[] = {
      {ValueType::flag, "flag"},
      {ValueType::whole, "whole"},
      {ValueType::number, "number"},
      {ValueType::text, "text"},
      {ValueType::list, "list"},
      {ValueType::table, "table"},
      {ValueType::free_table, "free-table"}};
};

/// Numbers that JSON does not have are words: "inf".
[[nodiscard]] nlohmann::json as_json(const Value& value);
[[nodiscard]] nlohmann::json as_json(std::span<const ParameterInfo> parameters);
/// Adds what a value may be; `element`: of a list, or a table with free keys.
void add_type(nlohmann::json& parameter, ValueType type, ValueType element, const Range& range);

}  // namespace somnus
