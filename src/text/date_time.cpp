#include "text/date_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "text/date_words.hpp"
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
  /// One digit or two.
  int short_number(int low, int high) {
    const bool has_two = rest_.size() > 1 && rest_[1] >= '0' && rest_[1] <= '9';
    return digits(has_two ? 2 : 1, low, high);
  }
  void sign(std::string_view any_of) {
    fine_ = fine_ && begins_with(any_of);
    if (!rest_.empty()) rest_.remove_prefix(1);
  }
  double fraction() {  // ".25" or ",25"
    const auto end = std::min(rest_.find_first_not_of("0123456789", 1), rest_.size());
    const auto number = parse_number<double>("." + std::string(rest_.substr(1, end - 1)));
    fine_ = fine_ && number.has_value();
    rest_.remove_prefix(end);
    return number.value_or(0);
  }
  /// Whether the text goes on so, which is passed then.
  bool word(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  [[nodiscard]] bool begins_with(std::string_view any_of) const {
    return !rest_.empty() && any_of.find(rest_.front()) != std::string_view::npos;
  }
  [[nodiscard]] char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  void refuse() { fine_ = false; }
  [[nodiscard]] bool ended() const { return fine_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool fine_ = true;
};

std::chrono::year_month_day take_date(DatePieces& pieces, std::string_view text, DateOrder order) {
  const auto first_sign = text.find_first_not_of("0123456789");
  const bool year_first = first_sign == 4;
  int year = 0;
  int month = 0;
  int day = 0;
  if (year_first) {
    const std::string_view sign = text.substr(first_sign, 1);
    year = pieces.digits(4, 1900, 2200);
    pieces.sign("-/");
    month = pieces.digits(2, 1, 12);
    pieces.sign(sign);
    day = pieces.digits(2, 1, 31);
  } else {
    const bool has_points = text.substr(std::min(first_sign, text.size())).starts_with('.');
    const std::string_view sign = has_points || order == DateOrder::unknown ? "." : "/-";
    const bool day_first = has_points || order == DateOrder::day_first;
    (day_first ? day : month) = pieces.short_number(1, day_first ? 31 : 12);
    pieces.sign(sign);
    (day_first ? month : day) = pieces.short_number(1, day_first ? 12 : 31);
    pieces.sign(sign);
    year = pieces.digits(4, 1900, 2200);
  }
  return {std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
          std::chrono::day(static_cast<unsigned>(day))};
}

/// Of an hour behind which AM or PM may stand: 12 AM is midnight.
int hour_of_day(DatePieces& pieces, int hour) {
  for (const std::string_view half : {" AM", " PM", "AM", "PM", " am", " pm", "am", "pm"}) {
    if (!pieces.word(half)) continue;
    if (hour < 1 || hour > 12) pieces.refuse();
    const bool is_morning = half.find_first_of("Aa") != std::string_view::npos;
    return hour % 12 + (is_morning ? 0 : 12);
  }
  return hour;
}

double take_time(DatePieces& pieces) {
  const int hour = pieces.short_number(0, 23);
  double seconds = 0;
  pieces.sign(":");
  seconds += pieces.digits(2, 0, 59) * 60.0;
  if (pieces.begins_with(":")) {
    pieces.sign(":");
    seconds += pieces.digits(2, 0, 60);  // 60 is a leap second
    if (pieces.begins_with(".,")) seconds += pieces.fraction();
  }
  return seconds + hour_of_day(pieces, hour) * 3600.0;
}

/// Seconds that a clock there is ahead of UTC; nothing if the text does not go on with a zone.
std::optional<double> take_zone(DatePieces& pieces) {
  pieces.word(" ");
  if (pieces.word("Z") || pieces.word("UTC")) return 0;
  if (!pieces.begins_with("+-")) return std::nullopt;
  const double east = pieces.next() == '+' ? 1 : -1;
  pieces.sign("+-");
  double ahead = pieces.digits(2, 0, 14) * 3600.0;
  if (pieces.begins_with(":")) {
    pieces.sign(":");
    ahead += pieces.digits(2, 0, 59) * 60.0;
  } else if (pieces.begins_with("0123456789")) {
    ahead += pieces.digits(2, 0, 59) * 60.0;
  }
  pieces.word(" UTC");  // "+0000 UTC", as Go has it
  return east * ahead;
}

}  // namespace

std::optional<DateTime> parse_date_time(std::string_view text, DateOrder order) {
  const std::string spelled = date_in_digits(text);
  if (!spelled.empty()) text = spelled;
  DatePieces pieces(text);
  const std::chrono::year_month_day date = take_date(pieces, text, order);
  pieces.sign("T ");
  const double seconds = take_time(pieces);
  const auto ahead = take_zone(pieces);
  if (!pieces.ended() || !date.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return DateTime{.seconds = days * 86400 + seconds - ahead.value_or(0),
                  .has_zone = ahead.has_value()};
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
