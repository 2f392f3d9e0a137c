// Parameters and their values for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "base/parameters.hpp"

namespace somnus {

/// Numbers that JSON does not have are words: "inf".
[[nodiscard]] nlohmann::json as_json(const Value& value);
[[nodiscard]] nlohmann::json as_json(std::span<const ParameterInfo> parameters);

}  // namespace somnus
