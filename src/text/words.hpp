// The blank separated words of one line, with their columns for messages.
#pragma once

#include <algorithm>
#include <string_view>

namespace somnus {

class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {}

  /// Empty behind the last.
  std::string_view next() {
    constexpr std::string_view blanks = " \t";
    const auto start = line_.find_first_not_of(blanks, at_);
    if (start == std::string_view::npos) {
      at_ = column_ = line_.size();
      return {};
    }
    at_ = std::min(line_.find_first_of(blanks, start), line_.size());
    column_ = start;
    return line_.substr(start, at_ - start);
  }
  /// Of the word that next() gave, from 1.
  [[nodiscard]] int column() const { return static_cast<int>(column_) + 1; }

 private:
  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t column_ = 0;
};

}  // namespace somnus
