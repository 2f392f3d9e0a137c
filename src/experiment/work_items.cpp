#include "experiment/work_items.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "config/config.hpp"
#include "experiment/users_json.hpp"

namespace somnus {
namespace {

using Json = nlohmann::json;

constexpr const char* of_user = "mistake";
constexpr const char* of_world = "world";
constexpr const char* of_ours = "bug";

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

[[noreturn]] void refuse(std::string_view what) {
  throw WorldError(
      fmt::format("a rank sent {}; do all ranks run the same version of somnus?", what));
}

TruncationRule rule_called(std::string_view name) {
  for (const auto& [rule, own] : EnumNames<TruncationRule>::names) {
    if (name == own) return rule;
  }
  refuse("a rule of truncation that is not known");
}

Json error_as_json(const std::exception_ptr& error) {
  const auto described = [](const char* kind, const std::exception& what) {
    return Json{{"kind", kind}, {"what", in_words(what)}};
  };
  try {
    std::rethrow_exception(error);
  } catch (const UserError& what) {
    return described(of_user, what);
  } catch (const Bug& what) {
    return described(of_ours, what);
  } catch (const std::exception& what) {
    return described(of_world, what);
  }
}

std::exception_ptr error_of(const Json& json) {
  const std::string kind = json.at("kind").get<std::string>();
  const std::string what = json.at("what").get<std::string>();
  if (kind == of_user) {
    Mistakes mistakes;
    mistakes.add({.what = what});
    return std::make_exception_ptr(UserError(std::move(mistakes)));
  }
  if (kind == of_ours) return std::make_exception_ptr(Bug(what));
  return std::make_exception_ptr(WorldError(what));
}

/// null: it has none.
Json as_json(const RunFigures& figures) {
  auto json = Json::array();
  for (const double each : figures) json.push_back(std::isnan(each) ? Json() : Json(each));
  return json;
}

RunFigures figures_of(const Json& json) {
  RunFigures figures;
  for (const Json& each : json) figures.push_back(each.is_null() ? NAN : each.get<double>());
  if (figures.size() != figure_infos().size()) refuse("figures of another number");
  return figures;
}

}  // namespace

std::string text_of(const NumberedRun& run) {
  const Settings& settings = run.spec.settings;
  const SourceLocation& location =
      settings.workload.location;  // for mistakes, as the user wrote it
  return dump({{"number", run.number},
               {"origin", settings.origin},
               {"config", to_toml(settings)},
               {"location",
                {{"file", location.file}, {"line", location.line}, {"column", location.column}}},
               {"workload", run.spec.workload},
               {"truncate", name_of(run.spec.truncation.rule)},
               {"truncate_jobs", run.spec.truncation.jobs},
               {"batches", run.spec.batches},
               {"by_user", run.spec.by_user}});
}

NumberedRun read_run(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    Settings settings = value_or_throw(parse_settings(json.at("config").get<std::string>(),
                                                      json.at("origin").get<std::string>(), {}));
    const Json& location = json.at("location");
    settings.workload.location = {.file = location.at("file").get<std::string>(),
                                  .line = location.at("line").get<int>(),
                                  .column = location.at("column").get<int>()};
    return {.number = json.at("number").get<std::size_t>(),
            .spec = {.settings = std::move(settings),
                     .workload = json.at("workload").get<std::string>(),
                     .truncation = {.rule = rule_called(json.at("truncate").get<std::string>()),
                                    .jobs = json.at("truncate_jobs").get<std::uint32_t>()},
                     .batches = json.at("batches").get<std::uint32_t>(),
                     .by_user = json.at("by_user").get<bool>()}};
  } catch (const Json::exception&) {
    refuse("a run that can't be read");
  }
}

std::string text_of(const NumberedOutcome& outcome) {
  Json json = {{"number", outcome.number}};
  if (outcome.outcome.error) json["error"] = error_as_json(outcome.outcome.error);
  if (const auto& result = outcome.outcome.result) {
    json["figures"] = as_json(result->figures);
    for (const RunFigures& batch : result->batches) json["batches"].push_back(as_json(batch));
    if (result->users) json["users"] = users_to_json(*result->users);
  }
  return dump(json);
}

NumberedOutcome read_outcome(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    NumberedOutcome read{.number = json.at("number").get<std::size_t>(), .outcome = {}};
    if (json.contains("error")) read.outcome.error = error_of(json["error"]);
    if (!json.contains("figures")) return read;
    RunResult result{.figures = figures_of(json["figures"])};
    if (json.contains("batches")) {
      for (const Json& batch : json["batches"]) result.batches.push_back(figures_of(batch));
    }
    if (json.contains("users")) {
      result.users = users_in(json["users"]);
      if (!result.users) refuse("figures by user that can't be read");
    }
    read.outcome.result = std::move(result);
    return read;
  } catch (const Json::exception&) {
    refuse("an outcome that can't be read");
  }
}

}  // namespace somnus
