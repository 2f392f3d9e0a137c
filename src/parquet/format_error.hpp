// What is wrong with a file, thrown inside of this layer; its doors turn it into a Mistake.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace somnus::parquet {

class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Unless it holds: a sentence with what was expected.
template <class... Each>
void require(bool holds, fmt::format_string<Each...> expected, Each&&... each) {
  if (!holds) throw FormatError(fmt::format(expected, std::forward<Each>(each)...));
}

}  // namespace somnus::parquet
