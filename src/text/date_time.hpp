// Dates with a time of day, as logs have them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace somnus {

struct DateTime {
  double seconds = 0;  // from 1970 on
  bool has_zone = false;
};

/// What 01/05/2024 and 01-05-2024 are.
enum class DateOrder { unknown, day_first, month_first };

/// "2024-05-01T12:30:59", "2024/05/01 12:30", "01.05.2024 12:30:59,25", where the year or points
/// show which number is the day; "01/05/2024 12:30" where the order is known. With a T or a blank
/// before the time, which may lack seconds or have a fraction of one, or be of AM or PM, and
/// perhaps with Z, UTC, +02, +0200 or +02:00 behind, which a blank may precede; without such a zone
/// it is taken for UTC. With the month in words, "Thu Apr 25 08:00:54 2024", "25-Apr-2024
/// 08:00:54". Nothing for what is no such date of the years 1900 to 2200.
[[nodiscard]] std::optional<DateTime> parse_date_time(std::string_view text,
                                                      DateOrder order = DateOrder::unknown);

/// The dates of one file. All have a zone or none has: nobody knows how far a date with one is from
/// a date without.
class DatesOfAFile {
 public:
  /// What was expected of a date in that line by those before it, "a date without a zone, as in
  /// line 2"; empty: it is as they are.
  [[nodiscard]] std::string expected_instead(const DateTime& date, int line);

 private:
  int first_line_ = 0;  // of the first date; 0: there was none yet
  bool with_zones_ = false;
};

}  // namespace somnus
