// A reader's mistakes in one file: all are counted, the first fifty are listed.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.hpp"

namespace somnus {

class MistakeCollector {
 public:
  static constexpr std::size_t most_listed = 50;

  explicit MistakeCollector(std::string file) : file_(std::move(file)) {}

  /// `line` and `column` count from 1; 0 means "not known".
  void add(int line, int column, std::string key, std::string what, std::string hint = "");
  [[nodiscard]] bool any() const { return count_ > 0; }
  /// Whether the next one will be listed in words.
  [[nodiscard]] bool lists_more() const { return count_ < most_listed; }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// In the order of add(); a last one says how many were left out.
  [[nodiscard]] Mistakes take() &&;

 private:
  std::string file_;
  Mistakes listed_;
  std::size_t count_ = 0;
};

}  // namespace somnus
