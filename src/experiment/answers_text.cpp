#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/wrapped.hpp"
#include "experiment/answers.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

constexpr std::size_t a_dozen = 12;
constexpr std::size_t most_named_places = 4;

using Numbers = std::vector<std::size_t>;

std::string number(double value) { return fmt::format("{:.3g}", value); }
std::string percent(double share) { return fmt::format("{:.4g} %", 100 * std::abs(share)); }

/// Two digits, rounded up: it is an estimate.
std::string rounded_up(std::size_t runs) {
  std::size_t unit = 1;
  while (runs / unit >= 100) unit *= 10;
  return fmt::format("{}", (runs + unit - 1) / unit * unit);
}

std::string runs_in_words(std::size_t runs) {
  return runs > most_predicted_runs ? fmt::format("more than {}", most_predicted_runs)
                                    : rounded_up(runs);
}

/// "about 60 seeds would decide", or "about 60 batches as long"
std::string needed_in_words(std::size_t least, std::size_t most, Replicate replicate) {
  const bool by_batch = replicate == Replicate::batch;
  if (least == 0) return fmt::format("a single {} decides nothing", by_batch ? "batch" : "seed");
  const std::string from = runs_in_words(least);
  const std::string to = runs_in_words(most);
  const char* const about = least > most_predicted_runs ? "" : "about ";
  const char* const these = by_batch ? "batches as long" : "seeds";
  return from == to ? fmt::format("{}{} {} would decide", about, from, these)
                    : fmt::format("about {} to {} {} would decide", from, to, these);
}

class PanelWords {
 public:
  PanelWords(const Comparing& comparing, std::size_t panel)
      : places_(comparing.panels[panel].places), numeric_(!comparing.axis.empty()) {}

  /// " from 0.85 on" of these of the places, in order; `all` are those that are spoken of.
  [[nodiscard]] std::string at(const Numbers& some, const Numbers& all) const {
    if (all.size() == 1 && places_[all.front()].name.empty()) return "";
    return numeric_ ? in_ranges(some, all) : by_name(some, all);
  }

 private:
  [[nodiscard]] const std::string& name(std::size_t place) const { return places_[place].name; }

  [[nodiscard]] std::string in_ranges(const Numbers& some, const Numbers& all) const {
    std::vector<std::string> ranges;
    for (std::size_t at = 0; at < some.size();) {
      std::size_t end = at;
      const auto is_next = [&] {
        const auto here = std::ranges::find(all, some[end]);
        return end + 1 < some.size() && here + 1 != all.end() && *(here + 1) == some[end + 1];
      };
      while (is_next()) ++end;
      const std::size_t first = some[at];
      const std::size_t last = some[end];
      if (first == last) {
        ranges.push_back(fmt::format("at {}", name(first)));
      } else if (last == all.back() && first != all.front()) {
        ranges.push_back(fmt::format("from {} on", name(first)));
      } else if (first == all.front() && last != all.back()) {
        ranges.push_back(fmt::format("up to {}", name(last)));
      } else {
        ranges.push_back(fmt::format("from {} to {}", name(first), name(last)));
      }
      at = end + 1;
    }
    return " " + listed(ranges);
  }

  [[nodiscard]] std::string by_name(const Numbers& some, const Numbers& all) const {
    if (some.size() == all.size() && all.size() > 1) {
      return fmt::format(" at all {} points", all.size());
    }
    std::vector<std::string> names;
    for (const std::size_t place : some) names.push_back(name(place));
    const std::size_t more = names.size() - std::min(names.size(), most_named_places);
    if (more > 0) {
      names.resize(most_named_places);
      names.push_back(fmt::format("{} more", more));
    }
    return " at " + listed(names);
  }

  [[nodiscard]] static std::string listed(std::vector<std::string> parts) {
    if (parts.size() == 1) return parts.front();
    if (parts.size() > a_dozen) {
      const std::size_t more = parts.size() - a_dozen + 1;
      parts.resize(a_dozen - 1);
      parts.push_back(fmt::format("{} more", more));
    }
    const std::string last = std::move(parts.back());
    parts.pop_back();
    return fmt::format("{} and {}", fmt::join(parts, ", "), last);
  }

  const std::vector<Place>& places_;
  bool numeric_;
};

/// Places by what is decided there.
struct Decided {
  Numbers all;
  Numbers less;
  Numbers more;
  Numbers tied;
  Numbers same;
  Numbers open;
  std::size_t least_needed = 0;  // runs that would decide an open one
  std::size_t most_needed = 0;
};

Decided decided_by(const DifferenceClaim& claim) {
  Decided found;
  for (std::size_t place = 0; place < claim.comparisons.size(); ++place) {
    const Hypothesis* const one = claim.at(place);
    if (one == nullptr) continue;
    const Comparison& both = *claim.comparisons[place];
    found.all.push_back(place);
    if (one->decided != 0) {
      (one->decided < 0 ? found.less : found.more).push_back(place);
    } else if (claim.share == 0 && both.is_same) {
      found.same.push_back(place);
    } else if (claim.share == 0 && both.is_tie()) {
      found.tied.push_back(place);
    } else {
      const std::size_t needed = one->runs_needed;
      found.least_needed = found.open.empty() ? needed : std::min(found.least_needed, needed);
      found.most_needed = std::max(found.most_needed, needed);
      found.open.push_back(place);
    }
  }
  return found;
}

class FigureWords {
 public:
  FigureWords(const Answers& answers, const FigureAnswer& answer)
      : comparing_(answers.comparing), answer_(answer), replicate_(answers.replicate) {}

  [[nodiscard]] std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    for (const DifferenceClaim& claim : answer_.claims) {
      std::string sentence = claim.share == 0 ? of_sign(claim) : of_margin(claim);
      if (!sentence.empty()) all.push_back(in_panel(claim.panel) + std::move(sentence));
    }
    for (std::size_t panel = 0; panel < comparing_.panels.size(); ++panel) {
      if (std::string sentence = of_best(panel); !sentence.empty()) {
        all.push_back(in_panel(panel) + std::move(sentence));
      }
    }
    return all;
  }

  [[nodiscard]] std::string title() const {
    const char* const better = answer_.better == Better::less   ? " (less is better)"
                               : answer_.better == Better::more ? " (more is better)"
                                                                : " (better neither way)";
    const std::string along = comparing_.axis.empty() ? "" : ", by " + printable(comparing_.axis);
    return fmt::format("{}{}{}", figure_infos()[answer_.figure].name, better, along);
  }

 private:
  [[nodiscard]] std::string in_panel(std::size_t panel) const {
    const std::string& name = comparing_.panels[panel].name;
    return name.empty() ? "" : fmt::format("With {}: ", name);
  }

  [[nodiscard]] const char* word(int sign) const {
    if (answer_.better == Better::neither) return sign < 0 ? "less" : "more";
    return (sign < 0) == (answer_.better == Better::less) ? "better" : "worse";
  }

  /// Whether it differs at all.
  [[nodiscard]] std::string of_sign(const DifferenceClaim& claim) const {
    const PanelWords words(comparing_, claim.panel);
    const Decided found = decided_by(claim);
    const std::string& theirs = comparing_.names[*comparing_.baseline];
    std::vector<std::string> clauses;
    const auto add = [&](const Numbers& some, const std::string& what, const char* joint) {
      if (some.empty()) return;
      const bool first = clauses.empty();
      clauses.push_back(what + (first ? fmt::format(" {} {}", joint, theirs) : "") +
                        words.at(some, found.all));
    };
    const bool less_first = answer_.better != Better::more;
    add(less_first ? found.less : found.more, word(less_first ? -1 : 1), "than");
    add(less_first ? found.more : found.less, word(less_first ? 1 : -1), "than");
    add(found.tied, fmt::format("within {}", percent(answer_.margin)), "of");
    add(found.same, "the same " + in_every(), "as");
    const std::string& ours = comparing_.names[claim.name];
    if (clauses.empty()) {
      return fmt::format("Whether {} and {} differ is {}.", ours, theirs,
                         open_in_words(found, words));
    }
    if (!found.open.empty()) clauses.push_back(open_in_words(found, words));
    return fmt::format("{} is {}.{}", ours, fmt::join(clauses, "; "), crossings_in_words(claim));
  }

  /// Whether it differs by more than the margin. Of the worse side only what was found there is
  /// said.
  [[nodiscard]] std::string of_margin(const DifferenceClaim& claim) const {
    const PanelWords words(comparing_, claim.panel);
    const Decided found = decided_by(claim);
    const Numbers& yes = claim.share < 0 ? found.less : found.more;
    const Numbers& no = claim.share < 0 ? found.more : found.less;
    const bool is_better_side =
        claim.share < 0 ? answer_.better == Better::less : answer_.better == Better::more;
    if (yes.empty() && !is_better_side) return "";
    const auto claimed = [&](const char* is) {
      return fmt::format("{} {} {} than {} by more than {}", comparing_.names[claim.name], is,
                         word(claim.share < 0 ? -1 : 1), comparing_.names[*comparing_.baseline],
                         percent(claim.share));
    };
    std::vector<std::string> clauses;
    if (found.open.size() == found.all.size()) {
      clauses.push_back("Whether " + claimed("is") + " is " + open_in_words(found, words));
    } else {
      if (!yes.empty()) clauses.push_back(claimed("is") + words.at(yes, found.all));
      if (!no.empty()) {
        const std::string where = words.at(no, found.all);
        clauses.push_back(yes.empty() ? claimed("is not") + where : "not" + where);
      }
      if (!found.open.empty()) clauses.push_back(open_in_words(found, words));
    }
    return fmt::format("{}.{}", fmt::join(clauses, "; "), crossings_in_words(claim));
  }

  [[nodiscard]] std::string open_in_words(const Decided& found, const PanelWords& words) const {
    return fmt::format("not decided{} ({})", words.at(found.open, found.all),
                       needed_in_words(found.least_needed, found.most_needed, replicate_));
  }

  [[nodiscard]] std::string in_every() const {
    return replicate_ == Replicate::batch ? "in every batch" : "in every run";
  }

  [[nodiscard]] static std::string crossings_in_words(const DifferenceClaim& claim) {
    const std::string threshold = claim.share == 0 ? "0" : percent(claim.share);
    std::vector<std::string> sure;
    std::string text;
    for (const Crossing& one : claim.crossings) {
      const std::string interval = fmt::format("{} to {}", number(one.low), number(one.high));
      if (one.is_decided) {
        sure.push_back(one.at.size() == 1
                           ? fmt::format("at {} (95 %: {})", number(one.at.front()), interval)
                           : fmt::format("in {} (95 %)", interval));
      } else if (one.from_first && one.to_last) {
        continue;  // nothing is decided anywhere
      } else if (one.to_last) {
        text += fmt::format(" It may pass {} anywhere above {}; {} is the last that was tried.",
                            threshold, number(one.low), number(one.high));
      } else if (one.from_first) {
        text += fmt::format(" It may pass {} anywhere below {}; {} is the first that was tried.",
                            threshold, number(one.high), number(one.low));
      } else {
        text += fmt::format(" It may pass {} in {} (95 %).", threshold, interval);
      }
    }
    if (sure.empty()) return text;
    const std::string times = sure.size() == 1   ? ""
                              : sure.size() == 2 ? " twice,"
                                                 : fmt::format(" {} times,", sure.size());
    return fmt::format(" The difference passes {}{} {}.", threshold, times,
                       fmt::join(sure, " and ")) +
           text;
  }

  /// Places of one panel at which the same is said, in one clause.
  [[nodiscard]] std::string of_best(std::size_t panel) const {
    std::vector<const Best*> own;
    Numbers all;
    for (const Best& best : answer_.best) {
      if (best.panel != panel) continue;
      own.push_back(&best);
      all.push_back(best.place);
    }
    const PanelWords words(comparing_, panel);
    std::vector<std::pair<const Best*, Numbers>> said;  // the first of them, and their places
    std::map<std::pair<Best::Kind, Numbers>, std::size_t> known;
    for (const Best* const best : own) {
      const auto [found, is_new] = known.try_emplace({best->kind, sorted(*best)}, said.size());
      if (is_new) said.emplace_back(best, Numbers());
      said[found->second].second.push_back(best->place);
    }
    std::vector<std::string> clauses;
    for (const auto& [best, places] : said) {
      clauses.push_back(best_in_words(*best) + words.at(places, all));
    }
    if (clauses.empty()) return "";
    return fmt::format("{}: {}.", answer_.better == Better::neither ? "Least" : "Best",
                       fmt::join(clauses, "; "));
  }

  [[nodiscard]] static Numbers sorted(const Best& best) {
    Numbers names = best.names;
    std::ranges::sort(names);
    return names;
  }

  [[nodiscard]] std::string best_in_words(const Best& best) const {
    std::vector<std::string> names;
    for (const std::size_t name : sorted(best)) names.push_back(comparing_.names[name]);
    const std::string joined = fmt::format("{}", fmt::join(names, ", "));
    switch (best.kind) {
      case Best::Kind::one:
        return joined;
      case Best::Kind::tie:
        return fmt::format("a tie of {} (within {})", joined, percent(answer_.margin));
      case Best::Kind::same:
        return fmt::format("{} (the same {})", joined, in_every());
      case Best::Kind::undecided:
        return fmt::format("not decided between {}", joined);
    }
    return joined;
  }

  const Comparing& comparing_;
  const FigureAnswer& answer_;
  Replicate replicate_;
};

std::string closing_note(const Answers& answers) {
  std::size_t most = 0;
  bool exact = true;
  for (const FigureAnswer& answer : answers.figures) {
    most = std::max(most, answer.comparisons.all().size());
    for (const Comparison& one : answer.comparisons.all()) exact = exact && one.is_exact;
  }
  if (exact) return "";
  const std::string corrected =
      most > 1 ? fmt::format(", by Holm's correction for the {} comparisons of a figure", most)
               : "";
  const char* const intervals = answers.test == MeanTest::sequential
                                    ? "Verdicts and crossings count that each round was looked at; "
                                      "the intervals of the tables "
                                      "do not, and are a little too narrow."
                                : answers.replicate == Replicate::batch
                                    ? "Intervals hold at 95 % each. Both take batches as "
                                      "independent."
                                    : "Intervals hold at 95 % each.";
  return wrapped(fmt::format("What is said of a figure is wrong anywhere with a probability of at "
                             "most 5 %{}. {}",
                             corrected, intervals),
                 0) +
         "\n";
}

}  // namespace

std::vector<std::string> answer_in_words(const Answers& answers, const FigureAnswer& answer) {
  return FigureWords(answers, answer).sentences();
}

std::string answers_to_text(const Answers& answers, Lines lines) {
  std::string text;
  for (const FigureAnswer& answer : answers.figures) {
    const FigureWords words(answers, answer);
    const std::vector<std::string> sentences = words.sentences();
    if (sentences.empty()) continue;
    text += fmt::format("\n{}\n", wrapped(words.title(), 4));
    const std::size_t shown =
        lines == Lines::all ? sentences.size() : std::min(sentences.size(), a_dozen);
    for (std::size_t at = 0; at < shown; ++at) {
      text += fmt::format("  {}\n", wrapped(sentences[at], 4, 78));
    }
    if (shown < sentences.size()) {
      text += fmt::format("  and {} more sentences; --all has them\n", sentences.size() - shown);
    }
  }
  return text.empty() ? text : text + closing_note(answers);
}

}  // namespace somnus
