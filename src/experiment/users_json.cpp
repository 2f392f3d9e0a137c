#include "experiment/users_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace somnus {
namespace {

std::optional<UserFigures> one_user_in(const nlohmann::json& by_name) {
  if (!by_name.is_object()) return std::nullopt;
  UserFigures figures;
  bool fits = true;
  for_each_field<UserFigures>([&](const auto& field) {
    const auto found = by_name.find(field.name);
    if (found == by_name.end()) return;
    fits = fits && found->is_number();
    if (found->is_number()) figures.*field.member = found->template get<double>();
  });
  return fits ? std::optional(figures) : std::nullopt;
}

}  // namespace

nlohmann::json users_to_json(const FiguresByUser& users) {
  auto json = nlohmann::json::object();
  for (const auto& [user, figures] : users) {
    auto& by_name = json[user] = nlohmann::json::object();
    for_each_field<UserFigures>([&](const auto& field) {
      const double value = figures.*field.member;
      if (!std::isnan(value)) by_name[field.name] = value;
    });
  }
  return json;
}

std::optional<FiguresByUser> users_in(const nlohmann::json& json) {
  if (!json.is_object()) return std::nullopt;
  FiguresByUser users;
  for (const auto& [user, by_name] : json.items()) {
    const auto figures = one_user_in(by_name);
    if (!figures) return std::nullopt;
    users[user] = *figures;
  }
  return users;
}

}  // namespace somnus
