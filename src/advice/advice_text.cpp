#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "advice/advice.hpp"
#include "base/wrapped.hpp"
#include "experiment/results.hpp"
#include "print/printable.hpp"
#include "print/text_table.hpp"

namespace somnus {
namespace {

constexpr std::size_t most_presets_shown = 12;
constexpr std::size_t longest_user = 24;

std::string share_in_words(const MeanInterval& share) {
  return fmt::format("{:+.1f} % +- {:.1f}", 100 * share.mean, 100 * share.half_width);
}

const char* mark_of(Keeps keeps) {
  return keeps == Keeps::no ? "!" : keeps == Keeps::undecided ? "?" : "";
}

std::span<const Finalist> shown_presets(const Advice& advice) {
  return std::span(advice.presets).first(std::min(most_presets_shown, advice.presets.size()));
}

std::string paragraph(const std::string& words) { return wrapped(words, 0) + "\n"; }

class Shown {
 public:
  explicit Shown(const Advice& advice) : advice_(advice) {
    std::vector<double> aims;
    std::vector<double> besides;
    for (const auto* group : {&advice.finalists, &advice.presets}) {
      for (const Finalist& each : *group) {
        aims.push_back(each.aim.mean);
        besides.push_back(each.beside.mean);
      }
    }
    aim_ = info(advice.options.aim);
    beside_ = info(advice.options.beside);
    aim_scale_ = scale_for(aim_.unit, aims);
    beside_scale_ = scale_for(beside_.unit, besides);
  }

  [[nodiscard]] std::string head() const {
    return paragraph(fmt::format("mean of {} with its 95 % interval, difference to yours, {}",
                                 with_unit(aim_.name, aim_scale_),
                                 with_unit(beside_.name, beside_scale_)));
  }
  [[nodiscard]] std::string rows(std::span<const Finalist> finalists) const {
    std::vector<TextRow> rows;
    for (const Finalist& each : finalists) rows.push_back(row(each));
    return aligned(rows);
  }

 private:
  static FigureInfo info(const Aim& aim) { return figure_infos()[figure_index(aim.figure)]; }

  [[nodiscard]] TextRow row(const Finalist& each) const {
    const bool is_own = each.label == advice_.own;
    const std::string marks = fmt::format("{}{}", each.on_front ? "*" : " ", mark_of(each.keeps));
    return {.title = fmt::format("{:2} {}", marks, printable(each.label)),
            .cells = {cell(each.aim.mean, aim_.unit, aim_scale_),
                      "+- " + cell(each.aim.half_width, aim_.unit, aim_scale_),
                      is_own ? "yours" : share_in_words(each.difference),
                      cell(each.beside.mean, beside_.unit, beside_scale_)}};
  }

  const Advice& advice_;
  FigureInfo aim_;
  FigureInfo beside_;
  Scale aim_scale_{};
  Scale beside_scale_{};
};

std::string quoted(const std::vector<std::string>& labels) {
  std::vector<std::string> shown;
  for (const std::string& label : labels) shown.push_back(printable(label));
  return fmt::format("{}", fmt::join(shown, ", "));
}

std::string verdict(const Advice& advice) {
  const Finalist& best = advice.best();
  const std::string name = printable(best.label);
  const std::string figure = advice.options.aim.figure;
  if (best.label == advice.own) {
    return fmt::format("Nothing that the search found is better for {} than yours, {}.", figure,
                       name);
  }
  if (best.decided == 0) {
    return fmt::format(
        "{} has the best mean of {}, but that it is better than yours, {}, is not "
        "decided with {} seeds.",
        name, figure, printable(advice.own), advice.options.seeds);
  }
  return fmt::format("{} is best for {}: {:.1f} % {} (+- {:.1f}) than yours, {}.", name, figure,
                     100 * std::abs(best.difference.mean), best.decided < 0 ? "less" : "more",
                     100 * best.difference.half_width, printable(advice.own));
}

std::string front_in_words(const Advice& advice) {
  std::vector<std::string> labels;
  for (const auto* group : {&advice.finalists, &advice.presets}) {
    for (const Finalist& each : *group) {
      if (each.on_front) labels.push_back(each.label);
    }
  }
  return fmt::format("* None of the others shown is better in both {} and {}: {}.",
                     advice.options.aim.figure, advice.options.beside.figure, quoted(labels));
}

std::string limits_in_words(const Advice& advice) {
  std::vector<std::string> texts;
  for (const Limit& limit : advice.options.limits) texts.push_back(printable(limit.text));
  return fmt::format("! breaks a limit, ? it is not decided whether it does (95 %): {}.",
                     fmt::join(texts, "; "));
}

std::string beyond_in_words(const MeanInterval& beyond) {
  return beyond.runs < 2 ? "too few runs" : share_in_words(beyond);
}

TextRow worst_user(const Finalist& each, const LimitVerdict& verdict) {
  return {.title = fmt::format("{} {}", mark_of(verdict.keeps), printable(each.label)),
          .cells = {printable(verdict.user, longest_user), beyond_in_words(verdict.beyond)}};
}

/// Of a limit of each user, the user who is worst off under each scheduler shown that breaks it, or
/// that is a finalist and may.
std::vector<TextRow> worst_users(const Advice& advice, std::size_t limit) {
  std::vector<TextRow> rows;
  for (const Finalist& each : advice.finalists) {
    const LimitVerdict& verdict = each.limits[limit];
    if (verdict.keeps != Keeps::yes) rows.push_back(worst_user(each, verdict));
  }
  for (const Finalist& each : shown_presets(advice)) {
    const LimitVerdict& verdict = each.limits[limit];
    if (verdict.keeps == Keeps::no) rows.push_back(worst_user(each, verdict));
  }
  return rows;
}

std::string worst_users_in_words(const Advice& advice) {
  std::string text;
  for (std::size_t at = 0; at < advice.options.limits.size(); ++at) {
    const Limit& limit = advice.options.limits[at];
    const std::vector<TextRow> rows =
        limit.each_user ? worst_users(advice, at) : std::vector<TextRow>();
    if (rows.empty()) continue;
    text += paragraph(fmt::format("The worst user, beyond '{}' by", printable(limit.text))) +
            aligned(rows);
  }
  return text;
}

/// Presets that are not shown, as another decides all that they do.
std::string presets_alike(const Advice& advice) {
  std::vector<std::string> pairs;
  for (const auto& [label, as] : advice.alike) {
    if (find_preset(label) == nullptr) continue;
    pairs.push_back(fmt::format("{} as {}", printable(label), printable(as)));
  }
  return fmt::format("{}", fmt::join(pairs, ", "));
}

std::string parts_in_words(const Advice& advice) {
  std::string text;
  for (const Contribution& each : advice.parts) {
    const std::string what = fmt::format("{} {} in place of {}", name_of(each.kind),
                                         printable(each.part), printable(each.own));
    text += wrapped(fmt::format("  {}: {}", what,
                                each.why_not.empty() ? share_in_words(each.difference)
                                                     : printable(each.why_not)),
                    4) +
            "\n";
  }
  return text;
}

}  // namespace

std::string advice_to_text(const Advice& advice) {
  const Shown table(advice);
  std::string text = paragraph(verdict(advice));
  std::vector<std::string> as_good = advice.as_good;
  std::erase(as_good, advice.own);
  if (!as_good.empty()) {
    text += paragraph(
        fmt::format("These may be as good (no difference is decided): {}.", quoted(as_good)));
  }
  text += "\n" + paragraph(fmt::format(
                     "{} schedulers tried, {} runs; the best and yours, with {} seeds that the "
                     "search has not seen:",
                     advice.tried, advice.runs, advice.options.seeds));
  text += table.head() + table.rows(advice.finalists);
  if (!advice.presets.empty()) {
    const std::span<const Finalist> shown = shown_presets(advice);
    text += "\nother presets\n" + table.rows(shown);
    if (shown.size() < advice.presets.size()) {
      text += fmt::format("and {} more (--json has all)\n", advice.presets.size() - shown.size());
    }
  }
  text += "\n" + paragraph(front_in_words(advice));
  if (!advice.options.limits.empty()) {
    text += paragraph(limits_in_words(advice)) + worst_users_in_words(advice);
  }
  if (!advice.parts.empty()) {
    text += fmt::format("\nwhat each part of {} brings\n", printable(advice.best().label)) +
            parts_in_words(advice);
  }
  const std::string alike = presets_alike(advice);
  if (!alike.empty()) text += "\n" + paragraph("These decide alike here: " + alike + ".");
  if (!advice.left_out.empty()) {
    text += "\n" + paragraph(fmt::format("{} more do not fit this config, or finish fewer jobs "
                                         "(--json says why).",
                                         advice.left_out.size()));
  }
  return text;
}

}  // namespace somnus
