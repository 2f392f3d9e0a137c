// When a table's jobs come and how long their tasks take: which columns say so, and in which unit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "formats/column_facts.hpp"
#include "formats/column_words.hpp"
#include "formats/table_guess.hpp"

namespace somnus {

struct GuessColumn {
  std::string name;
  ColumnWords words;
  ColumnFacts facts;
  bool is_used = false;
};

class TimesGuesser {
 public:
  /// All must outlive it; columns may come later.
  TimesGuesser(const TableSample& sample, std::vector<GuessColumn>& columns, TableGuess& guess)
      : sample_(sample), columns_(columns), guess_(guess) {}

  void guess(const Parameters& given);

  /// The columns with the best rank for that role that hold(facts), in their order.
  template <class Holds>
  [[nodiscard]] std::vector<std::size_t> best(ColumnRole role, const Holds& holds) const {
    std::vector<std::size_t> found;
    int best_rank = 0;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const auto rank = rank_of(role, columns_[column].words);
      if (!rank || !holds(columns_[column].facts)) continue;
      if (!found.empty() && *rank > best_rank) continue;
      if (*rank < best_rank) found.clear();
      best_rank = *rank;
      found.push_back(column);
    }
    return found;
  }
  /// Whether all say the same in each row.
  [[nodiscard]] bool are_equal(const std::vector<std::size_t>& columns) const;
  void choose(const char* parameter, std::string why, const std::vector<std::size_t>& columns);

 private:
  /// What a time is in words, and what makes seconds of it: "", "/1000", "*60".
  struct Scale {
    std::string words;
    std::string factor;
    double seconds = 1;
    bool is_known = true;  // else seconds are but what is usual
  };
  [[nodiscard]] Scale scale_of(const GuessColumn& column) const;
  [[nodiscard]] std::optional<std::size_t> only(ColumnRole role) const;
  void guess_submit();
  void guess_duration();
  void take_difference(const GuessColumn& start, const GuessColumn& end);
  void take_duration(const GuessColumn& column, std::optional<std::size_t> start,
                     std::optional<std::size_t> end);
  [[nodiscard]] std::string difference(const GuessColumn& start, const GuessColumn& end) const;
  [[nodiscard]] bool is_as_long(const GuessColumn& column, double unit_s, const GuessColumn& start,
                                const GuessColumn& end) const;
  void missing(const char* parameter, const std::string& what);

  const TableSample& sample_;
  std::vector<GuessColumn>& columns_;
  TableGuess& guess_;
  std::optional<std::size_t> submit_;
};

}  // namespace somnus
