// What guessers of a table's columns have in common: the columns, and what was guessed so far.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/column_facts.hpp"
#include "formats/column_words.hpp"
#include "formats/table_guess.hpp"
#include "text/table_columns.hpp"

namespace somnus {

struct GuessColumn {
  std::string name;
  ColumnWords words;
  ColumnFacts facts;
  bool is_used = false;
};

/// What the parameter's text means of the table; nothing if it is no number of it.
[[nodiscard]] std::optional<TableNumber> number_in(const TableSample& sample,
                                                   std::string_view text);

/// "*60", "/1000", "": what makes seconds of numbers that are worth so many.
[[nodiscard]] std::string factor_of(double unit_s);

class GuessState {
 public:
  /// Both must outlive it.
  GuessState(const TableSample& sample, const Parameters& given) : sample_(sample), given_(given) {}

  std::vector<GuessColumn> columns;
  TableGuess guess;
  CellStyle style;

  [[nodiscard]] const TableSample& sample() const { return sample_; }
  [[nodiscard]] const Parameters& given() const { return given_; }
  [[nodiscard]] bool is_given(const char* parameter) const { return given_.contains(parameter); }
  /// As given, else as guessed; a number as text. Empty: neither.
  [[nodiscard]] std::string text_of(const char* parameter) const;

  /// The columns with the best rank for that role that hold(facts), in their order.
  template <class Holds>
  [[nodiscard]] std::vector<std::size_t> best(ColumnRole role, const Holds& holds) const {
    std::vector<std::size_t> found;
    int best_rank = 0;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const auto rank = rank_of(role, columns[column].words);
      if (!rank || !holds(columns[column].facts)) continue;
      if (!found.empty() && *rank > best_rank) continue;
      if (found.empty() || *rank < best_rank) found.clear();
      best_rank = *rank;
      found.push_back(column);
    }
    return found;
  }
  /// Whether its name has any of those roles.
  [[nodiscard]] bool has_role(std::size_t column, std::initializer_list<ColumnRole> roles) const;
  /// Whether its name has any role at all, or a given parameter names it.
  [[nodiscard]] bool is_known(std::size_t column) const;
  /// Whether all say the same in each row.
  [[nodiscard]] bool are_equal(const std::vector<std::size_t>& of) const;
  [[nodiscard]] std::vector<std::string> names_of_columns(const std::vector<std::size_t>& of) const;
  /// What the parameter means in each row; nothing where a cell cannot be read.
  [[nodiscard]] std::vector<std::optional<double>> values_of(std::string_view text) const;
  /// Those that the parameter names.
  [[nodiscard]] std::vector<std::size_t> columns_in(const std::string& text) const;

  void use(std::size_t column) { columns[column].is_used = true; }
  void assume(std::string sentence) { guess.assumed.push_back(std::move(sentence)); }
  /// Asks which of the columns is meant.
  void choose(const char* parameter, std::string why, const std::vector<std::size_t>& of);
  void ask(const char* parameter, std::string why, std::vector<std::string> candidates,
           std::vector<std::string> others = {});
  /// Of a column that has the role by its name, but whose cells are none of it: which, and what
  /// stands there; empty: there is none.
  [[nodiscard]] std::string unreadable(ColumnRole role) const;

 private:
  const TableSample& sample_;
  const Parameters& given_;
};

}  // namespace somnus
