// A run's figures by user, as JSON: in journals, and between ranks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "metrics/user_figures.hpp"

namespace somnus {

/// {"ann": {"response_mean_s": 3.5}}; a figure that is NaN is left out.
[[nodiscard]] nlohmann::json users_to_json(const FiguresByUser& users);
/// None: it is not of that form.
[[nodiscard]] std::optional<FiguresByUser> users_in(const nlohmann::json& json);

}  // namespace somnus
