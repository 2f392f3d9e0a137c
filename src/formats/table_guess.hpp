// What the columns of a table mean, by their names and cells: the parameters of csv or parquet, as
// far as there is but one answer, and for the rest what there is to choose from.
#pragma once

#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "formats/table_sample.hpp"

namespace somnus {

/// What nobody but the user knows.
struct GuessChoice {
  std::string parameter;                 // "submit"
  std::string why;                       // what is expected, and what was found
  std::vector<std::string> candidates;   // values of the parameter
  std::vector<std::string> others = {};  // what else answers it, in words
};

struct TableGuess {
  Parameters parameters;             // those that differ from their defaults, as given or guessed
  std::vector<std::string> assumed;  // a sentence each
  std::vector<GuessChoice> choices;  // none: the table can be read
  std::vector<std::string> unused;   // columns that become nothing, each with a remark
};

/// `given` stays as it is.
[[nodiscard]] TableGuess guess_table(const TableSample& sample, const Parameters& given);

}  // namespace somnus
