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

constexpr std::size_t longest_word = 40;  // beside the longest title it fits a terminal

TextRow words(std::span<const Summary> summaries, const char* title, auto&& word) {
  TextRow row{.title = title};
  for (const Summary& one : summaries) row.cells.push_back(printable(word(one), longest_word));
  return row;
}

std::vector<double> values_of(std::span<const Summary> summaries, auto&& value) {
  std::vector<double> values;
  for (const Summary& one : summaries) values.push_back(value(one));
  return values;
}

template <class Figure>
bool says_something(const Figure& figure, std::span<const double> values) {
  return std::ranges::any_of(
      values, [&](double value) { return std::abs(value) > figure.trivial_up_to; });  // not of NaN
}

std::vector<TextRow> rows_of(std::span<const Summary> summaries, Rows which) {
  std::vector<TextRow> rows;
  const bool named =
      std::ranges::any_of(summaries, [](const Summary& one) { return !one.label.empty(); });
  if (named) rows.push_back(words(summaries, "", [](const Summary& one) { return one.label; }));
  rows.push_back(words(summaries, "mode", [](const Summary& one) { return one.mode; }));
  rows.push_back(words(summaries, "scheduler", [](const Summary& one) {
    return one.scheduler.empty() ? "?" : one.scheduler;
  }));
  if (which == Rows::all || !std::ranges::all_of(summaries, &Summary::complete)) {
    rows.push_back(words(summaries, "complete", [](const Summary& one) {
      return std::string(one.complete ? "yes" : "no");
    }));
  }
  rows.push_back(
      words(summaries, "seed", [](const Summary& one) { return fmt::format("{}", one.seed); }));
  for_each_field<Summary>([&](const auto& figure) {
    if (which == Rows::headlines && !figure.headline) return;
    const std::vector<double> values =
        values_of(summaries, [&](const Summary& one) { return one.*figure.member; });
    if (!says_something(figure, values)) return;
    rows.push_back(figure_row(figure.meaning, figure.unit, values));
  });
  return rows;
}

std::string paragraph(std::string_view word, const std::string& text) {
  return fmt::format("\n{}: {}\n", word, wrapped(text, word.size() + 2));
}

std::string warnings(const Summary& one) {
  const std::string name = one.label.empty() ? one.mode : printable(one.label);
  std::string text;
  if (!one.conserved() && one.complete) {
    text += paragraph("MISMATCH", name + ": submitted is not finished + failed + unfinished");
  }
  if (!std::isnan(one.silent_max_s)) {
    text += paragraph(
        "WARNING",
        fmt::format("{}: A RANK WAS SILENT: nothing was heard of rank {:g} for {:.3g} s of real "
                    "time. It was stopped, swapped out or cut off; what it ran meanwhile is late.",
                    name, one.most_silent_rank, one.silent_max_s));
  }
  if (!one.outran()) return text;
  const auto span = [](double value) {
    const Scale scale = scale_for("s", {&value, 1});
    return fmt::format("{:.3g} {}", value * scale.factor, scale.unit);
  };
  return text +
         paragraph(
             "WARNING",
             fmt::format("{} OUTRAN ITS MACHINE: rank {:g} was {} late (p99), more than 1 % of the "
                         "median task of {}. At speed {:g} its times may mislead: `somnus compare` "
                         "shows by how much. Speed {:g} would have kept that under 1 %; `somnus "
                         "calibrate` says at which speed no result moves.",
                         name, one.latest_rank,
                         span(one.latest_rank > 0 ? one.worker_late_p99_s : one.lag_p99_s),
                         span(one.intended_p50_s), one.speed, one.safe_speed));
}

}  // namespace

std::string to_text(std::span<const Summary> summaries, Rows rows, std::size_t width) {
  std::string text = aligned(rows_of(summaries, rows), width);
  std::set<std::string> said;  // runs that are compared are mostly of one workload
  for (const Summary& one : summaries) {
    for (const std::string& note :
         {note_on_rigid_jobs(static_cast<std::uint64_t>(one.rigid_jobs), one.jobs),
          note_on_load({.share = one.offered_load, .kind = one.most_loaded})}) {
      if (!note.empty() && said.insert(note).second) text += paragraph("WARNING", note);
    }
  }
  for (const Summary& one : summaries) text += warnings(one);
  return text;
}

}  // namespace somnus
