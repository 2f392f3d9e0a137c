// How much stdout shows at once.
#pragma once

#include <cstddef>

namespace somnus {

struct TerminalSize {
  std::size_t columns = 80;
  std::size_t lines = 24;
};

/// Of the terminal that stdout is; 80 columns and 24 lines where it is none, or does not say.
[[nodiscard]] TerminalSize terminal_size();

}  // namespace somnus
