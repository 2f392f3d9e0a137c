// Dates whose month is a word.
#pragma once

#include <string>
#include <string_view>

namespace somnus {

/// "Thu Apr 25 08:00:54 2024" (ctime), "25 Apr 2024 08:00:54 +0200", "25-Apr-2024 8:00 AM" with
/// digits only, "2024-04-25 08:00:54 +0200"; empty if it is none, or lacks the year or the time.
[[nodiscard]] std::string date_in_digits(std::string_view text);

}  // namespace somnus
