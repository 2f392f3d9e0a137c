// A reader's mistakes in one file: all are counted, the first fifty are listed, and of one cause in
// one column the first three.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace somnus {

class MistakeCollector {
 public:
  static constexpr std::size_t most_listed = 50;
  static constexpr std::size_t most_alike = 3;

  explicit MistakeCollector(std::string file) : file_(std::move(file)) {}

  /// `line` and `column` count from 1; 0 means "not known". Mistakes have one cause if their key is
  /// the same, and `what` up to ", found".
  void add(int line, int column, std::string key, std::string what, std::string hint = "");
  [[nodiscard]] bool any() const { return !causes_.empty(); }
  /// Whether the next one of a new cause will be listed in words.
  [[nodiscard]] bool lists_more() const { return listed_.list().size() < most_listed; }
  [[nodiscard]] const std::string& file() const { return file_; }

  struct Cause {
    Mistake first;
    std::size_t count = 0;
    std::size_t listed = 0;
    int last_line = 0;
  };
  /// In the order of their first.
  [[nodiscard]] const std::vector<Cause>& causes() const { return causes_; }

  /// In the order of add(); then how many more there are of each cause, and of all.
  [[nodiscard]] Mistakes take() &&;

 private:
  [[nodiscard]] Cause& cause_of(const Mistake& one);

  std::string file_;
  Mistakes listed_;
  std::vector<Cause> causes_;
};

}  // namespace somnus
