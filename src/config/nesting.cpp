#include "config/nesting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace somnus {
namespace {

bool is_quote(char sign) { return sign == '"' || sign == '\''; }

class NestingScan {
 public:
  explicit NestingScan(std::string_view toml) : toml_(toml) {}

  std::optional<Mistake> operator()(const std::string& origin) {
    while (at_ < toml_.size()) {
      step();
      if (depth_ > most_nested) {
        return refusal(origin, at_ - 1,
                       fmt::format("expected at most {} brackets in each other", most_nested));
      }
      if (dots_ >= most_nested) {
        return refusal(origin, key_begin_,
                       fmt::format("expected at most {} names with dots between", most_nested));
      }
      if (key_end_ - key_begin_ > longest_key) {
        return refusal(origin, key_begin_,
                       fmt::format("expected a key of at most {} bytes", longest_key));
      }
    }
    return std::nullopt;
  }

 private:
  void step() {
    const char sign = toml_[at_];
    if (sign == '#') {
      at_ = std::min(toml_.find('\n', at_), toml_.size());
      begin_key(at_);
      return;
    }
    if (is_quote(sign)) {
      skip_text(sign);
      if (!is_value_) key_end_ = at_;
      return;
    }
    ++at_;
    if (sign == '[' || sign == '{') {
      if (++depth_ > most_nested) return;
      is_array_[depth_] = sign == '[' && is_value_;  // else the name of a table
    }
    if ((sign == ']' || sign == '}') && depth_ > 0) --depth_;
    if (sign == '.' && !is_value_) ++dots_;
    if (std::string_view("\n,[]{}=").find(sign) != std::string_view::npos) {
      begin_key(at_);
      is_value_ = sign == '=' || is_array_[depth_];
    } else if (!is_value_) {
      key_end_ = at_;
    }
  }

  void begin_key(std::size_t at) {
    key_begin_ = key_end_ = at;
    dots_ = 0;
  }

  // Of one line, or of several between quotes in threes.
  void skip_text(char quote) {
    const bool escapes = quote == '"';
    const bool long_text = toml_.substr(at_).starts_with(std::string(3, quote));
    const std::string_view end =
        long_text ? (escapes ? "\"\"\"" : "'''") : std::string_view(escapes ? "\"" : "'");
    at_ += end.size();
    while (at_ < toml_.size()) {
      if (toml_.substr(at_).starts_with(end)) {
        at_ += end.size();
        return;
      }
      if (!long_text && toml_[at_] == '\n') return;  // no TOML
      at_ += escapes && toml_[at_] == '\\' ? 2 : 1;
    }
    at_ = toml_.size();
  }

  [[nodiscard]] Mistake refusal(const std::string& origin, std::size_t at, std::string what) const {
    const std::string_view before = toml_.substr(0, at);
    const std::size_t line_end = before.rfind('\n');
    const std::size_t line_begin = line_end == std::string_view::npos ? 0 : line_end + 1;
    const std::size_t blanks = toml_.substr(at).find_first_not_of(" \t");
    const std::size_t column = at - line_begin + (blanks == std::string_view::npos ? 0 : blanks);
    return {.location = {.file = origin,
                         .line = static_cast<int>(std::ranges::count(before, '\n')) + 1,
                         .column = static_cast<int>(column) + 1},
            .what = std::move(what)};
  }

  std::string_view toml_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;                         // of brackets
  std::array<bool, most_nested + 1> is_array_{};  // by depth: they have values between commas
  bool is_value_ = false;                         // behind a =, where dots are those of numbers
  int dots_ = 0;                                  // of the key that is being passed
  std::size_t key_begin_ = 0;
  std::size_t key_end_ = 0;
};

}  // namespace

std::optional<Mistake> too_deep(std::string_view toml, const std::string& origin) {
  return NestingScan(toml)(origin);
}

}  // namespace somnus
