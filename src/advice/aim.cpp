#include "advice/aim.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/parameters.hpp"
#include "base/suggest.hpp"
#include "experiment/results.hpp"
#include "metrics/user_figures.hpp"

namespace somnus {
namespace {

constexpr std::array<std::pair<std::string_view, const char*>, 8> words = {{
    {"mean", "response_mean_s"},
    {"median", "response_p50_s"},
    {"p95", "response_p95_s"},
    {"p99", "response_p99_s"},
    {"slowdown", "slowdown_mean"},
    {"fairness", "slowdown_worst_tenth"},
    {"makespan", "makespan_s"},
    {"throughput", "jobs_per_minute"},
}};

std::vector<std::string> known() {
  std::vector<std::string> names;
  for (const auto& [word, figure] : words) names.emplace_back(word);
  for (const FigureInfo& info : figure_infos()) {
    if (info.better != Better::neither) names.push_back(info.name);
  }
  return names;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Takes a word off the front, if it stands there.
bool take_word(std::string_view& text, std::string_view word) {
  const std::string_view rest = trimmed(text);
  if (!rest.starts_with(word)) return false;
  const std::string_view behind = rest.substr(word.size());
  if (!behind.empty() && trimmed(behind).size() == behind.size()) return false;  // a longer word
  text = trimmed(behind);
  return true;
}

/// Takes "each user" off the front of a limit.
bool take_each_user(std::string_view& text) {
  std::string_view rest = text;
  if (!take_word(rest, "each") || !take_word(rest, "user")) return false;
  text = rest;
  return true;
}

/// That a limit may be of.
std::vector<std::string> limited_figures(bool each_user) {
  if (each_user) return names_of<UserFigures>();
  std::vector<std::string> names;
  for (const FigureInfo& info : figure_infos()) names.push_back(info.name);
  return names;
}

bool is_share(std::string_view figure) {
  return std::string_view(figure_infos()[figure_index(std::string(figure))].unit) == "%";
}

tl::unexpected<Mistakes> limit_mistake(std::string_view text, std::string what) {
  return mistake({.key = "--limit",
                  .what = std::move(what) + fmt::format(" in '{}'", text),
                  .hint = "such as 'wide_slowdown_mean <= 1.05 fair'"});
}

}  // namespace

Checked<Aim> parse_aim(std::string_view option, std::string_view text) {
  const auto word = std::ranges::find(words, text, [](const auto& each) { return each.first; });
  const std::string figure(word == words.end() ? text : word->second);
  const auto info = std::ranges::find(figure_infos(), figure, &FigureInfo::name);
  const bool is_figure = info != figure_infos().end();
  if (is_figure && info->better != Better::neither) {
    return Aim{.figure = figure, .better = info->better};
  }
  return mistake({.key = std::string(option),
                  .what = is_figure ? fmt::format("{} is better neither way", figure)
                                    : fmt::format("expected {}, or a figure of somnus summary "
                                                  "--json, found '{}'",
                                                  aims_in_words(), text),
                  .hint = is_figure ? "choose a time, a slowdown or what is finished"
                                    : suggest(figure, known())});
}

std::string aims_in_words() {
  std::vector<std::string_view> all;
  for (const auto& [word, figure] : words) all.push_back(word);
  return fmt::format("{}", fmt::join(all, ", "));
}

Aim beside(const Aim& aim) {
  const bool is_mean = aim.figure == "response_mean_s";
  return {.figure = is_mean ? "slowdown_worst_tenth" : "response_mean_s", .better = Better::less};
}

Checked<Limit> parse_limit(std::string_view text) {
  Limit limit{.text = std::string(trimmed(text))};
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string_view::npos || sign + 1 >= text.size() || text[sign + 1] != '=') {
    return limit_mistake(text, "expected FIGURE <= NUMBER or FIGURE >= NUMBER");
  }
  limit.at_most = text[sign] == '<';
  std::string_view figure = trimmed(text.substr(0, sign));
  limit.each_user = take_each_user(figure);
  limit.figure = figure;
  const std::vector<std::string> names = limited_figures(limit.each_user);
  if (std::ranges::find(names, limit.figure) == names.end()) {
    const std::string hint = suggest(limit.figure, names);
    return limit_mistake(
        text, fmt::format("no figure{} is called '{}'{}", limit.each_user ? " of each user" : "",
                          limit.figure, hint.empty() ? "" : ", " + hint));
  }
  const std::string_view rest = trimmed(text.substr(sign + 2));
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), limit.bound);
  if (error != std::errc() || !std::isfinite(limit.bound)) {
    return limit_mistake(text, "expected a number");
  }
  limit.scheduler = trimmed(rest.substr(static_cast<std::size_t>(end - rest.data())));
  if (limit.each_user && limit.bound <= 0) return limit_mistake(text, "expected more than 0");
  if (limit.scheduler.empty() && is_share(limit.figure) && limit.bound > 1) {
    return limit_mistake(text, "expected a share of at most 1, as somnus summary --json has it,");
  }
  return limit;
}

}  // namespace somnus
