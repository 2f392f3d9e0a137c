// Where the emulated clock ends.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/time.hpp"

namespace somnus {

/// That time. Throws UserError of a run that has come to last_instant.
inline Time before_the_end(Time now) {
  if (now < last_instant) [[likely]]
    return now;
  Mistakes mistakes;
  mistakes.add({.what = fmt::format("the run goes on until the emulated clock ends, at {:.0f} s "
                                    "(63 years)",
                                    last_seconds),
                .hint = "run.until_s ends it before; can the cluster do so much work?"});
  throw UserError(std::move(mistakes));
}

}  // namespace somnus
