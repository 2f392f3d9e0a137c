#include "text/date_time.hpp"

#include <fmt/format.h>

#include <chrono>

#include "text/parse_number.hpp"

namespace somnus {
namespace {

// Takes pieces from the front of a text, until one does not fit.
class DatePieces {
 public:
  explicit DatePieces(std::string_view text) : rest_(text) {}

  /// So many digits that are a number from `low` to `high`.
  int digits(std::size_t count, int low, int high) {
    const std::string_view piece = rest_.substr(0, count);
    const bool plain = piece.find_first_not_of("0123456789") == std::string_view::npos;
    const auto number = plain ? parse_number<int>(piece) : std::nullopt;
    fine_ = fine_ && piece.size() == count && number && *number >= low && *number <= high;
    rest_.remove_prefix(piece.size());
    return number.value_or(low);
  }
  void sign(std::string_view any_of) {
    fine_ = fine_ && begins_with(any_of);
    if (!rest_.empty()) rest_.remove_prefix(1);
  }
  double fraction() {
    const auto end = rest_.find_first_not_of("0123456789", 1);
    const auto number = parse_number<double>(rest_.substr(0, end));  // ".25"
    fine_ = fine_ && number.has_value();
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
    return number.value_or(0);
  }
  [[nodiscard]] bool begins_with(std::string_view any_of) const {
    return !rest_.empty() && any_of.find(rest_.front()) != std::string_view::npos;
  }
  [[nodiscard]] char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  [[nodiscard]] bool ended() const { return fine_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool fine_ = true;
};

}  // namespace

std::optional<DateTime> parse_date_time(std::string_view text) {
  DatePieces pieces(text);
  const int year = pieces.digits(4, 1900, 2200);
  pieces.sign("-");
  const int month = pieces.digits(2, 1, 12);
  pieces.sign("-");
  const int day = pieces.digits(2, 1, 31);
  pieces.sign("T ");
  double seconds = pieces.digits(2, 0, 23) * 3600.0;
  pieces.sign(":");
  seconds += pieces.digits(2, 0, 59) * 60.0;
  if (pieces.begins_with(":")) {
    pieces.sign(":");
    seconds += pieces.digits(2, 0, 60);  // 60 is a leap second
    if (pieces.begins_with(".")) seconds += pieces.fraction();
  }
  const bool has_zone = pieces.begins_with("Z+-");
  if (pieces.begins_with("Z")) {
    pieces.sign("Z");
  } else if (pieces.begins_with("+-")) {
    const double east = pieces.next() == '+' ? 1 : -1;
    pieces.sign("+-");
    seconds -= east * pieces.digits(2, 0, 14) * 3600;
    if (pieces.begins_with(":")) pieces.sign(":");
    seconds -= east * pieces.digits(2, 0, 59) * 60;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!pieces.ended() || !date.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return DateTime{.seconds = days * 86400 + seconds, .has_zone = has_zone};
}

std::string DatesOfAFile::expected_instead(const DateTime& date, int line) {
  if (first_line_ == 0) {
    first_line_ = line;
    with_zones_ = date.has_zone;
  }
  if (date.has_zone == with_zones_) return {};
  return fmt::format("a date {} a zone, as in line {}", with_zones_ ? "with" : "without",
                     first_line_);
}

}  // namespace somnus
