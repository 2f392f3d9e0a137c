// A part of a text that moves on through it: of a large file no more than that is held.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "text/text_blocks.hpp"
#include "text/text_file.hpp"

namespace somnus {

class TextWindow {
 public:
  /// What it shows must outlive it.
  explicit TextWindow(std::string_view whole) : text_(whole) {}
  explicit TextWindow(const TextFile& file);

  /// The memory behind its end is readable as far as parsers of JSON need it, if it was so of the
  /// whole.
  [[nodiscard]] std::string_view text() const { return text_; }
  void drop(std::size_t bytes) { text_.remove_prefix(bytes); }
  /// Shows more behind what it shows; false at the end. Views of text() end.
  [[nodiscard]] bool grow();

 private:
  std::string_view text_;
  const TextFile* file_ = nullptr;
  std::unique_ptr<TextBlocks> blocks_;  // none: there is no more
  std::string held_;
};

/// Calls visit(line, number) for each line, numbers from 1, without its line end (LF or CRLF),
/// which lives as long as the call. The last line needs none.
template <class Visit>
void for_each_line(TextWindow window, Visit&& visit) {
  std::size_t seen = 0;  // of the line
  for (int number = 1;;) {
    const auto end = window.text().find('\n', seen);
    if (end == std::string_view::npos) {
      seen = window.text().size();
      if (window.grow()) continue;
      if (window.text().empty()) return;
    }
    std::string_view line = window.text().substr(0, end);
    const std::size_t passed = end == std::string_view::npos ? line.size() : end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(line, number++);
    window.drop(passed);
    seen = 0;
  }
}
template <class Visit>
void for_each_line(const TextFile& file, Visit&& visit) {
  for_each_line(TextWindow(file), std::forward<Visit>(visit));
}
template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  for_each_line(TextWindow(text), std::forward<Visit>(visit));
}

}  // namespace somnus
