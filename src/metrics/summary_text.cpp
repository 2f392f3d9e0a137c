#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/wrapped.hpp"
#include "metrics/summary.hpp"
#include "model/offered_load.hpp"
#include "model/rigid_jobs.hpp"
#include "print/printable.hpp"
#include "print/text_table.hpp"

namespace somnus {
namespace {

TextRow words(std::span<const Summary> summaries, const char* title, auto&& word) {
  TextRow row{.title = title};
  for (const Summary& one : summaries) row.cells.push_back(printable(word(one)));
  return row;
}

std::vector<double> values_of(std::span<const Summary> summaries, auto&& value) {
  std::vector<double> values;
  for (const Summary& one : summaries) values.push_back(value(one));
  return values;
}

bool says_something(std::string_view name, std::span<const double> values) {
  if (name == "user_count") return std::ranges::any_of(values, [](double n) { return n > 1; });
  if (name == "offered_load") {
    return std::ranges::any_of(values, [](double load) { return load > 1; });
  }
  if (name.ends_with("_jobs") || name.starts_with("attempts_")) {
    return std::ranges::any_of(values, [](double n) { return n > 0; });
  }
  return std::ranges::any_of(values, [](double value) { return !std::isnan(value); });
}

std::vector<TextRow> rows_of(std::span<const Summary> summaries) {
  std::vector<TextRow> rows;
  const bool named =
      std::ranges::any_of(summaries, [](const Summary& one) { return !one.label.empty(); });
  if (named) rows.push_back(words(summaries, "", [](const Summary& one) { return one.label; }));
  rows.push_back(words(summaries, "mode", [](const Summary& one) { return one.mode; }));
  rows.push_back(words(summaries, "scheduler", [](const Summary& one) {
    return one.scheduler.empty() ? "?" : one.scheduler;
  }));
  rows.push_back(words(summaries, "complete", [](const Summary& one) {
    return std::string(one.complete ? "yes" : "no");
  }));
  rows.push_back(
      words(summaries, "seed", [](const Summary& one) { return fmt::format("{}", one.seed); }));
  for_each_field<Summary>([&](const auto& figure) {
    const std::vector<double> values =
        values_of(summaries, [&](const Summary& one) { return one.*figure.member; });
    if (!says_something(figure.name, values)) return;
    rows.push_back(figure_row(figure.meaning, figure.unit, values));
  });
  return rows;
}

std::string warnings(const Summary& one) {
  const std::string name = one.label.empty() ? one.mode : printable(one.label);
  std::string text;
  if (!one.conserved() && one.complete) {
    text += fmt::format("\nMISMATCH: {}: submitted is not finished + failed + unfinished\n", name);
  }
  if (!std::isnan(one.silent_max_s)) {
    text += fmt::format(
        "\nWARNING: {}: A RANK WAS SILENT: nothing was heard of rank {:g} for {:.3g} s of real "
        "time.\n         It was stopped, swapped out or cut off; what it ran meanwhile is late.\n",
        name, one.most_silent_rank, one.silent_max_s);
  }
  if (!one.outran()) return text;
  const auto span = [](double value) {
    const Scale scale = scale_for("s", {&value, 1});
    return fmt::format("{:.3g} {}", value * scale.factor, scale.unit);
  };
  return text +
         fmt::format(
             "\nWARNING: {} OUTRAN ITS MACHINE: rank {:g} was {} late (p99), more than 1 % "
             "of the median task of {}.\n         At speed {:g} its times may mislead: `somnus "
             "compare` shows by how much. Speed {:g} would have kept\n         that under 1 %; "
             "`somnus calibrate` says at which speed no result moves.\n",
             name, one.latest_rank,
             span(one.latest_rank > 0 ? one.worker_late_p99_s : one.lag_p99_s),
             span(one.intended_p50_s), one.speed, one.safe_speed);
}

}  // namespace

std::vector<std::string> labels_of(std::span<const Summary> summaries) {
  std::vector<std::string> labels;
  for (const Summary& one : summaries) labels.push_back(one.label);
  return labels;
}

std::string to_text(std::span<const Summary> summaries) {
  std::string text = aligned(rows_of(summaries));
  std::set<std::string> said;  // runs that are compared are mostly of one workload
  for (const Summary& one : summaries) {
    for (const std::string& note :
         {note_on_rigid_jobs(static_cast<std::uint64_t>(one.rigid_jobs), one.jobs),
          note_on_load({.share = one.offered_load, .kind = one.most_loaded})}) {
      if (!note.empty() && said.insert(note).second)
        text += fmt::format("\nWARNING: {}\n", wrapped(note, 9));
    }
  }
  for (const Summary& one : summaries) text += warnings(one);
  return text;
}

}  // namespace somnus
