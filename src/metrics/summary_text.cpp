#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/wrapped.hpp"
#include "metrics/scheduler_words.hpp"
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

std::vector<TextRow> rows_of(std::span<const Summary> summaries, const SchedulerWords& schedulers,
                             Rows which) {
  std::vector<TextRow> rows;
  const bool named =
      std::ranges::any_of(summaries, [](const Summary& one) { return !one.label.empty(); });
  if (named) rows.push_back(words(summaries, "", [](const Summary& one) { return one.label; }));
  rows.push_back(words(summaries, "mode", [](const Summary& one) { return one.mode; }));
  rows.push_back(words(summaries, "scheduler", [&](const Summary& one) {
    return one.scheduler.empty() ? "?" : schedulers.of(one.scheduler);
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

std::string span(double value) {
  const Scale scale = scale_for("s", {&value, 1});
  return fmt::format("{:.3g} {}", value * scale.factor, scale.unit);
}

std::string lateness(const Summary& of) {
  return fmt::format("rank {:g} was {} late (p99)", of.latest_rank,
                     span(of.latest_rank > 0 ? of.worker_late_p99_s : of.lag_p99_s));
}

std::string warnings(const Summary& one) {
  const std::string name = one.label.empty() ? one.mode : printable(one.label);
  std::string text;
  if (!one.conserved() && one.complete) {
    text += paragraph("MISMATCH", name + ": submitted is not finished + failed + unfinished");
  }
  const auto warn = [&](const char* what) {
    text += paragraph("WARNING", fmt::format("{} {}: {}", name, what, pace_in_words(one)));
  };
  if (one.pace() == Pace::outran) warn("OUTRAN ITS MACHINE");
  if (one.pace() == Pace::stalled) warn("STALLED, A RANK WAS SILENT");
  if (one.pace() == Pace::resumed) warn("IS NOT COMPARABLE WITH A SIMULATION");
  return text;
}

}  // namespace

std::string pace_in_words(const Summary& of) {
  switch (of.pace()) {
    case Pace::exact:
      return "A simulation under the virtual clock: nothing can be late in it.";
    case Pace::unknown:
      return "Too little was written to say how late its ranks were.";
    case Pace::kept_up:
      return fmt::format(
          "{}, at most 1 % of the median task of {}. `somnus compare` shows whether that moved a "
          "result.",
          lateness(of), span(of.intended_p50_s));
    case Pace::outran:
      return fmt::format(
          "{}, more than 1 % of the median task of {}. At speed {:g} its times may mislead: "
          "`somnus compare` shows by how much. Speed {:g} would have kept that under 1 %; `somnus "
          "calibrate` says at which speed no result moves.",
          lateness(of), span(of.intended_p50_s), of.speed, of.safe_speed);
    case Pace::stalled: {
      const std::string where =
          std::isnan(of.silent_at_s)
              ? ""
              : fmt::format(", from {:.4g} s of emulated time on", of.silent_at_s);
      return fmt::format(
          "nothing was heard of rank {:g} for {:.3g} s of real time{}. What it ran meanwhile is "
          "late. Find what stopped it (a signal, swapping, the network) and run again; a lower "
          "speed is no remedy.",
          of.most_silent_rank, of.silent_max_s, where);
    }
    case Pace::resumed:
      return fmt::format(
          "resumed at {:.4g} s of emulated time. What ran then started again, which happens in no "
          "simulation. To compare it, run it anew.",
          of.resumed_at_s);
  }
  throw Bug("a pace that nobody knows");
}

std::string to_text(std::span<const Summary> summaries, Rows rows, std::size_t width) {
  std::vector<std::string> labels;
  for (const Summary& one : summaries) labels.push_back(one.scheduler);
  const SchedulerWords schedulers(labels);
  std::string text = aligned(rows_of(summaries, schedulers, rows), width) + schedulers.meanings();
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
